// ranking/rank.html: how much of the window the fixed parts take, so that nothing that is chosen
// lies under them.

export class Room {
  constructor(head, foot) {
    Object.assign(this, { head, foot });
    const seen = new ResizeObserver(() => this.measure());
    seen.observe(head);
    seen.observe(foot);
    window.addEventListener("resize", () => this.measure());
    this.measure();
  }

  // Beside the images the sketch takes none of their height. An open dialog has borrowed the scale,
  // and gives it back.
  measure() {
    if (document.querySelector("dialog[open]")) return;
    const { style } = document.documentElement;
    style.setProperty("--head", `${this.isAbove ? this.head.offsetHeight : 0}px`);
    style.setProperty("--foot", `${this.isFixed ? this.foot.offsetHeight : 0}px`);
  }

  get isAbove() {
    return getComputedStyle(this.head).position === "sticky" &&
      this.head.offsetWidth > window.innerWidth / 2;
  }
  get isFixed() {
    return getComputedStyle(this.foot).position === "fixed";
  }

  // Between which heights of the window the page is seen.
  insight() {
    return {
      top: this.isAbove ? this.head.getBoundingClientRect().bottom : 0,
      bottom: this.isFixed ? this.foot.getBoundingClientRect().top : window.innerHeight,
    };
  }
}
