// ranking/choose.html: counts the chosen images, chooses all of a set, and requires at least two.

import { gettext } from "../modules/texts.js";

const MIN_IMAGES = 2;
const boxes = [...document.querySelectorAll("#images input")];
const count = document.querySelector("#count");

function show() {
  const chosen = boxes.filter((box) => box.checked).length;
  count.textContent = gettext("%(chosen)s of %(all)s chosen", {
    chosen,
    all: boxes.length,
  });
  // The browser shows this message beside the images before anything is sent.
  boxes[0]?.setCustomValidity(
    chosen < MIN_IMAGES
      ? gettext("Choose at least %(fewest)s images.", { fewest: MIN_IMAGES })
      : "",
  );
}

for (const box of boxes) box.addEventListener("change", show);
document.querySelector("#all").addEventListener("click", () => {
  const chosen = boxes.every((box) => box.checked);
  for (const box of boxes) box.checked = !chosen;
  show();
});
show();
