// The ranking page and the record page: what waits to be sent, kept in this browser until the
// server has it.

const PAUSES_MS = [500, 1000, 2000, 4000, 8000, 15000];

export function freshKey(bytes = 16) {
  return Array.from(
    crypto.getRandomValues(new Uint8Array(bytes)),
    (byte) => byte.toString(16).padStart(2, "0"),
  ).join("");
}

// Names sort in the order in which things were made, in every tab and through reloads, also where
// this device's clock was set back meanwhile.
function nameAfter(last) {
  const moment = Math.max(Date.now(), (Number.parseInt(last, 10) || 0) + 1);
  return `${String(moment).padStart(15, "0")}-${freshKey()}`;
}

// Entries in the browser's storage under a prefix, through a reload; in memory what it does not
// keep (private windows, a full disk).
export class Shelf {
  constructor(prefix) {
    this.prefix = prefix;
    this.memory = new Map();
    this.loose = new Set();
  }

  put(name, entry) {
    this.memory.set(name, entry);
    try {
      localStorage.setItem(this.prefix + name, JSON.stringify(entry));
    } catch {
      this.loose.add(name);
    }
  }

  // Change an entry; one that another tab has taken off the shelf is not put back.
  change(name, entry) {
    if (this.holds(name)) this.put(name, entry);
    else this.memory.set(name, entry);
  }

  // Whether a storage event says that another tab took an entry off the shelf; this tab's copy of
  // it goes too. Storage that is cleared whole names no entry: the copies stay then.
  followed({ key, newValue }) {
    return newValue === null && Boolean(key?.startsWith(this.prefix)) &&
      this.memory.delete(key.slice(this.prefix.length));
  }

  remove(name) {
    this.memory.delete(name);
    this.loose.delete(name);
    try {
      localStorage.removeItem(this.prefix + name);
    } catch { /* It was in memory only. */ }
  }

  // Every entry as [name, entry], the oldest first, those of other tabs too.
  all() {
    const found = new Map(this.memory);
    try {
      for (const name of Object.keys(localStorage)) {
        if (name.startsWith(this.prefix)) {
          found.set(name.slice(this.prefix.length), JSON.parse(localStorage.getItem(name)));
        }
      }
    } catch { /* Memory has what this page made. */ }
    return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  // Whether no other tab has taken an entry off the shelf, as it does once the entry is sent.
  holds(name) {
    try {
      return this.loose.has(name) || localStorage.getItem(this.prefix + name) !== null;
    } catch {
      return true;
    }
  }

  // Whether something would be lost with this page.
  get isLoose() {
    return this.loose.size > 0;
  }
}

// Sends what lies on a shelf, the oldest first, until nothing is left. A page says what a delivery
// is: `deliver(batch)` gets up to `most` of [name, entry] and gives the names that are settled;
// whatever it throws passes, and the same is sent again.
export class Outbox extends EventTarget {
  constructor(shelf, most = 1) {
    super();
    Object.assign(this, {
      shelf,
      most,
      failures: 0,
      signedOut: false,
      trouble: "",
      isOver: false,
    });
    window.addEventListener("online", () => this.hurry());
    window.addEventListener("beforeunload", (event) => {
      if (this.isLoose) event.preventDefault();
    });
    // Somebody who comes back to the page has perhaps signed in, or found the network.
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.waiting) this.hurry();
    });
  }

  put(entry) {
    const last = this.shelf.all().at(-1);
    const stored = this.shelf.put(nameAfter(last?.[0]), entry);
    this.tell("change");
    this.hurry();
    return stored;
  }

  get waiting() {
    return this.shelf.all().length;
  }
  get isLoose() {
    return this.shelf.isLoose;
  }
  entries() {
    return this.shelf.all().map(([, entry]) => entry);
  }

  // Send at once what waits for its next turn.
  hurry() {
    clearTimeout(this.timer);
    if (!this.sending && !this.isOver) this.run();
  }

  async run() {
    this.sending = true;
    let pause = null;
    try {
      while (this.waiting && !this.isOver) await this.next();
    } catch (failure) {
      pause = this.failed(failure);
    }
    this.sending = false;
    this.tell("change");
    if (pause !== null) this.timer = setTimeout(() => this.hurry(), pause);
    else if (this.waiting) this.hurry();
  }

  async next() {
    const settled = await this.deliver(this.shelf.all().slice(0, this.most));
    if (!settled.length) throw new Error("The server settled nothing.");
    for (const name of settled) this.shelf.remove(name);
    const recovered = this.failures > 0;
    Object.assign(this, { failures: 0, signedOut: false, trouble: "" });
    if (recovered) this.tell("recovered");
    this.tell("change");
  }

  // A refusal of the request itself is said and tried again later: nothing that waits is thrown
  // away.
  failed(failure) {
    this.failures += 1;
    this.trouble = failure.status ? failure.message : "";
    this.signedOut = failure.status === 401;
    this.tell("failed", failure);
    return PAUSES_MS[Math.min(this.failures, PAUSES_MS.length) - 1];
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
