// ranking/rank.html: what each control of the page does, and what brings it up to date.

import { isSecondTap } from "./taps.js";

export function listen(page, find, workspace) {
  const actions = {
    next: () => page.goToUnscored(),
    large: () => page.enlarge(),
    pause: () => page.rest.show(),
    retry: () => page.loadAgain(),
    "to-review": () => page.review(true),
    back: () => page.review(false),
    submit: () => page.submit(),
  };
  for (const [id, action] of Object.entries(actions)) {
    find(id).addEventListener("click", (event) => {
      if (!isSecondTap(event)) action();
    });
  }
  find("sketch").addEventListener("click", () => page.enlarge());
  // A click beside everything leaves the keys where they were.
  workspace.addEventListener("click", ({ target, pointerType }) => {
    if (pointerType === "mouse" && !target.closest("button, a, summary")) page.focusChosen();
  });
  workspace.querySelector("details").addEventListener("toggle", ({ target }) => {
    if (!target.open) page.focusChosen();
  });
  page.outbox.addEventListener("change", () => {
    page.status.show();
    page.offline.keepPlan(() => page.currentPlan());
  });
  page.outbox.addEventListener("recovered", () => {
    if (page.ranking.failed.size) page.load();
  });
  // Scores of this page may no longer be there. What waits is kept in this browser, and sent by the
  // page that comes.
  page.outbox.addEventListener("restored", () => {
    if (!page.outbox.isLoose) window.location.reload();
  });
  page.outbox.addEventListener("refused", ({ detail }) => page.refused(detail));
  // The page as it comes back from the browser's memory.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) window.location.reload();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) page.refresh();
  });
}
