// participation/thanks.html: copies the completion code, or selects it if the browser does not allow
// copying.

import { copy } from "../modules/copying.js";
import { gettext } from "../modules/texts.js";

const code = document.querySelector("#code");
const said = document.querySelector("#copied");

document.querySelector("#copy")?.addEventListener("click", async () => {
  const copied = await copy(code.textContent);
  if (!copied) window.getSelection().selectAllChildren(code);
  said.textContent = copied
    ? gettext("Copied.")
    : gettext("The code is selected. Copy it with Ctrl+C or your phone's menu.");
});
