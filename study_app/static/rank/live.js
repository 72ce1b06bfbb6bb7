// rankings/task.html: brings the live part up to date every few seconds, unless something in it is open or focused.

import { get } from "../modules/server.js";

const PAUSE_MS = 5000;
const part = document.querySelector("#live");

async function renew() {
  const busy = part.contains(document.activeElement) || part.querySelector("details[open]");
  if (!document.hidden && !busy) {
    try { part.innerHTML = (await get(part.dataset.address)).html; } catch { /* The next round tries again. */ }
  }
  setTimeout(renew, PAUSE_MS);
}

if (part) setTimeout(renew, PAUSE_MS);
