// Record page: what a hand scanner types, wherever the focus is, and the keys of the conductor.

const FAST_MS = 60;
const CODE_DIGITS = 14;
const WHOLE_CODE = /^\d{14}$/;

// The digits of the keys that were pressed, whatever letters the keyboard layout made of them.
function digitsOf(keys) {
  const digits = keys.map(({ key, code }) =>
    /^(?:Digit|Numpad)(\d)$/.exec(code || "")?.[1] ?? (/^\d$/.test(key) ? key : null)
  );
  return digits.includes(null) ? null : digits.join("");
}

// Where keys have a meaning of their own, only what is as fast as a scanner is a scan.
const inField = (element) =>
  element.closest?.("input:not([type=file]), textarea, select, [data-own-keys]");

export class Scanner {
  // `listener.line(text, digits)` gets every line that was typed, `listener.key(name)` the
  // conductor's keys.
  constructor(listener) {
    this.listener = listener;
    this.keys = [];
    document.addEventListener("keydown", (event) => this.#press(event), true);
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const field = inField(event.target);
    if (event.key === "Enter") {
      this.#enter(event, field);
      return;
    }
    if (event.key.length !== 1 && event.key !== "Dead") {
      if (event.key !== "Shift") this.keys = [];
      return;
    }
    // When the key was pressed, not when a busy page came to it.
    const now = event.timeStamp;
    const last = this.keys[this.keys.length - 1];
    if (field ? last && now - last.at > FAST_MS : last && now - last.at > 3000) this.keys = [];
    if (
      !field && !this.keys.length && /^[nz]$/i.test(event.key) &&
      !document.querySelector("dialog[open]")
    ) {
      event.preventDefault();
      this.listener.key(event.key.toLowerCase());
      return;
    }
    if (!this.keys.length && field) this.before = { field, value: field.value };
    if (!field && event.key === " ") return;
    this.keys.push({ key: event.key, code: event.code, at: now });
  }

  // In a field only what came as fast as a scanner types is a scan; elsewhere any line is.
  #enter(event, field) {
    const keys = this.keys;
    this.keys = [];
    const scanned = keys.length >= CODE_DIGITS - 2 &&
      keys[keys.length - 1].at - keys[0].at < FAST_MS * keys.length;
    // A code that came too slowly stands whole in its field; its last digits alone are no scan.
    const slow = field && keys.length < CODE_DIGITS && WHOLE_CODE.test(field.value);
    if (!keys.length || slow || (field && !scanned)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (field && "value" in field && this.before?.field === field) field.value = this.before.value;
    this.listener.line(keys.map(({ key }) => key).join(""), digitsOf(keys), scanned);
  }
}
