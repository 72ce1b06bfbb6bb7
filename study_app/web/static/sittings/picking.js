// Recording page: a dialog for identifying an unread card, with its enlarged picture and the missing
// cards.

import { rove } from "../modules/roving.js";
import { get } from "../modules/server.js";
import { gettext } from "../modules/texts.js";

const make = (tag, properties = {}) => Object.assign(document.createElement(tag), properties);
const SIDE_PX = 220;
const AROUND = 0.6;
const MOST_SIMILAR = 4;

// Ask which of the cards that are neither recorded nor on the photos an unread one is; returns the
// chosen card, or null.
export function ask(proposal, overlay, place) {
  const { table, shown, likely } = proposal;
  const left = table.missing.filter((card) => !proposal.group.has(card));
  const { picture, reading, width } = overlay.photo;
  const address = `${picture}/likely/${place}?photos=${shown.photos.map(({ id }) => id)}`;
  // A card may be asked about again; what failed is tried again.
  const key = `${address} ${left}`;
  likely[key] ??= get(address);
  likely[key].catch(() => delete likely[key]);
  const cards = left.map((card) => table.cards.get(card));
  return pick(cards, overlay.image, reading.unread[place], width, likely[key]);
}

// Ask in a dialog; returns the chosen card, or null. `asked` promises `likely`, the ids of cards, the
// likeliest first, or null if that is not known.
function pick(cards, image, outline, width, asked) {
  const dialog = make("dialog", { className: "pick", ariaLabel: gettext("Which card is this?") });
  const list = make("div", { className: "stimuli", hidden: !cards.length });
  list.append(...cards.map(tile));
  const beside = make("div", { className: "beside" });
  beside.append(closeUp(image, outline, width), mostSimilar(cards, asked));
  const cancel = make("button", { type: "button", textContent: gettext("Cancel") });
  const words = cards.length
    ? gettext("Choose among the cards that are not placed yet.")
    : gettext("Every card is already in a group.");
  dialog.append(
    make("h2", { textContent: gettext("Which card is this?") }),
    beside,
    make("p", { className: "quiet", textContent: words }),
    list,
    cancel,
  );
  document.getElementById("record").append(dialog);
  rove(list, "button");
  return new Promise((chosen) => {
    dialog.addEventListener("click", ({ target }) => {
      const value = target.closest("button.stimulus")?.value;
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

function tile({ id, card, name, thumbnail }) {
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
}

// The likeliest cards, as soon as they are known. They take the same room before, so that nothing
// moves under a finger; if they remain unknown, the room stays empty.
function mostSimilar(cards, asked) {
  const box = make("div", { className: "likely", ariaLive: "polite" });
  const words = make("p", { className: "quiet", textContent: gettext("Comparing sketches…") });
  box.append(words);
  asked.then(({ likely }) => {
    if (!likely || !cards.length) return words.remove();
    // Cards that were identified by hand, or not sent yet, are missing for the server.
    const missing = likely.map((id) => cards.find((card) => card.id === id)).filter(Boolean);
    words.textContent = missing.length
      ? gettext("Most similar")
      : gettext("No sketch is clearly similar.");
    const tiles = make("div", {
      className: "stimuli",
      role: "group",
      ariaLabel: words.textContent,
      hidden: !missing.length,
    });
    tiles.append(...missing.slice(0, MOST_SIMILAR).map(tile));
    box.append(tiles);
    rove(tiles, "button");
  }).catch(() => words.remove());
  return box;
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
