// Gold standard and systems: when the work under way is done, the page shows what came of it.

import "../modules/jobs.js";

for (const element of document.querySelectorAll("[data-reload]")) {
  element.addEventListener("job:end", ({ detail }) => { if (detail.state === "done") location.reload(); });
}
