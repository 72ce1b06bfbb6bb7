// ranking/rank.html: event listeners: the action of each control, and when the page is refreshed.

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
  // A click beside all controls does not move the focus.
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
  // A backup was restored, so saved scores may be gone. Waiting entries stay in this browser, and the
  // reloaded page sends them.
  page.outbox.addEventListener("restored", () => {
    if (!page.outbox.hasUnstored) window.location.reload();
  });
  page.outbox.addEventListener("refused", ({ detail }) => page.refused(detail));
  // Reload when the browser restores the page from its back/forward cache.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) window.location.reload();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) page.refresh();
  });
}
