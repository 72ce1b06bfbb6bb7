// The page of every method, participation/thanks.html: corrects the token that the welcome page
// stored, since the server may have issued another one than its form sent.

const own = window.location.pathname.split("/").at(-2);

try {
  const link = sessionStorage.getItem("rank:joining");
  if (link) localStorage.setItem(`rank:begun:${link}`, own);
  sessionStorage.removeItem("rank:joining");
} catch { /* No storage: nothing to correct. */ }
