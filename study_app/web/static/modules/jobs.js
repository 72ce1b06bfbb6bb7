// Jobs: <div data-job="/studies/1/jobs/2"> shows the progress of a job, and fires "job:end" with the
// job when it ends.

import { get } from "./server.js";
import { gettext } from "./texts.js";

const PAUSE_MS = 500;

export function follow(element) {
  const bar = element.querySelector("progress") ||
    element.appendChild(document.createElement("progress"));
  const words = element.querySelector("[role=status]") ||
    element.appendChild(document.createElement("p"));
  words.setAttribute("role", "status");
  bar.setAttribute("aria-label", gettext("Progress"));
  const poll = async () => {
    let job;
    try {
      job = await get(element.dataset.job);
    } catch (refusal) {
      words.textContent = navigator.onLine
        ? refusal.message
        : gettext("No connection. The work continues on the server.");
      setTimeout(poll, 4 * PAUSE_MS);
      return;
    }
    if (job.total) {
      bar.max = job.total;
      bar.value = job.done;
    } else bar.removeAttribute("value");
    // A job with several steps reports its progress in percent.
    const done = job.total === 100
      ? `${job.done} %`
      : gettext("%(done)s of %(total)s", { done: job.done, total: job.total });
    words.textContent = [job.total ? done : "", job.message].filter(Boolean).join(" · ");
    if (job.state === "running") {
      setTimeout(poll, PAUSE_MS);
      return;
    }
    bar.hidden = true;
    words.textContent = job.message;
    words.className = job.state === "done" ? "good" : "bad";
    element.dispatchEvent(new CustomEvent("job:end", { detail: job, bubbles: true }));
  };
  poll();
}

for (const element of document.querySelectorAll("[data-job]")) follow(element);
