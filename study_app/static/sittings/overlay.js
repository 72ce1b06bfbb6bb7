// Record page: one photo with the outlines of its cards, their groups by number and colour, unread
// cards ringed.

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

export class Overlay {
  constructor(proposal, photo) {
    this.proposal = proposal;
    this.element = document.createElement("figure");
    this.element.className = "photo";
    const frame = Object.assign(document.createElement("div"), { className: "frame" });
    const sheet = Object.assign(document.createElement("div"), { className: "sheet" });
    sheet.style.setProperty("--aspect", photo.width / photo.height);
    const image = Object.assign(new Image(photo.width, photo.height), {
      src: photo.picture,
      alt: "Photo of the table",
      decoding: "async",
    });
    const svg = draw("svg", {
      viewBox: `0 0 ${photo.width} ${photo.height}`,
      role: "group",
      "aria-label": "Cards on the photo",
    }, sheet);
    sheet.prepend(image);
    frame.append(sheet);
    this.element.append(frame);
    Object.assign(this, { frame, sheet });
    this.cards = new Map();
    for (const header of photo.reading.headers) this.#header(svg, header);
    for (const card of photo.reading.cards) this.#card(svg, card);
    this.#stop(photo.reading.cards[0]?.stimulus);
    for (const outline of photo.reading.unread) {
      this.#ring(svg, outline, "unread", "A card that was not read");
    }
    for (const { corners, refused } of photo.reading.wrong) {
      this.#ring(svg, corners, "wrong", refused);
    }
    svg.addEventListener("keydown", (event) => this.#walk(event));
  }

  // The middle of what is seen stays where it is.
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

  #card(svg, { stimulus, outline, how }) {
    const about = this.proposal.table.cards.get(stimulus);
    const group = draw("g", {
      tabindex: -1,
      role: "checkbox",
      class: `card ${how}`,
      "data-card": stimulus,
    }, svg);
    draw("polygon", { points: outline.map((point) => point.join(",")).join(" ") }, group);
    const at = middle(outline);
    // The number stands in the corner that is uppermost in the photo, so that the sketch stays in
    // sight.
    const corner = outline.reduce((
      best,
      point,
    ) => (point[0] + point[1] < best[0] + best[1] ? point : best));
    const size = Math.hypot(outline[0][0] - outline[2][0], outline[0][1] - outline[2][1]) / 5;
    const spot = [0, 1].map((axis) => corner[axis] + (at[axis] - corner[axis]) * 0.2);
    draw("circle", { cx: spot[0], cy: spot[1], r: size * 0.8 }, group);
    const text = draw("text", { x: spot[0], y: spot[1], "font-size": size }, group);
    group.addEventListener("click", () => this.proposal.tapCard(stimulus));
    group.addEventListener("focus", () => {
      this.#stop(stimulus);
      this.proposal.panel.point(stimulus);
    });
    group.addEventListener("pointerenter", () => this.proposal.panel.point(stimulus));
    this.cards.set(stimulus, { group, text, at, label: `Card ${about.card}, ${about.name}` });
  }

  // A header card says its number; a header card of a photo from before has no place.
  #header(svg, { number, outline }) {
    if (!outline) return;
    const words = `Header card ${number}`;
    const header = draw("g", { class: "header", role: "img", "aria-label": words }, svg);
    draw("title", {}, header).textContent = words;
    draw("polygon", { points: outline.map((point) => point.join(",")).join(" ") }, header);
    const [x, y] = middle(outline);
    const size = Math.hypot(outline[0][0] - outline[2][0], outline[0][1] - outline[2][1]) / 4;
    draw("text", { x, y, "font-size": size }, header).textContent = `⚑ ${number}`;
  }

  // One stop of the tab key a photo: from there the arrows lead on.
  #stop(stimulus) {
    for (const [other, { group }] of this.cards) {
      group.setAttribute("tabindex", other === stimulus ? 0 : -1);
    }
  }

  #ring(svg, corners, kind, words) {
    const [x, y] = middle(corners);
    const radius = Math.max(...corners.map((corner) => Math.hypot(corner[0] - x, corner[1] - y)));
    const ring = draw("g", { class: kind, role: "img", "aria-label": words }, svg);
    draw("circle", { cx: x, cy: y, r: radius }, ring);
    draw("title", {}, ring).textContent = words;
    draw("text", { x, y, "font-size": radius }, ring).textContent = kind === "unread" ? "?" : "!";
  }

  redraw() {
    for (const [stimulus, { group, text, label }] of this.cards) {
      const key = this.proposal.group.get(stimulus);
      const number = key === undefined ? null : this.proposal.number(key);
      const chosen = this.proposal.chosen.has(stimulus) || this.proposal.pressed.includes(key);
      const name = `card ${number === null ? "out" : colour(number)}${chosen ? " chosen" : ""}`;
      if (group.getAttribute("class") !== name) group.setAttribute("class", name);
      group.setAttribute("aria-checked", chosen);
      group.setAttribute(
        "aria-label",
        `${label}, ${number === null ? "left out" : `group ${number}`}`,
      );
      if (text.textContent !== String(number ?? "–")) text.textContent = number ?? "–";
    }
  }

  // Arrows go to the nearest card that way; space chooses.
  #walk(event) {
    const stimulus = Number(event.target.dataset?.card);
    if (!stimulus) return;
    if (event.key === " ") {
      event.preventDefault();
      this.proposal.tapCard(stimulus);
      return;
    }
    const way =
      { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return;
    event.preventDefault();
    const here = this.cards.get(stimulus).at;
    let best = null;
    for (const { group, at } of this.cards.values()) {
      const along = (at[0] - here[0]) * way[0] + (at[1] - here[1]) * way[1];
      const aside = Math.abs((at[0] - here[0]) * way[1]) + Math.abs((at[1] - here[1]) * way[0]);
      if (along > 1 && (!best || along + 2 * aside < best.far)) {
        best = { group, far: along + 2 * aside };
      }
    }
    best?.group.focus();
  }
}
