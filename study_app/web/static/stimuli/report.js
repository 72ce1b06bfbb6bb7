// Pictures page and import report: follows the import and goes to its report when it ends.

import "../modules/jobs.js";

document.addEventListener("job:end", (event) => {
  if (event.target.dataset.then) location.assign(event.target.dataset.then);
});
