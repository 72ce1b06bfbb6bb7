// Record page: acts that wait to be sent, kept in the browser until the server has them.

import { send } from "../modules/server.js";

const RETRY_MS = 2000;

export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Queue {
  // `told` gets sent(act, answer), refused(act, sentence) and changed() as things happen.
  constructor(address, store, told) {
    this.address = address;
    this.told = told;
    this.prefix = `sketch-study:${store}:`;
    this.held = "";
    this.sending = null;
    this.acts = this.#kept();
    window.addEventListener("online", () => this.flush());
  }

  // Acts that a closed or reloaded page left behind, oldest first.
  #kept() {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(this.prefix)).sort();
    return names.map((name) => ({ name, ...JSON.parse(localStorage.getItem(name)) }));
  }

  add(route, body) {
    const name = `${this.prefix}${String(Date.now()).padStart(15, "0")}-${String(this.acts.length).padStart(4, "0")}-${body.id}`;
    const act = { name, route, body };
    this.acts.push(act);
    try { localStorage.setItem(name, JSON.stringify({ route, body })); } catch { /* full or forbidden: it is in memory */ }
    this.told.changed();
    this.flush();
  }

  // Take back an act that never left the page; says whether it could.
  withdraw(id) {
    const act = this.acts.find((waiting) => waiting.body.id === id && waiting !== this.sending && !waiting.tried);
    if (act) this.#drop(act);
    return Boolean(act);
  }

  #drop(act) {
    this.acts = this.acts.filter((waiting) => waiting !== act);
    localStorage.removeItem(act.name);
  }

  // Send what waits, one after the other: the order is what the conductor did.
  async flush() {
    if (this.sending) return;
    clearTimeout(this.timer);
    while (this.acts.length) {
      const act = this.sending = this.acts[0];
      act.tried = true;
      let answer;
      try {
        answer = await send(`${this.address}/${act.route}`, act.body);
      } catch (refusal) {
        this.sending = null;
        if (refusal.final) {
          this.#drop(act);
          this.told.refused(act, refusal.message);
          continue;
        }
        // Anything else passes: no network, a server that starts anew, a sitting to be reopened, a sign-in that ended.
        this.held = refusal.status ? refusal.message : "no connection";
        this.signedOut = refusal.status === 401;
        this.told.changed();
        this.timer = setTimeout(() => this.flush(), RETRY_MS);
        return;
      }
      this.sending = null;
      this.held = "";
      this.signedOut = false;
      this.#drop(act);
      this.told.sent(act, answer);
    }
    this.told.changed();
  }
}
