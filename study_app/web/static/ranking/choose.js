// ranking/choose.html: counts the chosen images, chooses all of a set, and asks for two at least.

const FEWEST = 2;
const boxes = [...document.querySelectorAll("#images input")];
const count = document.querySelector("#count");

function show() {
  const chosen = boxes.filter((box) => box.checked).length;
  count.textContent = `${chosen} of ${boxes.length} chosen`;
  // Said by the browser beside the images, before anything is sent.
  boxes[0]?.setCustomValidity(chosen < FEWEST ? `Choose at least ${FEWEST} images.` : "");
}

for (const box of boxes) box.addEventListener("change", show);
document.querySelector("#all").addEventListener("click", () => {
  const chosen = boxes.every((box) => box.checked);
  for (const box of boxes) box.checked = !chosen;
  show();
});
show();
