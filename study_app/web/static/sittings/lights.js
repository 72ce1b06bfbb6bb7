// Recording page, live camera: darkens the picture except for the cards that were read, and outlines
// them, since a dark table hardly gets darker; cards that do not belong on the table stay dark, with
// another outline.

const SVG = "http://www.w3.org/2000/svg";
const WHOLE = "M0 0H1V1H0Z";
const drawn = (cards) =>
  cards.map(({ outline }) => `M${outline.map((at) => at.join(" ")).join("L")}Z`).join("");

export class Lights {
  constructor() {
    this.element = document.createElementNS(SVG, "svg");
    this.element.setAttribute("viewBox", "0 0 1 1");
    this.element.setAttribute("preserveAspectRatio", "none");
    this.element.setAttribute("aria-hidden", "true");
    this.dark = this.#path("dark");
    this.read = this.#path("read");
    this.wrong = this.#path("wrong");
    this.show([]);
  }

  #path(name) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", name);
    this.element.append(path);
    return path;
  }

  // `found` are cards with their corners as fractions of the picture's width and height; those that
  // do not belong on the table are `refused`.
  show(found) {
    const cards = drawn(found.filter(({ refused }) => !refused));
    this.dark.setAttribute("d", WHOLE + cards);
    this.read.setAttribute("d", cards);
    this.wrong.setAttribute("d", drawn(found.filter(({ refused }) => refused)));
  }
}
