// ranking/rank.html: a participant's entries that the server has not saved yet.

import { EntryStore, freshKey, Outbox } from "../modules/outbox.js";
import { send } from "../modules/server.js";

const BATCH = 100;

export class Answers extends Outbox {
  // `restored` comes with the participant's list; it changes when a backup is restored.
  constructor(base, server, restored) {
    super(new EntryStore(`rank:waiting:${base}:`), BATCH);
    Object.assign(this, { server, restored });
    this.address = `${base}entries`;
    this.state = "ranking";
    // After a withdrawal nothing more is sent.
    this.addEventListener("failed", ({ detail }) => {
      if (detail.status === 410) Object.assign(this, { state: "withdrawn", isOver: true });
    });
  }

  add(entry) {
    this.put({ key: freshKey(), answered_ms: this.server.stamp(), ...entry });
  }

  // The images with entries that are not sent yet.
  places() {
    return new Set(this.entries().map((entry) => `${entry.position}/${entry.image}`));
  }

  async deliver(batch) {
    const receipt = await send(this.address, { entries: batch.map(([, entry]) => entry) });
    const refused = new Map(receipt.refused.map(({ key, reason }) => [key, reason]));
    const answered = new Set([...receipt.saved, ...refused.keys()]);
    this.state = receipt.state;
    this.isOfOther = receipt.restored !== this.restored;
    const first = batch.find(([, entry]) => refused.has(entry.key));
    if (first) this.refused = { entry: first[1], reason: refused.get(first[1].key) };
    return batch.filter(([, entry]) => answered.has(entry.key)).map(([name]) => name);
  }

  // Reported after the entry is removed from the store, since the page may then reload.
  async next() {
    await super.next();
    const { refused } = this;
    this.refused = null;
    if (refused) this.emit("refused", refused);
    if (this.isOfOther) this.emit("restored");
  }
}
