// ranking/rank.html: the review of the images, sorted by score, before a query is submitted. Scores
// are corrected by dragging and by keys.

import { forward, gettext } from "../modules/texts.js";
import { Drag } from "./drag.js";
import { imageWords, notLoaded } from "./wording.js";

const GAP_PX = 4;
const COLUMN_PX = 16;
const MIN_COLUMN_PX = 76;

export class Review {
  constructor(element, pictures, { give, choose, visibleRange }) {
    Object.assign(this, { element, pictures, give, choose });
    this.drag = new Drag(element, {
      visibleRange,
      over: (event) => this.over(event),
      dropped: (card, event) => this.drop(card, event),
    });
    new ResizeObserver(() => this.widen()).observe(element);
    element.addEventListener("keydown", (event) => this.key(event));
    element.addEventListener("click", (event) => {
      const card = event.target.closest(".stimulus");
      if (card && !this.drag.moved) choose(Number(card.dataset.image));
    });
  }

  show(ranking, chosen, focused) {
    this.ranking = ranking;
    const steps = ranking.steps();
    const columns = steps.map((step) => this.column(step.name, ranking.endLabel(step), step));
    for (const image of ranking.byScore()) {
      columns[ranking.stepOf(ranking.score(image))].lastChild.append(this.card(image));
    }
    const missing = ranking.query.images.filter((image) => !ranking.isScored(image));
    if (missing.length) {
      const column = this.column("–", notLoaded(), null);
      column.lastChild.append(...missing.map((image) => this.card(image)));
      columns.push(column);
    }
    for (const { lastChild: cards } of columns) {
      cards.setAttribute("role", cards.childElementCount ? "listbox" : "group");
    }
    this.element.replaceChildren(...columns);
    this.widen();
    const card = this.cardOf(chosen) || this.element.querySelector(".stimulus");
    if (!card) return;
    this.mark(card);
    if (focused) card.focus();
  }

  // Give columns with many images more width, so that the review is not too long. On a narrow screen,
  // the scores are rows.
  widen() {
    const card = this.element.querySelector(".stimulus");
    if (!card) return;
    const counts = [...this.element.children].map((column) => column.lastChild.childElementCount);
    this.element.classList.toggle("rows", this.element.clientWidth < counts.length * MIN_COLUMN_PX);
    const step = card.offsetWidth + GAP_PX;
    const wide = counts.map(() => 1);
    const slots = Math.floor(
      (this.element.clientWidth - counts.length * (COLUMN_PX + 2 * GAP_PX)) / step,
    );
    for (let free = slots - wide.length; free > 0; free -= 1) {
      const rows = counts.map((count, at) => count / wide[at]);
      wide[rows.indexOf(Math.max(...rows))] += 1;
    }
    this.element.style.setProperty(
      "--columns",
      wide.map((cards) => `minmax(0, ${cards * step + COLUMN_PX}fr)`).join(" "),
    );
  }

  // Nothing can be dropped in a column without a step.
  column(name, label, step) {
    const column = document.createElement("section");
    column.className = "column";
    column.step = step;
    if (step) column.dataset.value = step.value;
    const title = document.createElement("h3");
    title.append(
      Object.assign(document.createElement("span"), {
        className: this.ranking.task.points ? "value" : "value range",
        textContent: name,
      }),
      Object.assign(document.createElement("span"), { className: "quiet", textContent: label }),
    );
    const cards = document.createElement("div");
    cards.className = "stimuli";
    cards.setAttribute("aria-label", step ? gettext("Score %(score)s", { score: name }) : label);
    column.append(title, cards);
    return column;
  }

  card(image) {
    const card = document.createElement("button");
    card.type = "button";
    card.className = "stimulus";
    card.setAttribute("role", "option");
    card.dataset.image = image;
    card.tabIndex = -1;
    const score = this.ranking.score(image);
    const isScored = this.ranking.isScored(image);
    const at = this.ranking.query.images.indexOf(image);
    card.setAttribute("aria-label", imageWords(at, isScored ? score : null, !isScored));
    if (this.pictures.isThere(image)) {
      card.append(
        Object.assign(document.createElement("img"), {
          src: this.pictures.source(image),
          alt: "",
          draggable: false,
        }),
      );
    }
    if (!this.ranking.task.points && this.ranking.isScored(image)) {
      card.append(
        Object.assign(document.createElement("span"), {
          className: "badge",
          textContent: Math.round(score),
        }),
      );
    }
    return card;
  }

  cardOf(image) {
    return this.element.querySelector(`.stimulus[data-image="${image}"]`);
  }

  mark(card) {
    for (const other of this.element.querySelectorAll(".stimulus")) {
      other.tabIndex = other === card ? 0 : -1;
      other.setAttribute("aria-selected", String(other === card));
    }
  }

  key(event) {
    const card = event.target.closest(".stimulus");
    if (!card || event.altKey || event.ctrlKey || event.metaKey) return;
    const columns = [...this.element.children];
    const column = card.closest(".column");
    const sideways = { ArrowLeft: -forward, ArrowRight: forward }[event.key];
    const along = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (sideways && event.shiftKey) {
      const to = columns[columns.indexOf(column) + sideways];
      const image = Number(card.dataset.image);
      if (to?.step && column.step) this.give(image, this.ranking.shifted(image, to.step));
    } else if (sideways) {
      const rest = sideways < 0
        ? columns.slice(0, columns.indexOf(column)).reverse()
        : columns.slice(columns.indexOf(column) + 1);
      this.go(rest.map((other) => other.querySelector(".stimulus")).find(Boolean));
    } else if (along) this.go(along < 0 ? card.previousElementSibling : card.nextElementSibling);
    else return;
    event.preventDefault();
  }

  go(card) {
    if (card) {
      this.choose(Number(card.dataset.image));
      card.focus();
    }
  }

  // Highlight and return the column under the pointer.
  over(event) {
    const under = event ? document.elementsFromPoint(event.clientX, event.clientY) : [];
    const column = under.find((element) =>
      element.closest(".column") && !element.closest(".dragged")
    )?.closest(".column");
    for (const other of this.element.children) other.classList.toggle("over", other === column);
    return column || null;
  }

  drop(card, event) {
    const column = this.over(event);
    this.over(null);
    if (!column?.step) return;
    const others = [...column.querySelectorAll(".stimulus")].filter((other) => other !== card);
    const found = others.findIndex((other) => isBefore(event, other));
    const place = found < 0 ? others.length : found;
    const isHome = column === card.closest(".column");
    if (
      isHome && (this.ranking.task.points || (others[place] ?? null) === card.nextElementSibling)
    ) return;
    const [before, after] = [others[place - 1], others[place]].map((other) =>
      other && Number(other.dataset.image)
    );
    this.give(Number(card.dataset.image), this.ranking.between(column.step, before, after));
  }
}

// Whether a point is before a card in reading order: above its middle if the column is one card wide,
// otherwise in an earlier row or before the middle of the card.
function isBefore({ clientX, clientY }, card) {
  const { top, bottom, left, width, height } = card.getBoundingClientRect();
  if (card.parentElement.clientWidth < 2 * width) return clientY < top + height / 2;
  const ahead = (clientX - left - width / 2) * forward;
  return clientY < top || (clientY < bottom && ahead < 0);
}
