// Recording page: how the conductor corrected the groups on photos. A tab keeps it after a reload, and
// after the photos are confirmed or discarded, which may be undone.

import { remember, remembered } from "../modules/tab_memory.js";
import { isSame } from "./places.js";

const meet = (some, others) => some.some((id) => others.includes(id));

export class Corrections {
  // Each of `all` has the ids of its photos; whether they are settled, that is confirmed or discarded;
  // identified, a map of unread cards that the conductor identified: the photo of each stimulus, and its
  // place there; steps, other changes of the proposed groups, each with the ids of the photos that it
  // was made on; and counted, the number of groups on some photos.
  constructor(name) {
    this.name = name;
    // Earlier versions stored one, without the ids of its photos: those of the next proposal.
    const stored = [remembered(name) ?? []].flat();
    this.all = stored.map(({ identified, steps = [], counted = {}, ...more }) => (
      { ...more, identified: new Map(identified), steps, counted }
    ));
  }

  remember() {
    const stored = this.all.map((one) => ({ ...one, identified: [...one.identified] }));
    remember(this.name, stored);
  }

  // Those of some unread cards that were not identified as one of the cards `placed`.
  without(unread, placed) {
    const known = this.all.flatMap(({ identified }) => [...identified])
      .filter(([card]) => placed.has(card));
    return unread.filter((one) => !known.some(([, at]) => isSame(one, at)));
  }

  // Those of some photos, of which `open` are neither confirmed nor discarded now, oldest first.
  #found(ids, open) {
    return this.all.filter(({ photos = ids, settled }) => meet(photos, settled ? open : ids));
  }

  // The number of groups that the conductor counted on these photos; else nothing.
  counted(ids, open) {
    const counts = this.#found(ids, open).map(({ counted }) => counted).reverse();
    return counts.find(({ photos }) => photos === String(ids))?.groups ?? "";
  }

  // The corrections of photos, together from now on, also with photos that were discarded meanwhile. The
  // newest are changed in place, since a proposal that is shown may still add to them.
  of(ids, open) {
    const found = this.#found(ids, open);
    const newest = found.at(-1) ?? { identified: new Map(), steps: [], counted: {} };
    const earlier = found.slice(0, -1);
    // Earlier versions did not store the photos of a step.
    for (const { steps, photos = ids } of found) for (const step of steps) step.photos ??= photos;
    const photos = [...new Set([...found.flatMap(({ photos }) => photos ?? []), ...ids])];
    for (const [card, at] of earlier.flatMap(({ identified }) => [...identified])) {
      if (!newest.identified.has(card)) newest.identified.set(card, at);
    }
    newest.steps.unshift(...earlier.flatMap(({ steps }) => steps));
    Object.assign(newest, { photos, settled: false });
    this.all = [...this.all.filter((one) => !found.includes(one)), newest];
    return newest;
  }
}
