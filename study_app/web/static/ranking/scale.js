// ranking/rank.html: the scale for the chosen image, as buttons or as a slider.

import { gettext } from "../modules/texts.js";

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "-"];
const SLIDER_STEP = 5;
const DOUBLE_TAP_MS = 300;

const hint = (key) =>
  Object.assign(document.createElement("kbd"), { textContent: key === "-" ? "−" : key });
const span = (className, textContent) =>
  Object.assign(document.createElement("span"), { className, textContent });

export class Scale {
  // `give` gets the score; null if the slider has not been moved yet.
  constructor(element, task, give) {
    Object.assign(this, { element, task, give });
    const [choices, ...beside] = task.points ? [this.buttons()] : this.slider();
    element.replaceChildren(
      span("end low", task.low_label),
      choices,
      span("end high", task.high_label),
      ...beside,
    );
    element.classList.toggle("many", task.points > 7);
    element.classList.toggle("seven", task.points === 7);
    element.style.setProperty("--points", task.points ?? 1);
    element.style.setProperty("--half", Math.ceil((task.points ?? 1) / 2));
    this.controls = [...element.querySelectorAll("button, input")];
  }

  buttons() {
    const row = document.createElement("div");
    row.className = "points";
    for (let value = 1; value <= this.task.points; value += 1) {
      const button = Object.assign(document.createElement("button"), {
        type: "button",
        textContent: value,
      });
      // Show the key if it is not the number itself.
      if (value > 9) button.append(hint(KEYS[value - 1]));
      button.setAttribute("aria-keyshortcuts", KEYS[value - 1]);
      const { points, low_label: low, high_label: high } = this.task;
      const end = { 1: low, [points]: high }[value];
      button.setAttribute(
        "aria-label",
        end
          ? gettext("Score %(score)s, %(end)s", { score: value, end })
          : gettext("Score %(score)s", { score: value }),
      );
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => {
        if (!this.isDoubleTap(value)) this.give(value);
      });
      row.append(button);
    }
    return row;
  }

  // The second tap of an accidental double tap must not score the next image.
  isDoubleTap(value) {
    const now = performance.now();
    const again = this.tapped?.value === value && now - this.tapped.at < DOUBLE_TAP_MS;
    this.tapped = { value, at: now };
    return again;
  }

  slider() {
    this.range = Object.assign(document.createElement("input"), {
      type: "range",
      min: 0,
      max: 100,
      step: "any",
    });
    this.range.setAttribute(
      "aria-label",
      // NOTE: low and high are the words at the two ends of a slider
      gettext("Score from 0, %(low)s, to 100, %(high)s", {
        low: this.task.low_label,
        high: this.task.high_label,
      }),
    );
    this.shown = document.createElement("output");
    const button = Object.assign(document.createElement("button"), {
      type: "button",
      // NOTE: button that saves the score of the slider: a verb
      textContent: gettext("Score"),
    });
    button.addEventListener("click", () => this.take());
    const taking = Object.assign(document.createElement("div"), { className: "take" });
    taking.append(this.shown, button);
    this.listen();
    return [this.range, taking];
  }

  // A tap on the slider gives the score, as does releasing it; keys move it, and Enter gives the
  // score.
  listen() {
    const { range } = this;
    range.addEventListener("input", () => this.place(Number(range.value)));
    range.addEventListener("pointerdown", () => {
      this.pressed = true;
    });
    range.addEventListener("keydown", (event) => {
      this.pressed = false;
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.take();
    });
    // A tap fires change and click, a drag may fire change only, and a tap on the thumb click only.
    range.addEventListener("change", () => {
      if (this.pressed) this.released();
    });
    range.addEventListener("click", () => this.released());
  }

  released() {
    this.pressed = false;
    if (!this.isDoubleTap("slider")) this.give(Number(this.range.value));
  }

  take() {
    this.give(this.placed ? Number(this.range.value) : null);
  }

  place(value) {
    this.placed = true;
    this.range.value = value;
    this.range.classList.remove("unplaced");
    this.shown.textContent = Math.round(value);
    this.range.setAttribute("aria-valuetext", Math.round(value));
  }

  clear() {
    this.placed = false;
    this.range.value = 50;
    this.range.classList.add("unplaced");
    this.shown.textContent = "–";
    this.range.setAttribute(
      "aria-valuetext", // NOTE: the slider has not been moved yet
      gettext("not placed yet"),
    );
  }

  // The score of a key, or null; on a slider, the ten digits are equally spaced.
  valueOf(event) {
    const key = digitOf(event);
    const at = KEYS.indexOf(key);
    if (this.task.points) return at >= 0 && at < this.task.points ? at + 1 : null;
    return /^\d$/.test(key) ? Number(key) * 100 / 9 : null;
  }

  firstKey() {
    return this.task.points ? "1" : "0";
  }
  lastKey() {
    return this.task.points ? KEYS[Math.min(this.task.points, 9) - 1] : "9";
  }

  // Move a slider by + and -; returns whether the key was one of them.
  nudge(key) {
    if (this.task.points || !["+", "-"].includes(key)) return false;
    this.place(
      Math.min(
        100,
        Math.max(0, Number(this.range.value) + (key === "+" ? SLIDER_STEP : -SLIDER_STEP)),
      ),
    );
    return true;
  }

  show(value) {
    if (this.task.points) {
      this.controls.forEach((button, at) =>
        button.setAttribute("aria-pressed", String(at + 1 === value))
      );
    } else if (value === undefined || value === null) this.clear();
    else this.place(value);
  }

  enable(enabled) {
    for (const control of this.controls) control.disabled = !enabled;
  }
}

// If digits need Shift (French keyboard), the physical key determines the digit.
function digitOf({ key, code = "" }) {
  return !/^\d$/.test(key) && /^Digit\d$/.test(code) ? code.at(-1) : key;
}
