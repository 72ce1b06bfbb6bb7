// Recording page: loads thumbnails again that could not be loaded without a connection.

export class FailedImages {
  constructor(root) {
    this.failed = new Set();
    // Failures do not bubble, but they can be captured.
    root.addEventListener("error", ({ target }) => this.failed.add(target), true);
    window.addEventListener("online", () => this.loadAgain());
  }

  loadAgain() {
    const again = [...this.failed];
    this.failed.clear();
    for (const image of again) image.setAttribute("src", image.getAttribute("src"));
  }
}
