// Recording page: input from a hand scanner, wherever the focus is, and the conductor's shortcuts.

const FAST_MS = 60;
const CODE_DIGITS = 14;
const WHOLE_CODE = /^\d{14}$/;

// The digits of the pressed keys, whatever the keyboard layout. A code may have spaces, but two numbers
// are not one.
function digitsOf(keys) {
  const pressed = keys.filter(({ key }) => key !== " ");
  if (pressed.length < Math.min(keys.length, CODE_DIGITS)) return null;
  const digits = pressed.map(({ key, code }) =>
    /^(?:Digit|Numpad)(\d)$/.exec(code || "")?.[1] ?? (/^\d$/.test(key) ? key : null)
  );
  return digits.includes(null) ? null : digits.join("");
}

// Elements that use keys themselves: there, only input at the speed of a scanner is a scan.
const inField = (element) =>
  element.closest?.("input:not([type=file]), textarea, select, [data-own-keys]");

export class Scanner {
  // `listener.line(text, digits, scanned)` gets every line that was typed or scanned,
  // `listener.key(name)` the shortcuts.
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
    // The time of the key press, not the time at which a busy page handles it.
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
    // It presses a button.
    if (!field && !this.keys.length && event.key === " ") return;
    this.keys.push({ key: event.key, code: event.code, at: now });
  }

  // In a field, only a line typed at the speed of a scanner is a scan; elsewhere, any line is.
  #enter(event, field) {
    const keys = this.keys;
    this.keys = [];
    const scanned = keys.length >= CODE_DIGITS - 2 &&
      keys[keys.length - 1].at - keys[0].at < FAST_MS * keys.length;
    // A code that was typed slowly is complete in its field; its last digits alone are not a scan.
    const slow = field && keys.length < CODE_DIGITS && WHOLE_CODE.test(field.value);
    if (!keys.length || slow || (field && !scanned)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (field && "value" in field && this.before?.field === field) field.value = this.before.value;
    this.listener.line(keys.map(({ key }) => key).join(""), digitsOf(keys), scanned);
  }
}
