// Record page: the conductor's events that the server does not have yet, sent one after the other.

import { freshKey, Outbox, Shelf } from "../modules/outbox.js";
import { send } from "../modules/server.js";
import { gettext } from "../modules/texts.js";

export const newId = () => freshKey(12);

export class EventQueue extends Outbox {
  // `listener` has sent(event, answer), refused(event, sentence), sentElsewhere() and changed(), and
  // revision() of the page.
  constructor(address, store, listener) {
    super(new Shelf(`sketch-study:${store}:`));
    Object.assign(this, { address, listener });
    this.addEventListener("change", () => listener.changed());
    // This tab does not send again what another tab has sent or undone.
    window.addEventListener("storage", (change) => {
      if (this.shelf.followed(change)) listener.sentElsewhere();
    });
  }

  // Why they wait, if they do.
  get held() {
    return this.failures ? this.trouble || gettext("no connection") : "";
  }

  add(route, body) {
    this.put({ route, body });
  }

  // Delete an event that neither this tab nor another has sent; returns whether it could.
  withdraw(id) {
    const found = this.shelf.all().find(([, event]) => event.body.id === id && !event.tried);
    if (!found || !this.shelf.holds(found[0])) return false;
    this.shelf.remove(found[0]);
    return true;
  }

  async deliver([[name, event]]) {
    // Stored with the event: after a reload, and in other tabs, the server may already have it.
    this.shelf.change(name, { ...event, tried: true });
    let answer;
    try {
      const body = { ...event.body, since: this.listener.revision() };
      answer = await send(`${this.address}/${event.route}`, body);
    } catch (refusal) {
      // Anything else passes: no network, a server that starts anew, a sitting to be reopened, a
      // sign-in that ended.
      if (!refusal.final) throw refusal;
      this.after = () => this.listener.refused(event, refusal.message);
      return [name];
    }
    this.after = () => this.listener.sent(event, answer);
    return [name];
  }

  // Only when the event is off the shelf, so that it is not applied twice.
  async next() {
    await super.next();
    this.after();
  }
}
