// participation/welcome.html, offline.html: offers to continue if somebody has started in this browser
// through the same link.

const resume = document.querySelector("#resume");

try {
  const begun = localStorage.getItem(`rank:begun:${resume.dataset.link}`);
  if (begun) resume.querySelector("a").href = `../${begun}/`;
  resume.hidden = !begun;
  const ended = document.querySelector("#ended");
  if (ended) ended.hidden = begun !== "";
} catch { /* No storage: participants can still start. */ }
