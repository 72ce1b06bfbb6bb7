// Ranking page and recording page: entries are stored in this browser until the server has them.

const PAUSES_MS = [500, 1000, 2000, 4000, 8000, 15000];

export function freshKey(bytes = 16) {
  return Array.from(
    crypto.getRandomValues(new Uint8Array(bytes)),
    (byte) => byte.toString(16).padStart(2, "0"),
  ).join("");
}

// Names sort by creation, in every tab and after reloads, even if this device's clock was set back.
function nameAfter(last) {
  const moment = Math.max(Date.now(), (Number.parseInt(last, 10) || 0) + 1);
  return `${String(moment).padStart(15, "0")}-${freshKey()}`;
}

// Entries in the browser's storage, under a prefix; in memory if they cannot be stored there
// (private windows, a full disk).
export class EntryStore {
  constructor(prefix) {
    this.prefix = prefix;
    this.memory = new Map();
    this.unstored = new Set();
  }

  put(name, entry) {
    this.memory.set(name, entry);
    try {
      localStorage.setItem(this.prefix + name, JSON.stringify(entry));
    } catch {
      this.unstored.add(name);
    }
  }

  // Change an entry; one that another tab has removed is not stored again.
  change(name, entry) {
    if (this.has(name)) this.put(name, entry);
    else this.memory.set(name, entry);
  }

  // Whether a storage event reports that another tab removed an entry; if so, this tab's copy is
  // deleted. When the whole storage is cleared, the event names no entry, and the copies stay.
  removedElsewhere({ key, newValue }) {
    return newValue === null && Boolean(key?.startsWith(this.prefix)) &&
      this.memory.delete(key.slice(this.prefix.length));
  }

  remove(name) {
    this.memory.delete(name);
    this.unstored.delete(name);
    try {
      localStorage.removeItem(this.prefix + name);
    } catch { /* It was in memory only. */ }
  }

  // Every entry as [name, entry], oldest first, including those of other tabs.
  all() {
    const found = new Map(this.memory);
    try {
      for (const name of Object.keys(localStorage)) {
        if (name.startsWith(this.prefix)) {
          found.set(name.slice(this.prefix.length), JSON.parse(localStorage.getItem(name)));
        }
      }
    } catch { /* The entries of this page are in memory. */ }
    return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  // Whether an entry is still stored: a tab that has sent it removes it.
  has(name) {
    try {
      return this.unstored.has(name) || localStorage.getItem(this.prefix + name) !== null;
    } catch {
      return true;
    }
  }

  // Whether closing this page would lose an entry.
  get hasUnstored() {
    return this.unstored.size > 0;
  }
}

// Sends the entries of a store, oldest first, until none is left. Subclasses define
// `deliver(batch)`: it gets up to `most` [name, entry] pairs and returns the names that need not be
// sent again; if it throws, the same entries are sent again later.
export class Outbox extends EventTarget {
  constructor(entryStore, most = 1) {
    super();
    Object.assign(this, {
      entryStore,
      most,
      failures: 0,
      signedOut: false,
      trouble: "",
      isOver: false,
    });
    window.addEventListener("online", () => this.sendNow());
    window.addEventListener("beforeunload", (event) => {
      if (this.hasUnstored) event.preventDefault();
    });
    // On return to the page, the user may have signed in or the network may be back.
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.waiting) this.sendNow();
    });
  }

  put(entry) {
    const last = this.entryStore.all().at(-1);
    const stored = this.entryStore.put(nameAfter(last?.[0]), entry);
    this.emit("change");
    this.sendNow();
    return stored;
  }

  get waiting() {
    return this.entryStore.all().length;
  }
  get hasUnstored() {
    return this.entryStore.hasUnstored;
  }
  entries() {
    return this.entryStore.all().map(([, entry]) => entry);
  }

  // Send waiting entries now, without waiting for the next try.
  sendNow() {
    clearTimeout(this.timer);
    if (!this.sending && !this.isOver) this.run();
  }

  // Wait until every entry is sent, or until sending fails.
  async emptied() {
    const { failures } = this;
    this.sendNow();
    while (this.waiting && !this.isOver && this.failures <= failures) {
      await new Promise((resume) => this.addEventListener("change", resume, { once: true }));
    }
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
    this.emit("change");
    if (pause !== null) this.timer = setTimeout(() => this.sendNow(), pause);
    else if (this.waiting) this.sendNow();
  }

  async next() {
    const delivered = await this.deliver(this.entryStore.all().slice(0, this.most));
    if (!delivered.length) throw new Error("The server answered no entry.");
    for (const name of delivered) this.entryStore.remove(name);
    const recovered = this.failures > 0;
    Object.assign(this, { failures: 0, signedOut: false, trouble: "" });
    if (recovered) this.emit("recovered");
    this.emit("change");
  }

  // A refusal of the whole request is reported and tried again later; no entry is discarded.
  failed(failure) {
    this.failures += 1;
    this.trouble = failure.status ? failure.message : "";
    this.signedOut = failure.status === 401;
    this.emit("failed", failure);
    return PAUSES_MS[Math.min(this.failures, PAUSES_MS.length) - 1];
  }

  emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
