// Recording page: a photo with the outlines of its cards in the colours of their groups, with group
// numbers, rings around unread cards, and outlines of paper without a readable card.

import { isArrow, nearest } from "../modules/roving.js";
import { gettext } from "../modules/texts.js";
import { isInside, Lasso } from "./lasso.js";
import { ask } from "./picking.js";
import { isSame } from "./places.js";
import { colour } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

function draw(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) {
    element.setAttribute(attribute, value);
  }
  parent.append(element);
  return element;
}

const middle = (points) =>
  [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
const listed = (points) => points.map((point) => point.join(",")).join(" ");

export class Overlay {
  constructor(proposal, photo) {
    Object.assign(this, { proposal, photo });
    this.element = document.createElement("figure");
    this.element.className = "photo";
    this.frame = Object.assign(document.createElement("div"), { className: "frame" });
    this.sheet = Object.assign(document.createElement("div"), { className: "sheet" });
    this.sheet.style.setProperty("--aspect", photo.width / photo.height);
    this.image = Object.assign(new Image(photo.width, photo.height), {
      src: photo.picture,
      alt: gettext("Photo of the table"),
      decoding: "async",
      draggable: false,
    });
    this.frame.append(this.sheet);
    this.element.append(this.frame);
    this.#draw();
    this.sheet.prepend(this.image);
  }

  #draw() {
    const { photo } = this;
    const svg = this.svg = draw("svg", {
      viewBox: `0 0 ${photo.width} ${photo.height}`,
      role: "group",
      "aria-label": gettext("Cards on the photo"),
    }, this.sheet);
    this.cards = new Map();
    // Targets of the arrow keys: cards, and rings around unread cards.
    this.stops = [];
    for (const place of photo.reading.paper) this.#paper(place);
    for (const header of photo.reading.headers) this.#header(header);
    for (const card of photo.reading.cards) this.#card(card);
    for (const unread of this.proposal.unreadOn(photo)) this.#unread(unread);
    for (const { place, card } of this.proposal.byHandOn(photo)) this.#identified(place, card);
    for (const { corners, refused } of photo.reading.wrong) {
      this.#ring(corners, "wrong", refused, "img");
    }
    this.#stopAt(this.stops[0]);
    svg.addEventListener("keydown", (event) => this.#walk(event));
    const line = draw("polygon", { class: "lasso", points: "" }, svg);
    this.lasso = new Lasso(svg, line, (around) => this.#choose(around));
  }

  #choose(around) {
    const inside = [...this.cards].filter(([, { at }]) => isInside(at, around));
    this.proposal.choose(inside.map(([stimulus]) => stimulus));
    inside[0]?.[1].group.focus();
  }

  // Zoom about the centre of the visible part.
  zoom(times) {
    const { frame, sheet } = this;
    const before = [
      frame.scrollLeft + frame.clientWidth / 2,
      frame.scrollTop + frame.clientHeight / 2,
    ].map((at, axis) => at / [sheet.clientWidth, sheet.clientHeight][axis]);
    sheet.style.setProperty("--times", times);
    frame.scrollLeft = before[0] * sheet.clientWidth - frame.clientWidth / 2;
    frame.scrollTop = before[1] * sheet.clientHeight - frame.clientHeight / 2;
  }

  #card({ stimulus, outline, how }) {
    const about = this.proposal.table.cards.get(stimulus);
    const group = draw("g", {
      tabindex: -1,
      role: "checkbox",
      class: `card ${how}`,
      "data-card": stimulus,
    }, this.svg);
    draw("polygon", { points: listed(outline) }, group);
    const at = middle(outline);
    // The number is in the card's upper left corner in the photo, so that the sketch stays visible.
    const corner = outline.reduce((
      best,
      point,
    ) => (point[0] + point[1] < best[0] + best[1] ? point : best));
    const size = Math.hypot(outline[0][0] - outline[2][0], outline[0][1] - outline[2][1]) / 5;
    const spot = [0, 1].map((axis) => corner[axis] + (at[axis] - corner[axis]) * 0.2);
    draw("circle", { cx: spot[0], cy: spot[1], r: size * 0.8 }, group);
    const text = draw("text", { x: spot[0], y: spot[1], "font-size": size }, group);
    group.addEventListener("pointerenter", () => this.proposal.panel.point(stimulus));
    this.cards.set(stimulus, { group, text, at, about });
    const stop = this.#stop(group, at, () => this.proposal.tapCard(stimulus));
    stop.stimulus = stimulus;
    return stop;
  }

  // An unread card; a press opens the dialog for identifying it.
  #unread(unread) {
    const { place } = unread;
    const outline = this.photo.reading.unread[place];
    const ring = this.#ring(
      outline,
      "unread",
      gettext("A card that was not read. Say which it is"),
      "button",
    );
    ring.setAttribute("tabindex", -1);
    const pressed = async () => {
      const stimulus = await ask(this.proposal, this, place);
      // Another proposal may be shown by now.
      this.proposal.latest.answered(unread, stimulus);
    };
    this.#stop(ring, middle(outline), pressed).unread = unread;
  }

  // The ring around an unread card, or nothing.
  ringOf(unread) {
    return this.stops.find((stop) => stop.unread && isSame(stop.unread, unread));
  }

  // Show the card that an unread one is.
  identify(ring, stimulus) {
    ring.element.remove();
    this.stops = this.stops.filter((stop) => stop !== ring);
    return this.#identified(ring.unread.place, stimulus).element;
  }

  #identified(place, stimulus) {
    return this.#card({ stimulus, outline: this.photo.reading.unread[place], how: "hand" });
  }

  #stop(element, at, press) {
    const stop = { element, at, press };
    element.addEventListener("click", press);
    element.addEventListener("focus", () => {
      this.#stopAt(stop);
      if (stop.stimulus) this.proposal.panel.point(stop.stimulus);
    });
    this.stops.push(stop);
    return stop;
  }

  // A header card and its number. Photos stored by earlier versions have no outlines of them.
  #header({ number, outline }) {
    if (!outline) return;
    const words = gettext("Header card %(number)s", { number });
    const header = draw("g", { class: "header", role: "img", "aria-label": words }, this.svg);
    draw("title", {}, header).textContent = words;
    draw("polygon", { points: listed(outline) }, header);
    const [x, y] = middle(outline);
    const size = Math.hypot(outline[0][0] - outline[2][0], outline[0][1] - outline[2][1]) / 4;
    draw("text", { x, y, "font-size": size }, header).textContent = `⚑ ${number}`;
  }

  #paper(outline) {
    const words = gettext("Paper without a readable card");
    const paper = draw("g", { class: "paper", role: "img", "aria-label": words }, this.svg);
    draw("title", {}, paper).textContent = words;
    draw("polygon", { points: listed(outline) }, paper);
  }

  // A photo is one Tab stop (roving tabindex); the arrow keys move within it.
  #stopAt(stop) {
    for (const { element } of this.stops) element.setAttribute("tabindex", -1);
    stop?.element.setAttribute("tabindex", 0);
  }

  #ring(corners, kind, words, role) {
    const [x, y] = middle(corners);
    const radius = Math.max(...corners.map((corner) => Math.hypot(corner[0] - x, corner[1] - y)));
    const ring = draw("g", { class: kind, role, "aria-label": words }, this.svg);
    draw("circle", { cx: x, cy: y, r: radius }, ring);
    draw("title", {}, ring).textContent = words;
    draw("text", { x, y, "font-size": radius }, ring).textContent = kind === "unread" ? "?" : "!";
    return ring;
  }

  redraw() {
    for (const [stimulus, { group, text, about }] of this.cards) {
      const key = this.proposal.group.get(stimulus);
      const number = key === undefined ? null : this.proposal.number(key);
      const chosen = this.proposal.chosen.has(stimulus) || this.proposal.pressed.includes(key);
      const name = `card ${number === null ? "out" : colour(number)}${chosen ? " chosen" : ""}`;
      if (group.getAttribute("class") !== name) group.setAttribute("class", name);
      group.setAttribute("aria-checked", chosen);
      group.setAttribute(
        "aria-label",
        number === null
          ? gettext("Card %(card)s, %(name)s, left out", about)
          : gettext("Card %(card)s, %(name)s, group %(number)s", { ...about, number }),
      );
      if (text.textContent !== String(number ?? "–")) text.textContent = number ?? "–";
    }
  }

  // Arrow keys move to the nearest card in that direction, with Shift they also select; Space and
  // Enter press.
  #walk(event) {
    const here = this.stops.find(({ element }) => element === event.target);
    if (!here) return;
    const enters = event.key === "Enter" && !here.stimulus;
    if (event.key === " " || enters) {
      event.preventDefault();
      // Held down, it would also choose the first card of the dialog.
      if (!event.repeat) here.press();
    }
    if (!isArrow(event.key)) return;
    event.preventDefault();
    const next = this.stops[nearest(here.at, this.stops.map(({ at }) => at), event.key)];
    if (!next) return;
    if (event.shiftKey) this.proposal.choose([here.stimulus, next.stimulus].filter(Boolean));
    next.element.focus();
  }
}
