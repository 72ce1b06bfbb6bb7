// Recording page: frames of a video, which the server has and reads when it is asked to.

import { send } from "../modules/server.js";
import { gettext } from "../modules/texts.js";
import { showMessage } from "./words.js";

export class Frames {
  // `failed(refusal)` is called if the server did not answer, or refused.
  constructor(table, failed) {
    Object.assign(this, { table, failed });
    // Those that show no card, of which the server's state may not know yet.
    this.empty = new Set();
  }

  // Those of some photos, also taken with a camera, that show a card or are not read yet.
  withCards(ids) {
    const { photos } = this.table.server;
    const without = photos.filter(({ read, cards }) => read && !cards).map(({ id }) => id);
    return ids.filter((id) => !this.empty.has(id) && !without.includes(id));
  }

  async read(id) {
    const { address, server } = this.table;
    const answer = await send(`${address}/photos/${id}/read`);
    const { cards } = answer.reading;
    if (!cards.length) this.empty.add(id);
    // until the next poll
    const known = server.photos.find((photo) => photo.id === id);
    if (known) Object.assign(known, { read: true, cards: cards.length });
    return answer;
  }

  // Read those of these photos that the device with the video has not read yet; it may be gone.
  // Returns whether all are read.
  async readRest(photos) {
    const left = photos.filter(({ read }) => !read);
    for (const [at, { id }] of left.entries()) {
      const frame = { number: at + 1, all: left.length };
      const words = showMessage(gettext("Frame %(number)s of %(all)s …", frame), { calm: true });
      try {
        await this.read(id);
      } catch (refusal) {
        this.failed(refusal);
        return false;
      } finally {
        words.remove();
      }
    }
    return true;
  }
}
