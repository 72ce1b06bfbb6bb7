// The page of every method, participation/thanks.html: corrects what the welcome page noted. The
// server may have made another token than its form sent.

const own = window.location.pathname.split("/").at(-2);

try {
  const link = sessionStorage.getItem("rank:joining");
  if (link) localStorage.setItem(`rank:begun:${link}`, own);
  sessionStorage.removeItem("rank:joining");
} catch { /* A browser that keeps nothing has nothing to correct. */ }
