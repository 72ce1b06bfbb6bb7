// Recording page, live camera: darkens the picture except for the cards that were read, and outlines
// them, since a dark table hardly gets darker.

const SVG = "http://www.w3.org/2000/svg";
const WHOLE = "M0 0H1V1H0Z";

export class Lights {
  constructor() {
    this.element = document.createElementNS(SVG, "svg");
    this.element.setAttribute("viewBox", "0 0 1 1");
    this.element.setAttribute("preserveAspectRatio", "none");
    this.element.setAttribute("aria-hidden", "true");
    this.dark = document.createElementNS(SVG, "path");
    this.read = document.createElementNS(SVG, "path");
    this.read.setAttribute("class", "read");
    this.element.append(this.dark, this.read);
    this.show([]);
  }

  // `outlines` are corners of cards, as fractions of the picture's width and height.
  show(outlines) {
    const cards = outlines.map((corners) => `M${corners.map((at) => at.join(" ")).join("L")}Z`)
      .join("");
    this.dark.setAttribute("d", WHOLE + cards);
    this.read.setAttribute("d", cards);
  }
}
