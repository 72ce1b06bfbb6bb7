// participation/thanks.html: takes out of this browser what a participant left in it. In a
// laboratory the next one sits here.

const base = window.location.pathname.replace(/thanks$/, "");
const token = base.split("/").at(-2);

try {
  caches.delete(`take-part:${base}`);
  navigator.serviceWorker.getRegistration(base).then((worker) => worker?.unregister());
} catch { /* Over plain HTTP nothing was kept. */ }

try {
  for (const name of Object.keys(localStorage).filter((stored) => stored.startsWith("rank:"))) {
    if (name.includes(base)) localStorage.removeItem(name);
    // Through an open link it stays known that somebody came, but no longer who.
    else if (name.startsWith("rank:begun:") && localStorage.getItem(name) === token) {
      localStorage.setItem(name, "");
    }
  }
} catch { /* A browser that keeps nothing has nothing of it. */ }
