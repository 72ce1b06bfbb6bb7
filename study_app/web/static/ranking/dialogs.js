// ranking/rank.html: the dialogs: the enlarged image beside the sketch, and the pause.

import { forward, gettext } from "../modules/texts.js";

export class LargeView {
  // The scale is moved into the dialog, since elements under a modal dialog cannot be used.
  constructor(dialog, pictures, scale, { step, key, closed }) {
    this.dialog = dialog;
    this.scale = scale;
    const place = scale.nextElementSibling;
    dialog.addEventListener("close", () => {
      place.before(scale);
      closed();
    });
    this.pictures = pictures;
    [this.sketch, this.image] = dialog.querySelectorAll("img");
    this.caption = dialog.querySelectorAll("figcaption")[1];
    dialog.querySelector(".previous").addEventListener("click", () => step(-1));
    dialog.querySelector(".following").addEventListener("click", () => step(1));
    dialog.addEventListener("keydown", (event) => {
      const by = event.target.type === "range"
        ? 0
        : { ArrowLeft: -forward, ArrowRight: forward }[event.key];
      if (by) step(by);
      else if (!key(event)) return;
      event.preventDefault();
    });
  }

  get open() {
    return this.dialog.open;
  }

  show(sketch, image, words) {
    this.set(this.sketch, sketch);
    this.set(this.image, image);
    this.image.alt = words;
    this.caption.textContent = words;
    if (this.dialog.open) return;
    this.dialog.querySelector("form").before(this.scale);
    this.dialog.showModal();
    this.dialog.querySelector(".following").focus();
  }

  // Show the small picture until the large one is loaded.
  set(element, image) {
    if (element.dataset.image === String(image)) return;
    element.dataset.image = image;
    element.src = this.pictures.source(image);
    const large = new Image();
    large.src = this.pictures.address(image, true);
    large.decode().then(() => {
      if (element.dataset.image === String(image)) element.src = large.src;
    }, () => {});
  }
}

export class PauseView {
  constructor(dialog, page) {
    Object.assign(this, { dialog, page });
    this.words = dialog.querySelector("p");
    dialog.addEventListener("close", () => {
      page.clock.pause(false);
      page.focusChosen();
    });
  }

  show(words = gettext("Rest your eyes.")) {
    const { clock, limit, outbox } = this.page;
    const saving = outbox.waiting
      ? gettext(
        "Keep this page open until everything is saved: some scores have not been sent yet.",
      )
      : gettext(
        "Everything is saved. You can also close this page and return to the same address later.",
      );
    this.words.textContent = [words, saving, limit.isSet ? gettext("The timer keeps running.") : ""]
      .filter(
        Boolean,
      ).join(" ");
    clock.pause(true);
    this.dialog.showModal();
  }
}
