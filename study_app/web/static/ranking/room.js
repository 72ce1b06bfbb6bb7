// ranking/rank.html: measures how much of the window the fixed parts cover, so that the chosen image
// is never hidden under them.

export class Room {
  constructor(head, foot) {
    Object.assign(this, { head, foot });
    const seen = new ResizeObserver(() => this.measure());
    seen.observe(head);
    seen.observe(foot);
    window.addEventListener("resize", () => this.measure());
    this.measure();
  }

  // A sketch beside the images covers none of their height. While a dialog is open, the scale is in
  // it, so nothing is measured.
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

  // The top and bottom of the part of the window that is not covered.
  visibleRange() {
    return {
      top: this.isAbove ? this.head.getBoundingClientRect().bottom : 0,
      bottom: this.isFixed ? this.foot.getBoundingClientRect().top : window.innerHeight,
    };
  }
}
