// participate/rank.html: the scale, as buttons or as a slider, for the chosen image.

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "-"];
const SLIDER_STEP = 5;
const DOUBLE_TAP_MS = 300;

export class Scale {
  constructor(element, task, give) {
    this.element = element;
    this.task = task;
    const [low, high] = [task.low_label, task.high_label].map((words) => Object.assign(document.createElement("span"), { className: "end", textContent: words }));
    this.choices = task.points ? this.buttons(give) : this.slider(give);
    element.replaceChildren(low, this.choices, high);
    element.classList.toggle("many", task.points > 7);
  }

  buttons(give) {
    const row = document.createElement("div");
    row.className = "points";
    for (let value = 1; value <= this.task.points; value += 1) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: value });
      const end = value === 1 ? `, ${this.task.low_label}` : value === this.task.points ? `, ${this.task.high_label}` : "";
      button.setAttribute("aria-label", `Score ${value}${end}`);
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => { if (!this.isDoubleTap(value)) give(value); });
      row.append(button);
    }
    return row;
  }

  // The second tap of a trembling finger is no score of the next image.
  isDoubleTap(value) {
    const now = performance.now();
    const again = this.tapped?.value === value && now - this.tapped.at < DOUBLE_TAP_MS;
    this.tapped = { value, at: now };
    return again;
  }

  slider(give) {
    const row = document.createElement("div");
    row.className = "slide";
    this.range = Object.assign(document.createElement("input"), { type: "range", min: 0, max: 100, step: 1, value: 50 });
    this.range.setAttribute("aria-label", `Score from 0, ${this.task.low_label}, to 100, ${this.task.high_label}`);
    this.shown = document.createElement("output");
    const take = Object.assign(document.createElement("button"), { type: "button", textContent: "Score" });
    this.range.addEventListener("input", () => { this.shown.textContent = this.range.value; });
    this.range.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); give(Number(this.range.value)); } });
    take.addEventListener("click", () => give(Number(this.range.value)));
    row.append(this.range, this.shown, take);
    return row;
  }

  // The score that a key stands for, or null. On a slider + and - move it and Enter in it gives it.
  valueOf(key) {
    if (this.task.points) {
      const at = KEYS.indexOf(key);
      return at >= 0 && at < this.task.points ? at + 1 : null;
    }
    const digit = "0123456789".indexOf(key);
    return digit < 0 || key === "" ? null : digit * 10 + (digit === 9 ? 10 : 0);
  }

  lastKey() { return this.task.points ? KEYS[this.task.points - 1] : "9"; }

  nudge(key) {
    if (this.task.points || !["+", "-"].includes(key)) return null;
    return Math.min(100, Math.max(0, Number(this.range.value) + (key === "+" ? SLIDER_STEP : -SLIDER_STEP)));
  }

  show(value) {
    if (this.task.points) {
      [...this.choices.children].forEach((button, at) => button.setAttribute("aria-pressed", String(at + 1 === value)));
      return;
    }
    this.range.value = value ?? 50;
    this.shown.textContent = value === undefined || value === null ? "–" : Math.round(value);
  }

  enable(enabled) {
    for (const control of this.choices.querySelectorAll("button, input")) control.disabled = !enabled;
  }
}
