// participate/rank.html: the images sorted by score, before handing in. Dragging and keys correct a score.

const HOLD_MS = 250;
const SLACK_PX = 6;

export class LookOver {
  constructor(element, pictures, { give, choose, look }) {
    this.element = element;
    this.pictures = pictures;
    this.give = give;
    this.choose = choose;
    this.look = look;
    element.addEventListener("keydown", (event) => this.key(event));
    element.addEventListener("pointerdown", (event) => this.press(event));
    element.addEventListener("click", (event) => {
      const card = event.target.closest(".stimulus");
      if (card && !this.dragged) choose(Number(card.dataset.image));
    });
    // Once a held finger drags, the page must not scroll under it.
    element.addEventListener("touchmove", (event) => { if (this.drag?.begun) event.preventDefault(); }, { passive: false });
    element.addEventListener("contextmenu", (event) => { if (this.drag) event.preventDefault(); });
  }

  show(ranking, chosen, focused) {
    this.ranking = ranking;
    const steps = ranking.steps();
    const columns = steps.map((step) => this.column(step.name, ranking.endLabel(step), step.value));
    const byScore = [...ranking.query.images].sort((a, b) => ranking.score(a) - ranking.score(b));
    if (ranking.task.best === "high") byScore.reverse();
    const missing = [];
    for (const image of byScore) {
      if (ranking.isScored(image)) columns[ranking.stepOf(ranking.score(image))].lastChild.append(this.card(image));
      else missing.push(image);
    }
    if (missing.length) {
      const column = this.column("–", "did not load", null);
      column.lastChild.append(...missing.map((image) => this.card(image)));
      columns.push(column);
    }
    // Most images of a long list get the same score: its column is wider, not endlessly long.
    for (const column of columns) column.style.setProperty("--cards", column.lastChild.childElementCount);
    this.element.replaceChildren(...columns);
    const card = this.cardOf(chosen) || this.element.querySelector(".stimulus");
    if (!card) return;
    this.mark(card);
    if (focused) card.focus();
  }

  column(name, label, value) {
    const column = document.createElement("section");
    column.className = "column";
    if (value !== null) column.dataset.value = value;
    const title = document.createElement("h3");
    title.append(Object.assign(document.createElement("span"), { className: "value", textContent: name }), Object.assign(document.createElement("span"), { className: "quiet", textContent: label }));
    const cards = document.createElement("div");
    cards.className = "stimuli";
    column.append(title, cards);
    return column;
  }

  card(image) {
    const card = document.createElement("button");
    card.type = "button";
    card.className = "stimulus";
    card.dataset.image = image;
    card.tabIndex = -1;
    const score = this.ranking.score(image);
    const words = this.ranking.isScored(image) ? `score ${Math.round(score)}` : "did not load";
    card.setAttribute("aria-label", `Image ${this.ranking.query.images.indexOf(image) + 1}, ${words}`);
    if (this.pictures.isThere(image)) card.append(Object.assign(document.createElement("img"), { src: this.pictures.source(image), alt: "", draggable: false }));
    if (!this.ranking.task.points && this.ranking.isScored(image)) card.append(Object.assign(document.createElement("span"), { className: "badge", textContent: Math.round(score) }));
    return card;
  }

  cardOf(image) { return this.element.querySelector(`.stimulus[data-image="${image}"]`); }

  mark(card) {
    for (const other of this.element.querySelectorAll(".stimulus")) {
      other.tabIndex = other === card ? 0 : -1;
      other.setAttribute("aria-current", String(other === card));
    }
  }

  key(event) {
    const card = event.target.closest(".stimulus");
    if (!card || event.altKey || event.ctrlKey || event.metaKey) return;
    const columns = [...this.element.children];
    const column = card.closest(".column");
    const sideways = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const along = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (sideways && event.shiftKey) {
      const to = columns[columns.indexOf(column) + sideways];
      if (to?.dataset.value) this.give(Number(card.dataset.image), Number(to.dataset.value));
    } else if (sideways) {
      const rest = sideways < 0 ? columns.slice(0, columns.indexOf(column)).reverse() : columns.slice(columns.indexOf(column) + 1);
      this.go(rest.map((other) => other.querySelector(".stimulus")).find(Boolean));
    } else if (along) this.go(along < 0 ? card.previousElementSibling : card.nextElementSibling);
    else return;
    event.preventDefault();
  }

  go(card) { if (card) { this.choose(Number(card.dataset.image)); card.focus(); } }

  press(event) {
    const card = event.target.closest(".stimulus");
    if (!card || event.button) return;
    const drag = { card, x: event.clientX, y: event.clientY, begun: false, id: event.pointerId };
    this.drag = drag;
    this.dragged = false;
    const begin = () => {
      drag.begun = true;
      this.dragged = true;
      card.classList.add("dragged");
    };
    const held = event.pointerType === "touch" ? setTimeout(begin, HOLD_MS) : null;
    const move = (now) => {
      const far = Math.hypot(now.clientX - drag.x, now.clientY - drag.y) > SLACK_PX;
      if (!drag.begun && far) { if (held === null) begin(); else end(); }
      if (!drag.begun) return;
      card.style.setProperty("transform", `translate(${now.clientX - drag.x}px, ${now.clientY - drag.y}px)`);
      this.over(now);
    };
    const end = (now) => {
      clearTimeout(held);
      for (const [name, listener] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) window.removeEventListener(name, listener);
      this.drag = null;
      card.classList.remove("dragged");
      card.style.removeProperty("transform");
      const target = drag.begun && now?.type === "pointerup" ? this.over(now) : null;
      this.over(null);
      if (target?.dataset.value && target !== card.closest(".column")) this.give(Number(card.dataset.image), Number(target.dataset.value));
    };
    for (const [name, listener] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) window.addEventListener(name, listener);
  }

  // The column under the pointer, marked.
  over(event) {
    const column = event && document.elementsFromPoint(event.clientX, event.clientY).map((element) => element.closest(".column")).find(Boolean);
    for (const other of this.element.children) other.classList.toggle("over", other === column);
    return column || null;
  }
}
