// rankings/choose.html: counts the chosen images, and chooses all of a set.

const boxes = [...document.querySelectorAll('#images input')];
const count = document.querySelector("#count");
const show = () => { count.textContent = `${boxes.filter((box) => box.checked).length} of ${boxes.length} chosen`; };

for (const box of boxes) box.addEventListener("change", show);
document.querySelector("#all").addEventListener("click", () => {
  const chosen = boxes.every((box) => box.checked);
  for (const box of boxes) box.checked = !chosen;
  show();
});
show();
