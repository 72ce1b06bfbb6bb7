// ranking/rank.html: the grid of images. One image is chosen; the arrow keys choose another.

import { forward, gettext } from "../modules/texts.js";
import { imageWords, notLoaded } from "./wording.js";

export class Grid {
  constructor(element, pictures, { choose, enlarge }) {
    this.element = element;
    this.pictures = pictures;
    this.cells = [];
    element.addEventListener("click", (event) => {
      const cell = event.target.closest("button");
      if (!cell) return;
      const at = this.cells.indexOf(cell);
      if (cell.getAttribute("aria-selected") === "true" && this.touched === at) enlarge();
      else choose(at);
      this.touched = at;
    });
    element.addEventListener("keydown", (event) => {
      const to = this.target(event.key);
      if (to === null || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      choose(to);
    });
  }

  fill(images) {
    this.touched = -1;
    this.cells = images.map(() => {
      const cell = document.createElement("button");
      cell.type = "button";
      cell.className = "stimulus loading";
      cell.tabIndex = -1;
      cell.setAttribute("role", "option");
      cell.append(Object.assign(document.createElement("span"), { className: "badge" }));
      return cell;
    });
    this.element.replaceChildren(...this.cells);
  }

  show(at, image, ranking) {
    const cell = this.cells[at];
    const score = ranking.score(image);
    const scored = ranking.isScored(image);
    const failed = ranking.isFailed(image);
    const there = this.pictures.isThere(image);
    cell.classList.toggle("scored", scored);
    cell.classList.toggle("failed", failed);
    cell.classList.toggle("loading", !there && !failed);
    cell.querySelector(".badge").textContent = scored
      ? Math.round(score)
      : failed
      ? notLoaded()
      : "";
    cell.setAttribute("aria-label", labelOf(at, scored, score, failed, there));
    if (there && !cell.querySelector("img")) {
      const picture = Object.assign(document.createElement("img"), {
        src: this.pictures.source(image),
        alt: "",
        draggable: false,
      });
      cell.prepend(picture);
    }
  }

  choose(at, focused) {
    this.cells.forEach((cell, place) => {
      cell.tabIndex = place === at ? 0 : -1;
      cell.setAttribute("aria-selected", place === at ? "true" : "false");
    });
    const cell = this.cells[at];
    if (!cell) return;
    if (focused) cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest" });
  }

  // The target of a key, or null. The number of columns is measured, since it depends on the width.
  target(key) {
    const at = this.cells.findIndex((cell) => cell.getAttribute("aria-selected") === "true");
    if (at < 0) return null;
    const last = this.cells.length - 1;
    const columns = this.columns();
    const to = {
      ArrowRight: at + forward,
      ArrowLeft: at - forward,
      ArrowDown: at + columns,
      ArrowUp: at - columns,
      Home: 0,
      End: last,
    }[key];
    if (to === undefined) return null;
    return to < 0 || to > last ? at : to;
  }

  columns() {
    const top = this.cells[0].offsetTop;
    const next = this.cells.findIndex((cell) => cell.offsetTop > top);
    return next < 0 ? this.cells.length : next;
  }
}

function labelOf(at, scored, score, failed, there) {
  if (!there && !failed) return gettext("Image %(number)s, loading", { number: at + 1 });
  return imageWords(at, scored ? score : null, failed);
}
