// ranking/task.html: updates the live part every few seconds, unless something in it is open or has
// the focus.

import { get } from "../modules/server.js";
import { showLocal } from "../modules/times.js";

const PAUSE_MS = 5000;
const part = document.querySelector("#live");

let shown = null;

// Keep the horizontal scroll position: on a phone the table is wider than the screen.
function show(html) {
  if (html === shown) return;
  shown = html;
  const sides = [...part.querySelectorAll(".scroll")].map((table) => table.scrollLeft);
  part.innerHTML = html;
  showLocal(part);
  part.querySelectorAll(".scroll").forEach((table, at) => {
    table.scrollLeft = sides[at] ?? 0;
  });
}

async function renew() {
  const busy = part.contains(document.activeElement) || part.querySelector("details[open]");
  if (!document.hidden && !busy) {
    try {
      show((await get(part.dataset.address)).html);
    } catch { /* The next round tries again. */ }
  }
  setTimeout(renew, PAUSE_MS);
}

if (part) setTimeout(renew, PAUSE_MS);
