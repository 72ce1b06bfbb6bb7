// Recording page: the conductor's events that the server does not have yet, sent one by one.

import { EntryStore, freshKey, Outbox } from "../modules/outbox.js";
import { send } from "../modules/server.js";

export const newId = () => freshKey(12);

export class EventQueue extends Outbox {
  // `listener` has sent(event, answer), refused(event, sentence), sentElsewhere(), changed(), and
  // revision(), the revision of the table that the page knows.
  constructor(address, store, listener) {
    super(new EntryStore(`sketch-study:${store}:`));
    Object.assign(this, { address, listener });
    this.addEventListener("change", () => listener.changed());
    // An event that another tab has sent or undone is not sent again.
    window.addEventListener("storage", (change) => {
      if (this.entryStore.removedElsewhere(change)) listener.sentElsewhere();
    });
  }

  add(route, body) {
    this.put({ route, body });
  }

  // Delete an event that neither this tab nor another has sent; returns whether it could.
  withdraw(id) {
    const found = this.entryStore.all().find(([, event]) => event.body.id === id && !event.tried);
    if (!found || !this.entryStore.has(found[0])) return false;
    this.entryStore.remove(found[0]);
    return true;
  }

  async deliver([[name, event]]) {
    // Stored with the event, because after a reload, and in other tabs, the server may have it.
    this.entryStore.change(name, { ...event, tried: true });
    let answer;
    try {
      const body = { ...event.body, since: this.listener.revision() };
      answer = await send(`${this.address}/${event.route}`, body);
    } catch (refusal) {
      // Temporary failures: no network, a server restart, a finished sitting that may be reopened,
      // an expired session.
      if (!refusal.final) throw refusal;
      this.after = () => this.listener.refused(event, refusal.message);
      return [name];
    }
    this.after = () => this.listener.sent(event, answer);
    return [name];
  }

  // Called after the event is removed from the store, so that it is not applied twice.
  async next() {
    await super.next();
    this.after();
  }
}
