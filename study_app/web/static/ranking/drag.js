// ranking/rank.html: dragging an image in the review, with the mouse, or with a finger after a long
// press.

const HOLD_MS = 250;
const SLACK_PX = 6;
const EDGE_PX = 48;
const SCROLL_PX = 10;

export class Drag {
  // `visibleRange()` returns the top and bottom of the visible part of the page; `over` and `dropped`
  // get the pointer event.
  constructor(element, { visibleRange, over, dropped }) {
    Object.assign(this, { element, visibleRange, over, dropped });
    this.at = null;
    this.moved = false;
    element.addEventListener("pointerdown", (event) => this.press(event));
    // While a finger drags, the page must not scroll.
    element.addEventListener("touchmove", (event) => {
      if (this.at?.begun) event.preventDefault();
    }, { passive: false });
    element.addEventListener("contextmenu", (event) => {
      if (this.at) event.preventDefault();
    });
    for (const kind of ["pointermove", "pointerup", "pointercancel"]) {
      window.addEventListener(kind, (event) => this.follow(event));
    }
  }

  press(event) {
    const card = event.target.closest(".stimulus");
    if (!card || event.button || this.at) return;
    const { pointerId: id, clientX: x, clientY: y } = event;
    this.at = {
      card,
      id,
      x,
      y,
      now: { clientX: x, clientY: y },
      from: [window.scrollX, window.scrollY],
      begun: false,
    };
    this.moved = false;
    this.held = event.pointerType === "touch" ? setTimeout(() => this.begin(), HOLD_MS) : null;
  }

  begin() {
    this.at.begun = true;
    this.moved = true;
    this.at.card.classList.add("dragged");
    this.scroll();
  }

  follow(event) {
    if (event.pointerId !== this.at?.id) return;
    if (event.type !== "pointermove") {
      this.end(event.type === "pointerup" ? event : null);
      return;
    }
    const far = Math.hypot(event.clientX - this.at.x, event.clientY - this.at.y) > SLACK_PX;
    if (!this.at.begun && far && this.held !== null) {
      this.end(null);
      return;
    }
    if (!this.at.begun && far) this.begin();
    this.at.now = event;
    if (this.at.begun) this.show();
  }

  show() {
    const { card, x, y, now, from } = this.at;
    card.style.setProperty(
      "transform",
      `translate(${now.clientX - x + window.scrollX - from[0]}px, ${
        now.clientY - y + window.scrollY - from[1]
      }px)`,
    );
    this.over(now);
  }

  // Scroll at the edges of the visible part, so that an image can be dragged to every score on a small
  // screen.
  scroll() {
    if (!this.at?.begun) return;
    const { top, bottom } = this.visibleRange();
    const all = this.element.getBoundingClientRect();
    const { clientY } = this.at.now;
    const up = clientY < top + EDGE_PX && all.top < top;
    const down = clientY > bottom - EDGE_PX && all.bottom > bottom;
    if (up || down) {
      window.scrollBy(0, up ? -SCROLL_PX : SCROLL_PX);
      this.show();
    }
    requestAnimationFrame(() => this.scroll());
  }

  end(event) {
    clearTimeout(this.held);
    const { card, begun } = this.at;
    this.at = null;
    card.classList.remove("dragged");
    card.style.removeProperty("transform");
    this.over(null);
    if (begun && event) this.dropped(card, event);
  }
}
