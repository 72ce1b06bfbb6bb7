// Recording page: groups proposed over photos; the conductor splits, merges, moves, and confirms.

import { newId } from "./event_queue.js";
import { Overlay } from "./overlay.js";
import { Panel } from "./panel.js";
import { isSame, showing } from "./places.js";
import { press } from "./shortcuts.js";

export class Proposal {
  // `shown` has photos, groups [{ key, cards, header }], unread [{ photo, place, key, elsewhere }],
  // found (see FoundList), kept, cards that stay in another group than the photos show, identified, a
  // map of unread cards that the conductor identified before, steps, what the conductor changed before
  // (see #put), recount(groups), which proposes that many groups, without(photo), which proposes the
  // groups on the other photos, changed(), called after each change, and settled(), called when nothing
  // is left to confirm.
  constructor(table, box, shown) {
    Object.assign(this, { table, box, shown });
    this.group = new Map();
    this.placedThen = new Map(table.placed);
    for (const { key, cards } of shown.groups) for (const card of cards) this.group.set(card, key);
    this.keys = shown.groups.map(({ key }) => key);
    this.headers = new Map(
      shown.groups.filter(({ header }) => header).map(({ key, header }) => [key, header]),
    );
    // Groups that the photos do not show.
    this.unseen = shown.groups.filter(({ cards }) =>
      cards.every((card) => shown.kept?.includes(card))
    )
      .map(({ key }) => key);
    this.chosen = new Set();
    this.pressed = [];
    this.at = 0;
    this.unread = shown.unread ?? [];
    this.likely = {};
    this.identified = shown.identified ?? new Map();
    // Identified cards on the photos: { photo, place, key, card }.
    this.byHand = [];
    // Cards of which the conductor said in which group they are, on one of these photos.
    this.decided = new Set();
    for (const [card, at] of this.identified) {
      if (showing(shown.photos, null, at).length) this.decided.add(card);
      const ringed = this.unread.find((one) => isSame(one, at));
      if (ringed && !this.group.has(card) && !table.placed.has(card)) {
        this.byHand.push({ ...ringed, card });
        this.#enter(card, ringed);
      }
    }
    this.steps = shown.steps ?? [];
    this.#repeatAll();
    this.#count();
  }

  // Photos may have been discarded, and others taken, since a step: it is about those it was made on.
  #repeatAll() {
    const on = new Map();
    for (const card of this.group.keys()) {
      const unread = this.byHand.find((one) => one.card === card);
      on.set(card, showing(this.shown.photos, card, unread));
    }
    for (const { cards, mates, photos } of this.steps) {
      const isOn = (card) => on.get(card)?.some((id) => photos.includes(id));
      const beside = mates?.filter(isOn);
      if (!mates?.length || beside.length) this.#repeat(cards.filter(isOn), beside);
    }
  }

  #note(cards, mates) {
    this.steps.push({ cards, mates, photos: this.shown.photos.map(({ id }) => id) });
    for (const card of cards) this.decided.add(card);
  }

  // Put cards into a group, and note beside which cards they then are, so that they stay with them if
  // the groups are proposed again: none in a new group.
  #put(cards, key) {
    const mates = this.cards(key).filter((card) => !cards.includes(card));
    this.#note(cards, mates);
    for (const card of cards) this.#join(card, key);
  }

  // Change proposed groups as the conductor did; without mates, the cards were left out.
  #repeat(cards, mates) {
    for (const card of cards) this.decided.add(card);
    if (!mates) {
      for (const card of cards) this.group.delete(card);
      return;
    }
    const beside = mates.map((card) => this.group.get(card)).filter(Boolean);
    if (mates.length && !beside.length) return;
    const count = (key) => beside.filter((other) => other === key).length;
    const key = beside.length
      ? [...beside].sort((one, other) => count(other) - count(one))[0]
      : `new-${newId()}`;
    for (const card of cards) this.#join(card, key);
  }

  // Whether the conductor said in which group a card is.
  isDecided(card) {
    return this.decided.has(card);
  }

  // Another tablet may have moved cards since this was proposed: whether one is now in another group
  // than it was then, and than it is proposed for.
  get isOutdated() {
    return [...this.group].some(([card, key]) => {
      const now = this.table.placed.get(card);
      return now !== this.placedThen.get(card) && now !== key && !this.isDecided(card);
    });
  }

  // Take the place of an earlier proposal of the same photos.
  resume({ at, chosen }) {
    this.at = at;
    for (const card of chosen) if (this.group.has(card)) this.chosen.add(card);
  }

  // Cards on photos confirmed earlier are shown in the groups that they are in now.
  follow() {
    for (const card of this.group.keys()) {
      const now = this.table.placed.get(card);
      if (now && !this.isDecided(card)) this.#join(card, now);
    }
  }

  #join(card, key) {
    if (!this.keys.includes(key)) this.keys.push(key);
    this.group.set(card, key);
  }

  // Put a card that was not read into the group beside it.
  #enter(card, { photo, place, key }) {
    this.unread = this.unread.filter((one) => one.photo !== photo || one.place !== place);
    const into = this.keys.includes(key) ? key : `new-${newId()}`;
    if (into !== key) this.keys.push(into);
    this.group.set(card, into);
  }

  // Recorded groups keep their numbers; the others get the numbers that the server will give them in
  // this order.
  #count() {
    const size = new Map();
    for (const key of this.group.values()) size.set(key, (size.get(key) || 0) + 1);
    this.keys = this.keys.filter((key) => size.has(key));
    const taken = this.table.takenNumbers(this.keys);
    this.numbers = new Map(this.keys.map((key) => {
      const number = this.table.group(key)?.number ?? this.table.nextNumber(key, taken);
      taken.push(number);
      return [key, number];
    }));
    this.size = size;
  }

  number(key) {
    return this.numbers.get(key);
  }

  // The number of groups that the conductor sees.
  get seen() {
    return this.keys.filter((key) => !this.unseen.includes(key)).length;
  }

  cards(key) {
    return [...this.group].filter(([, other]) => other === key).map(([card]) => card);
  }

  get unsettled() {
    return this.table.open && this.shown.photos.some((photo) => !photo.settled);
  }

  // Whether there is something to confirm: an unconfirmed photo, or a card moved on an earlier one.
  get confirmable() {
    const changed = [...this.group].some(([card, key]) => this.table.placed.get(card) !== key);
    return this.table.open && this.keys.length > 0 && (this.unsettled || changed);
  }

  draw() {
    const { box } = this;
    const hadFocus = box.contains(document.activeElement);
    box.hidden = false;
    box.dataset.ownKeys = "";
    this.overlays = this.shown.photos.map((photo) => new Overlay(this, photo));
    this.panel = new Panel(this);
    const photos = Object.assign(document.createElement("div"), { className: "photos" });
    photos.append(...this.overlays.map((overlay) => overlay.element));
    box.replaceChildren(photos, this.panel.element);
    box.onkeydown = (event) => press(this, event);
    this.turn(this.at);
    if (hadFocus) box.focus({ preventScroll: true });
  }

  // Only one of several photos is shown, so that the buttons stay on the screen.
  turn(at) {
    const count = this.overlays.length;
    this.at = (at + count) % count;
    for (const [index, { element }] of this.overlays.entries()) element.hidden = index !== this.at;
    this.redraw();
  }

  get overlay() {
    return this.overlays[this.at];
  }

  // An unread card is ringed once, on the photo that shows it best.
  unreadOn(photo) {
    return this.unread.filter((card) => card.photo === photo.id);
  }

  byHandOn(photo) {
    return this.byHand.filter((card) => card.photo === photo.id);
  }

  // What takes the place of this proposal, if anything.
  get latest() {
    return this.next?.latest ?? this;
  }

  // Take the chosen card, if any, for an unread one, if that is still ringed.
  answered(unread, card) {
    const rings = this.box.hidden ? [] : this.overlays.map((overlay) => overlay.ringOf(unread));
    const ring = rings.find(Boolean);
    if (!ring || !card || !this.table.open || this.group.has(card)) {
      (ring?.element ?? this.box).focus();
      return;
    }
    const shown = this.overlays[rings.indexOf(ring)].identify(ring, card);
    this.identify(card, ring.unread);
    shown.focus();
  }

  identify(card, unread) {
    // The group beside the card may have been merged into another one.
    const [into] = this.keys.includes(unread.key) ? [] : this.panel.found.now(unread.key)[0] ?? [];
    this.identified.set(card, unread);
    this.byHand.push({ ...unread, card });
    this.decided.add(card);
    // It may have been left out before, as another unread card.
    for (const step of this.steps) {
      if (!step.mates) step.cards = step.cards.filter((one) => one !== card);
    }
    this.#enter(card, unread);
    if (into) this.#put([card], into);
    this.redraw();
  }

  assign(cards, key) {
    this.#put(cards, key);
    this.redraw();
  }

  choose(cards) {
    if (!this.table.open) return;
    for (const card of cards) this.chosen.add(card);
    this.redraw();
  }

  redraw() {
    this.#count();
    this.pressed = this.pressed.filter((key) => this.keys.includes(key));
    for (const overlay of this.overlays) overlay.redraw();
    this.panel.redraw();
    this.shown.changed?.();
  }

  tapCard(card) {
    if (!this.table.open) return;
    if (!this.chosen.delete(card)) this.chosen.add(card);
    this.redraw();
  }

  tapGroup(key) {
    if (this.chosen.size) {
      this.move(key);
      return;
    }
    this.pressed = this.pressed.includes(key)
      ? this.pressed.filter((other) => other !== key)
      : [...this.pressed, key];
    this.redraw();
    this.panel.focus(key);
  }

  move(key) {
    if (!this.chosen.size) return;
    this.#put([...this.chosen], key);
    this.chosen.clear();
    this.redraw();
  }

  split() {
    this.move(`new-${newId()}`);
  }

  deselect() {
    this.chosen.clear();
    this.pressed = [];
    this.redraw();
  }

  // Leave out cards; those that the conductor identified are unread again.
  leaveOut() {
    const again = this.byHand.filter(({ card }) => this.chosen.has(card));
    const others = [...this.chosen].filter((card) => !again.some((one) => one.card === card));
    if (others.length) this.#note(others, null);
    for (const card of this.chosen) this.group.delete(card);
    for (const { card } of again) {
      this.identified.delete(card);
      this.decided.delete(card);
    }
    this.byHand = this.byHand.filter((one) => !again.includes(one));
    this.unread.push(...again);
    this.chosen.clear();
    this[again.length ? "draw" : "redraw"]();
  }

  merge() {
    const [into, ...others] = this.pressed;
    this.#put(others.flatMap((key) => this.cards(key)), into);
    this.pressed = [];
    this.redraw();
  }

  confirm() {
    const placements = this.keys.map((key) => ({ key, cards: this.cards(key) }));
    this.table.record("confirm", placements, {
      photos: this.shown.photos.map((photo) => photo.id),
      by_hand: [...this.group.keys()].filter((card) => this.isDecided(card)),
    });
    this.close();
  }

  // Discard the photo that is shown.
  setOneAside() {
    const { id } = this.overlay.photo;
    this.table.setAside([id]);
    this.shown.without(id);
  }

  setAside() {
    this.table.setAside(this.shown.photos.map((photo) => photo.id));
    this.close();
  }

  close() {
    const hadFocus = this.box.contains(document.activeElement);
    this.box.hidden = true;
    this.box.replaceChildren();
    if (hadFocus) document.getElementById("steps").focus({ preventScroll: true });
    this.shown.settled?.();
    this.table.listener.changed();
  }
}
