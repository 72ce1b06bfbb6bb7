// Recording page: groups of thumbnails, and the cards that are not in a group. Each card is one
// element, which is moved between them.

import { gettext } from "../modules/texts.js";
import { colour, setText } from "./words.js";

const SECTION = `
  <h2>
    <button type="button" class="plain choose">
      <span class="badge"></span> <span class="title"></span>
    </button>
    <span class="count quiet"></span>
    <button type="button" class="plain menu"></button>
  </h2>
  <p class="note quiet" hidden></p>
  <div class="stimuli"></div>`;

export class Groups {
  constructor(table, places) {
    this.table = table;
    this.places = places;
    this.chosen = new Set();
    this.sections = new Map();
    this.elements = new Map([...table.cards.values()].map((card) => [card.id, this.#card(card)]));
  }

  #card(card) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "stimulus";
    button.dataset.card = card.id;
    button.tabIndex = -1;
    button.setAttribute("aria-label", gettext("Card %(card)s, %(name)s", card));
    button.title = `${card.card} · ${card.name}`;
    const image = document.createElement("img");
    Object.assign(image, {
      loading: "lazy",
      decoding: "async",
      alt: "",
      width: 72,
      height: 72,
      src: card.thumbnail,
    });
    button.append(image);
    return button;
  }

  draw() {
    const { table } = this;
    this.#fill(this.places.missing, table.missing);
    for (const id of table.missing) {
      this.elements.get(id)?.classList.toggle("lit", Boolean(table.lit?.has(id)));
    }
    const isRecording = table.open && table.missing.length > 0;
    const shown = table.groups.filter((group) =>
      group.cards.length || (isRecording && group.key === table.current)
    );
    if (isRecording && !shown.some((group) => group.key === table.current)) {
      shown.push({
        key: table.current,
        number: table.numberOf(table.current),
        name: "",
        note: "",
        cards: [],
      });
    }
    for (const [key, section] of this.sections) {
      if (!shown.some((group) => group.key === key)) {
        section.remove();
        this.sections.delete(key);
      }
    }
    let last = null;
    for (const group of [...shown].sort((a, b) => a.number - b.number)) {
      const section = this.#section(group);
      const next = last ? last.nextSibling : this.places.groups.firstChild;
      if (section !== next) this.places.groups.insertBefore(section, next);
      last = section;
    }
    for (const id of this.chosen) if (!table.placed.has(id)) this.#deselect(id);
    if (this.arriving) this.#show(this.arriving);
    this.arriving = null;
  }

  // Make a box contain exactly these cards in this order, with as few changes as possible.
  #fill(box, cards) {
    let at = box.firstChild;
    for (const id of cards) {
      const element = this.elements.get(id);
      if (!element) continue;
      if (element === at) at = at.nextSibling;
      else box.insertBefore(element, at);
    }
    while (at) {
      const extra = at;
      at = at.nextSibling;
      if (extra.parentNode === box) extra.remove();
    }
  }

  #section(group) {
    let section = this.sections.get(group.key);
    if (!section) {
      section = document.createElement("section");
      section.className = "group";
      section.innerHTML = SECTION;
      section.querySelector(".menu").textContent = gettext("Name, note, merge");
      section.dataset.key = group.key;
      this.sections.set(group.key, section);
    }
    const current = this.table.open && group.key === this.table.current;
    section.classList.toggle("current", current);
    const badge = section.querySelector(".badge");
    badge.className = `badge ${colour(group.number)}`;
    setText(badge, group.number);
    setText(section.querySelector(".title"), group.name || gettext("Group %(number)s", group));
    setText(
      section.querySelector(".count"),
      `${group.cards.length}${current ? ` · ${gettext("cards go here")}` : ""}`,
    );
    section.querySelector(".choose").setAttribute("aria-pressed", current);
    section.querySelector(".menu").hidden = !group.cards.length || !this.table.open;
    section.querySelector(".menu").setAttribute(
      "aria-label",
      gettext("Name, note or merge group %(number)s", group),
    );
    const note = section.querySelector(".note");
    note.hidden = !group.note;
    setText(note, group.note);
    this.#fill(section.querySelector(".stimuli"), group.cards);
    return section;
  }

  // Select or deselect a card in a group; selected cards are moved together.
  toggle(id) {
    if (this.chosen.has(id)) {
      this.#deselect(id);
      return;
    }
    this.chosen.add(id);
    this.elements.get(id).setAttribute("aria-pressed", "true");
  }

  clear() {
    for (const id of this.chosen) this.#deselect(id);
  }

  #deselect(id) {
    this.chosen.delete(id);
    this.elements.get(id).removeAttribute("aria-pressed");
  }

  // The page stays where it is.
  focus(id) {
    this.elements.get(id)?.focus({ preventScroll: true });
  }

  // Highlight a card when it is in its group; `stay` to leave the page where it is.
  point(id, stay) {
    this.arriving = { id, stay };
  }

  #show({ id, stay }) {
    const element = this.elements.get(id);
    element.classList.add("arrived");
    if (!stay) element.scrollIntoView({ block: "nearest" });
    setTimeout(() => element.classList.remove("arrived"), 1500);
  }
}
