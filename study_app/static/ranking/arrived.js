// participate/rank.html, participate/thanks.html: corrects what the welcome page noted. The server may have drawn another token than its form sent.

const own = window.location.pathname.split("/").at(-2);

try {
  const link = sessionStorage.getItem("rank:joining");
  if (link) localStorage.setItem(`rank:begun:${link}`, own);
  sessionStorage.removeItem("rank:joining");
} catch { /* A browser that keeps nothing has nothing to correct. */ }
