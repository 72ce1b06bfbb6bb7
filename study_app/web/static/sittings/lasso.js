// Recording page: selects cards on a photo by a line drawn around them. Fingers draw only while the
// button is pressed; otherwise they scroll.

const MIN_DRAG_PX = 8;

// Whether a point lies inside a closed line: a ray from it crosses the line an odd number of times.
export function isInside([x, y], line) {
  let inside = false;
  line.forEach(([ax, ay], at) => {
    const [bx, by] = line[(at + 1) % line.length];
    if ((ay > y) !== (by > y) && x < ax + (bx - ax) * (y - ay) / (by - ay)) inside = !inside;
  });
  return inside;
}

export class Lasso {
  // `choose(line)` gets the line in the units of the drawing, `line` is the element that shows it.
  constructor(svg, line, choose) {
    Object.assign(this, { svg, line, choose, points: [], byFinger: false });
    svg.addEventListener("pointerdown", (event) => this.#begin(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    svg.addEventListener("pointerup", () => this.#end());
    svg.addEventListener("pointercancel", () => this.#drop());
    svg.addEventListener("click", (event) => {
      if (this.ended) event.stopPropagation();
      this.ended = false;
    }, true);
  }

  // Whether fingers draw instead of scrolling.
  enableTouch(draw) {
    this.byFinger = draw;
    this.svg.classList.toggle("drawn-on", draw);
  }

  #begin(event) {
    this.ended = false;
    if (event.button !== 0 || (event.pointerType === "touch" && !this.byFinger)) return;
    this.from = [event.clientX, event.clientY];
  }

  #move(event) {
    if (!this.from) return;
    const far = Math.hypot(event.clientX - this.from[0], event.clientY - this.from[1]);
    if (!this.points.length && far < MIN_DRAG_PX) return;
    if (!this.points.length) this.svg.setPointerCapture(event.pointerId);
    const at = new DOMPoint(event.clientX, event.clientY);
    const { x, y } = at.matrixTransform(this.svg.getScreenCTM().inverse());
    this.points.push([x, y]);
    this.line.setAttribute("points", this.points.map((point) => point.join(",")).join(" "));
  }

  #end() {
    const { points } = this;
    this.#drop();
    this.ended = points.length > 0;
    if (points.length > 2) this.choose(points);
  }

  #drop() {
    this.from = null;
    this.points = [];
    this.line.setAttribute("points", "");
  }
}
