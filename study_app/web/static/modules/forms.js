// Every page of a researcher: a button with `data-confirm` asks for confirmation. If a form marked
// `data-keep` is refused, the message appears in the form, and what was typed and chosen stays.

import { send } from "./server.js";
import { gettext } from "./texts.js";

document.addEventListener("submit", (event) => {
  const question = event.submitter?.dataset.confirm;
  if (question && !window.confirm(question)) event.preventDefault();
});

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (event.defaultPrevented || !("keep" in form.dataset)) return;
  event.preventDefault();
  if (form.getAttribute("aria-busy") === "true") return;
  const button = event.submitter ?? form.querySelector("button");
  const shown = busy(form, button);
  form.querySelector(":scope > .refusal")?.remove();
  try {
    const { location } = await send(
      form.getAttribute("action") ?? window.location.href,
      filled(form),
    );
    window.location.assign(location);
  } catch (refusal) {
    shown.end();
    showError(
      form,
      button,
      refusal.status
        ? refusal.message
        : gettext("The server could not be reached. Your entries are still here; try again."),
    );
  }
});

// Reload when the browser restores the page from its back/forward cache.
addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});

// The token goes in the header, where `send` can renew it.
function filled(form) {
  const body = new FormData(form);
  body.delete("csrf_token");
  return body;
}

function busy(form, button) {
  const words = button.textContent;
  form.setAttribute("aria-busy", "true");
  if (form.dataset.keep) button.textContent = form.dataset.keep;
  return {
    end() {
      form.removeAttribute("aria-busy");
      button.textContent = words;
    },
  };
}

// Above the part of the form with the button, so that it is visible where the user clicked.
function showError(form, button, sentence) {
  const notice = document.createElement("p");
  Object.assign(notice, { className: "refusal", textContent: sentence, tabIndex: -1 });
  notice.setAttribute("role", "alert");
  const part = [...form.children].find((child) => child.contains(button));
  form.insertBefore(notice, part ?? null);
  notice.focus();
}
