// Record page: acts of the conductor that the server does not have yet, sent one after the other.

import { freshKey, Outbox, Shelf } from "../modules/outbox.js";
import { send } from "../modules/server.js";
import { gettext } from "../modules/texts.js";

export const newId = () => freshKey(12);

export class Acts extends Outbox {
  // `told` gets sent(act, answer), refused(act, sentence), sentElsewhere() and changed() as things
  // happen, and gives the revision that the page knows.
  constructor(address, store, told) {
    super(new Shelf(`sketch-study:${store}:`));
    Object.assign(this, { address, told });
    this.addEventListener("change", () => told.changed());
    // What another tab has sent or taken back, this one does not send again.
    window.addEventListener("storage", (event) => {
      if (this.shelf.followed(event)) told.sentElsewhere();
    });
  }

  get acts() {
    return this.entries();
  }

  // Why they wait, if they do.
  get held() {
    return this.failures ? this.trouble || gettext("no connection") : "";
  }

  add(route, body) {
    this.put({ route, body });
  }

  // Take back an act that neither this tab nor another has sent; says whether it could.
  withdraw(id) {
    const found = this.shelf.all().find(([, act]) => act.body.id === id && !act.tried);
    if (!found || !this.shelf.holds(found[0])) return false;
    this.shelf.remove(found[0]);
    return true;
  }

  async deliver([[name, act]]) {
    // Kept with the act: after a reload, and in another tab, it is known that the server may have
    // it.
    this.shelf.change(name, { ...act, tried: true });
    let answer;
    try {
      const body = { ...act.body, since: this.told.revision() };
      answer = await send(`${this.address}/${act.route}`, body);
    } catch (refusal) {
      // Anything else passes: no network, a server that starts anew, a sitting to be reopened, a
      // sign-in that ended.
      if (!refusal.final) throw refusal;
      this.after = () => this.told.refused(act, refusal.message);
      return [name];
    }
    this.after = () => this.told.sent(act, answer);
    return [name];
  }

  // Said once the act is off the shelf, so that it is not folded over an answer that holds it
  // already.
  async next() {
    await super.next();
    this.after();
  }
}
