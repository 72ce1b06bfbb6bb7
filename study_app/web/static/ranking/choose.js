// ranking/choose.html: counts the chosen images, chooses all of a set, and asks for two at least.

import { gettext } from "../modules/texts.js";

const FEWEST = 2;
const boxes = [...document.querySelectorAll("#images input")];
const count = document.querySelector("#count");

function show() {
  const chosen = boxes.filter((box) => box.checked).length;
  count.textContent = gettext("%(chosen)s of %(all)s chosen", {
    chosen,
    all: boxes.length,
  });
  // Said by the browser beside the images, before anything is sent.
  boxes[0]?.setCustomValidity(
    chosen < FEWEST ? gettext("Choose at least %(fewest)s images.", { fewest: FEWEST }) : "",
  );
}

for (const box of boxes) box.addEventListener("change", show);
document.querySelector("#all").addEventListener("click", () => {
  const chosen = boxes.every((box) => box.checked);
  for (const box of boxes) box.checked = !chosen;
  show();
});
show();
