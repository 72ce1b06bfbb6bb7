// Pages that wait for a job: reloads the page when the job is done, to show the results.

import "./jobs.js";

for (const element of document.querySelectorAll("[data-reload]")) {
  element.addEventListener("job:end", ({ detail }) => {
    // A job that the page itself starts would fail again; a page that shows what was uploaded always
    // reloads.
    if (detail.state === "done" || element.dataset.reload === "always") location.reload();
  });
}
