// Gold standard and systems: shows that new results are available, and reloads the page if nobody is
// using it.

import { get } from "../modules/server.js";

const PAUSE_MS = 5000;
const IDLE_MS = 15000;
const part = document.querySelector("[data-mark]");
let touched = -IDLE_MS;

for (const kind of ["pointermove", "pointerdown", "keydown", "scroll", "focusin"]) {
  addEventListener(kind, () => {
    touched = performance.now();
  }, { passive: true });
}

async function poll() {
  if (!document.hidden) {
    try {
      const { mark } = await get(part.dataset.address);
      if (mark !== part.dataset.mark) part.hidden = false;
    } catch { /* The next round tries again. */ }
    if (!part.hidden && performance.now() - touched > IDLE_MS) {
      location.reload();
      return;
    }
  }
  setTimeout(poll, PAUSE_MS);
}

if (part) setTimeout(poll, PAUSE_MS);
