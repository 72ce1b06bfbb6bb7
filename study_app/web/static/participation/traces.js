// participation/thanks.html: deletes a participant's data from this browser, since the next
// participant in a laboratory may use the same computer.

import { forgetOffline, linksTo } from "./offline.js";

const base = window.location.pathname.replace(/thanks$/, "");
const token = base.split("/").at(-2);

try {
  for (const address of [base, ...linksTo(base)]) forgetOffline(address).catch(() => {});
} catch { /* No storage: nothing was cached. */ }

try {
  for (const name of Object.keys(localStorage).filter((stored) => stored.startsWith("rank:"))) {
    if (name.includes(base)) localStorage.removeItem(name);
    // For an open link, it stays known that somebody took part, but not the token.
    else if (name.startsWith("rank:begun:") && localStorage.getItem(name) === token) {
      localStorage.setItem(name, "");
    }
  }
} catch { /* No storage: nothing to delete. */ }
