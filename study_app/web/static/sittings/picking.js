// Recording page: a dialog for identifying an unread card, with its enlarged picture and the missing
// cards.

import { rove } from "../modules/roving.js";
import { gettext } from "../modules/texts.js";

const make = (tag, properties = {}) => Object.assign(document.createElement(tag), properties);
const SIDE_PX = 220;
const AROUND = 0.6;

// Ask in a dialog; returns the chosen card, or null.
export function pick(cards, image, outline, width) {
  const dialog = make("dialog", { className: "pick", ariaLabel: gettext("Which card is this?") });
  const list = make("div", { className: "stimuli" });
  list.append(...cards.map(({ id, card, name, thumbnail }) => {
    const button = make("button", {
      type: "button",
      className: "stimulus",
      value: id,
      title: `${card} · ${name}`,
      ariaLabel: gettext("Card %(card)s, %(name)s", { card, name }),
      tabIndex: -1,
    });
    button.append(make("img", { src: thumbnail, alt: "", width: 72, height: 72, loading: "lazy" }));
    return button;
  }));
  const cancel = make("button", { type: "button", textContent: gettext("Cancel") });
  const words = cards.length
    ? gettext("Choose among the cards that are not placed yet.")
    : gettext("Every card is already in a group.");
  dialog.append(
    make("h2", { textContent: gettext("Which card is this?") }),
    closeUp(image, outline, width),
    make("p", { className: "quiet", textContent: words }),
    list,
    cancel,
  );
  document.getElementById("record").append(dialog);
  rove(list, "button");
  return new Promise((chosen) => {
    list.addEventListener("click", ({ target }) => {
      const value = target.closest("button")?.value;
      if (value) dialog.close(value);
    });
    cancel.addEventListener("click", () => dialog.close(""));
    dialog.addEventListener("close", () => {
      dialog.remove();
      chosen(Number(dialog.returnValue) || null);
    });
    dialog.showModal();
    list.querySelector("button")?.focus();
  });
}

// The unread card, cut out of the photo and enlarged.
function closeUp(image, outline, width) {
  const canvas = make("canvas", { width: SIDE_PX, height: SIDE_PX });
  // The card can be identified even if the photo could not be loaded.
  if (!image.naturalWidth) return canvas;
  const scale = image.naturalWidth / width;
  const [xs, ys] = [0, 1].map((axis) => outline.map((point) => point[axis] * scale));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const side = Math.max(Math.max(...xs) - left, Math.max(...ys) - top);
  const margin = side * AROUND / 2;
  const whole = side + 2 * margin;
  canvas.getContext("2d").drawImage(
    image,
    left - margin,
    top - margin,
    whole,
    whole,
    0,
    0,
    SIDE_PX,
    SIDE_PX,
  );
  return canvas;
}
