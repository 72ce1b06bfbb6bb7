// Set page: selects sketches by tap, by Space, or a range with Shift; Escape ends the selection.

import { gettext, ngettext } from "../modules/texts.js";

const begin = document.querySelector("#select");
const form = document.querySelector("#selection");
const bar = form.querySelector("#selected");
const picks = [...form.querySelectorAll(".pick")];
const boxes = picks.map((pick) => pick.querySelector("input"));
let last = -1;

function selecting(on) {
  begin.hidden = on;
  bar.hidden = !on;
  for (const pick of picks) pick.hidden = !on;
  for (const link of form.querySelectorAll("#gallery a")) link.tabIndex = on ? -1 : 0;
  if (!on) { for (const box of boxes) box.checked = false; }
  tell();
  (on ? boxes[0] : begin).focus();
}

function tell() {
  const count = boxes.filter((box) => box.checked).length;
  const go = form.querySelector("#go");
  go.disabled = !count;
  go.textContent = count ? gettext("Remove %(count)s…", { count }) : gettext("Remove…");
  form.querySelector("#count").textContent = count
    ? ngettext("%(num)s picture selected", "%(num)s pictures selected", count)
    : gettext("Tap pictures to select them");
}

function picked(at, shift) {
  if (shift && last >= 0) {
    for (let n = Math.min(at, last); n <= Math.max(at, last); n++) {
      boxes[n].checked = boxes[at].checked;
    }
  }
  last = at;
  tell();
}

if (begin) {
  begin.hidden = false;
  begin.addEventListener("click", () => selecting(true));
  form.querySelector("#stop").addEventListener("click", () => selecting(false));
  boxes.forEach((box, at) => box.addEventListener("click", (event) => picked(at, event.shiftKey)));
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !bar.hidden) selecting(false);
    const at = boxes.indexOf(event.target);
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (at < 0 || !step) return;
    event.preventDefault();
    boxes[(at + step + boxes.length) % boxes.length].focus();
  });
}
