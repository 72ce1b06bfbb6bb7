// participation/welcome.html, check.html, closing.html: what a participant entered and did not send is
// there after a reload of the tab, for half an hour. Whoever opens the page anew finds it empty, since
// several people may use one computer. Check boxes are left out: agreement is given, never restored.

import { forget, remember, remembered } from "../modules/tab_memory.js";

const NAME = "rank:draft";
const KEPT_MS = 30 * 60 * 1000;

const form = document.querySelector("form[data-draft]");
// On a platform's link, the next person has the same path.
const place = `${window.location.pathname} ${form?.dataset.draft}`;

function fields() {
  return [...form.elements].filter(({ name, type }) =>
    name && !["hidden", "checkbox"].includes(type)
  );
}

function keep(more = {}) {
  const values = fields().filter(({ type, checked }) => type !== "radio" || checked)
    .map(({ name, value }) => [name, value]);
  remember(NAME, { place, values, kept_ms: Date.now(), ...more });
}

function restore(values) {
  const entered = new Map(values);
  for (const field of fields().filter(({ name }) => entered.has(name))) {
    if (field.type === "radio") field.checked = field.value === entered.get(field.name);
    else field.value = entered.get(field.name);
  }
}

const draft = remembered(NAME);
forget(NAME);
if (form) {
  const how = performance.getEntriesByType("navigation")[0]?.type;
  const isSame = ["reload", "back_forward"].includes(how) || draft?.is_translated;
  if (isSame && draft?.place === place && Math.abs(Date.now() - draft.kept_ms) < KEPT_MS) {
    restore(draft.values);
    keep();
  }
  form.addEventListener("input", () => keep());
  // The page in another language.
  document.querySelector("form.languages")
    ?.addEventListener("submit", () => keep({ is_translated: true }));
}
