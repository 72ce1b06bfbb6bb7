// Gold standard and systems: when the work under way is done, the page shows what came of it.

import "../modules/jobs.js";

for (const element of document.querySelectorAll("[data-reload]")) {
  element.addEventListener("job:end", ({ detail }) => {
    // Work that the page itself starts would fail again; the page says what was submitted.
    if (detail.state === "done" || element.dataset.reload === "always") location.reload();
  });
}
