// Pictures page and import report: shows the progress of the import, and opens its report when it
// ends.

import "../modules/jobs.js";

document.addEventListener("job:end", (event) => {
  if (event.target.dataset.then) location.assign(event.target.dataset.then);
});
