// participation/rank.html: what waits to be sent. Each entry is kept in this browser until the server has said that it is safe.

import { send } from "../modules/server.js";

const BATCH = 100;
const PAUSES_MS = [500, 1000, 2000, 4000, 8000, 15000];

export function freshKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Keeps in memory what the browser will not keep (private windows, a full disk).
class Shelf {
  constructor(prefix) {
    this.prefix = prefix;
    this.memory = new Map();
    this.loose = new Set();
  }

  put(name, entry) {
    this.memory.set(name, entry);
    try { localStorage.setItem(this.prefix + name, JSON.stringify(entry)); } catch { this.loose.add(name); }
  }

  remove(name) {
    this.memory.delete(name);
    this.loose.delete(name);
    try { localStorage.removeItem(this.prefix + name); } catch { /* It was in memory only. */ }
  }

  // Every waiting entry in the order in which they were made, those of other tabs too.
  all() {
    const found = new Map(this.memory);
    try {
      for (const name of Object.keys(localStorage)) {
        if (name.startsWith(this.prefix)) found.set(name.slice(this.prefix.length), JSON.parse(localStorage.getItem(name)));
      }
    } catch { /* Memory has what this page made. */ }
    return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

export class Outbox extends EventTarget {
  constructor(base, server) {
    super();
    this.server = server;
    this.address = `${base}entries`;
    this.shelf = new Shelf(`rank:waiting:${base}:`);
    this.made = 0;
    this.failures = 0;
    this.state = "ranking";
    this.trouble = "";
    window.addEventListener("online", () => this.hurry());
  }

  add(entry) {
    this.made += 1;
    const at = this.server.stamp();
    const name = `${String(at).padStart(15, "0")}-${String(this.made).padStart(6, "0")}-${freshKey()}`;
    this.shelf.put(name, { key: freshKey(), answered_ms: at, ...entry });
    this.tell("change");
    this.hurry();
  }

  get waiting() { return this.shelf.all().length; }

  // Whether something would be lost with this page: it waits, and the browser keeps nothing.
  get isLoose() { return this.shelf.loose.size > 0; }

  entries() { return this.shelf.all().map(([, entry]) => entry); }

  places() {
    return new Set(this.entries().map((entry) => `${entry.position}/${entry.image}`));
  }

  hurry() {
    clearTimeout(this.timer);
    if (!this.sending) this.run();
  }

  async run() {
    this.sending = true;
    let again = null;
    try {
      for (let batch = this.shelf.all().slice(0, BATCH); batch.length; batch = this.shelf.all().slice(0, BATCH)) await this.deliver(batch);
    } catch (failure) {
      again = this.failed(failure);
    }
    this.sending = false;
    this.tell("change");
    if (again !== null) this.timer = setTimeout(() => this.hurry(), again);
    else if (this.waiting) this.hurry();
  }

  async deliver(batch) {
    const receipt = await send(this.address, { entries: batch.map(([, entry]) => entry) });
    const refused = new Map(receipt.refused.map(({ key, reason }) => [key, reason]));
    const answered = new Set([...receipt.saved, ...refused.keys()]);
    for (const [name, entry] of batch) if (answered.has(entry.key)) this.shelf.remove(name);
    const recovered = this.failures > 0;
    this.failures = 0;
    this.trouble = "";
    this.state = receipt.state;
    const ofHandIn = batch.find(([, entry]) => refused.has(entry.key));
    if (ofHandIn) this.tell("refused", { entry: ofHandIn[1], reason: refused.get(ofHandIn[1].key) });
    if (recovered) this.tell("recovered");
    this.tell("change");
  }

  // A refusal of the request itself is said and tried again later: nothing that waits is thrown away.
  failed(failure) {
    this.failures += 1;
    this.trouble = failure.status ? failure.message : "";
    if (failure.status === 410) { this.state = "withdrawn"; return null; }
    return PAUSES_MS[Math.min(this.failures, PAUSES_MS.length) - 1];
  }

  tell(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }
}
