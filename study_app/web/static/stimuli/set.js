// Set page: an enlarged sketch; buttons and arrow keys show the next and previous ones.

import { gettext } from "../modules/texts.js";

const gallery = document.querySelector("#gallery");
const links = [...document.querySelectorAll("#gallery a")];
const dialog = document.querySelector("#large");
const picture = dialog.querySelector("img");
const name = dialog.querySelector("#large-name");
let at = 0;

function show(index) {
  at = (index + links.length) % links.length;
  picture.src = links[at].href;
  picture.alt = links[at].dataset.name;
  const number = Number(gallery.dataset.before) + at + 1;
  name.textContent = gettext("%(number)s of %(total)s · %(name)s", {
    number,
    total: gallery.dataset.total,
    name: links[at].dataset.name,
  });
  if (!dialog.open) dialog.showModal();
}

links.forEach((link, index) =>
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(index);
  })
);
dialog.querySelector("#previous").addEventListener("click", () => show(at - 1));
dialog.querySelector("#following").addEventListener("click", () => show(at + 1));
dialog.querySelector("#close").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});
dialog.addEventListener("close", () => links[at].focus());
dialog.addEventListener("keydown", (event) => {
  if (event.key === "ArrowLeft") show(at - 1);
  if (event.key === "ArrowRight") show(at + 1);
});
