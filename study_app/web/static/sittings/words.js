// Recording page: messages for the conductor, a sound, and the colours of groups.

import { gettext, ngettext } from "../modules/texts.js";

// The CSS class of a group, as in study_app/web/shared/group_classes.py: after 12 groups the colours
// repeat, with a pattern.
const COLOURS = 12;
export const colour = (number) =>
  `g${((number - 1) % COLOURS) + 1}${number > COLOURS ? " again" : ""}`;

export const cardsOf = (count) => ngettext("%(num)s card", "%(num)s cards", count);

export function setText(element, words) {
  if (element.textContent !== String(words)) element.textContent = words;
}

// Show a message above the groups, newest first, with the picture of its card and buttons; returns its
// element.
export function showMessage(
  words,
  { card, actions = [], calm = false, leave = gettext("Dismiss") } = {},
) {
  const box = document.getElementById("messages");
  const line = document.createElement("div");
  line.className = calm ? "notice" : "refusal";
  line.append(...lineOf(words, card));
  for (const [label, action] of [...actions, [leave, () => {}]]) {
    const button = Object.assign(document.createElement("button"), {
      type: "button",
      textContent: label,
    });
    button.addEventListener("click", () => {
      line.remove();
      // not the next message's button, which a hand scanner's Enter would press
      box.focus({ preventScroll: true });
      action();
    });
    line.append(button);
  }
  show(box, line, calm);
  return line;
}

// The elements of a message: the picture of its card, if any, and the text.
export function lineOf(words, card) {
  const text = Object.assign(document.createElement("p"), { textContent: words });
  if (!card) return [text];
  const picture = Object.assign(document.createElement("span"), { className: "stimulus" });
  picture.append(Object.assign(new Image(72, 72), { src: card, alt: "" }));
  return [picture, text];
}

function show(box, line, calm) {
  // The same words again take the place of the earlier ones.
  [...box.children].find((other) => other.isEqualNode(line))?.remove();
  box.prepend(line);
  while (box.children.length > 4) box.lastElementChild.remove();
  if (calm) setTimeout(() => line.remove(), 6000);
}

let sound;

// A beep: high for a card that was recorded, low for one that was not. Browsers play it only after
// the page was touched.
export function beep(good) {
  try {
    sound ||= new AudioContext();
    const tone = sound.createOscillator();
    const loudness = sound.createGain();
    tone.frequency.value = good ? 1320 : 220;
    loudness.gain.setValueAtTime(0.15, sound.currentTime);
    loudness.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + (good ? 0.12 : 0.35));
    tone.connect(loudness).connect(sound.destination);
    tone.start();
    tone.stop(sound.currentTime + 0.4);
  } catch { /* no sound on this machine */ }
}
