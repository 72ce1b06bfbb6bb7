// Recording page: the state of the table, as the server has it, with the waiting events applied.

import { get } from "../modules/server.js";
import { remember, remembered } from "../modules/tab_memory.js";
import { EventQueue, newId } from "./event_queue.js";

const POLL_MS = 1500;
// Events of this page that Undo prefers to those of other tablets.
const OWN_EVENTS = 50;
// As many as the server sends.
const EVENTS_KNOWN = 10;
const EMPTY = { name: "", note: "", cards: [], free: false };

export class Table {
  // `listener` has changed(), reached() when the server answers again after it did not,
  // refused(sentence, cards), elsewhere([{ card, number }], key) and unchanged(), called when photos were
  // confirmed that another tablet had confirmed already.
  constructor({ address, made }, deck, table, listener) {
    this.address = address;
    // The store's name contains the time at which the sitting was created, since another
    // installation may have a sitting at the same address.
    this.store = `${address}:${made}`;
    this.listener = listener;
    this.cards = new Map(deck.cards.map((card) => [card.id, card]));
    this.byNumber = new Map(deck.cards.map((card) => [card.card, card.id]));
    this.byCode = new Map(deck.cards.map((card) => [card.code, card.id]));
    this.headers = new Map(Object.entries(deck.headers));
    this.server = table;
    this.mine = remembered(`${this.store}:mine`) ?? [];
    // The last step on photos, if it changed nothing.
    this.idle = remembered(`${this.store}:idle`);
    this.current = remembered(`${this.store}:current`);
    this.queue = new EventQueue(address, this.store, {
      revision: () => this.server.revision,
      sent: (event, answer) => this.#sent(event, answer),
      refused: (event, sentence) =>
        this.listener.refused(
          sentence,
          (event.body.placements || []).flatMap(({ cards }) =>
            cards.filter((card) => this.cards.has(card))
          ),
        ),
      sentElsewhere: async () => {
        await this.poll();
        this.#changed();
      },
      changed: () => this.#changed(),
    });
    this.queue.addEventListener("recovered", () => this.listener.reached());
    this.#changed();
    this.queue.sendNow();
    setInterval(() => this.poll(), POLL_MS);
    document.addEventListener("visibilitychange", () => this.poll());
  }

  // Ask the server whether another tablet changed the table.
  async poll() {
    if (document.hidden || this.queue.entries().length || this.polling) return;
    this.polling = true;
    try {
      const { revision, restored } = this.server;
      const answer = await get(`${this.address}/table?since=${revision}&restored=${restored}`);
      if (this.offline) this.listener.reached();
      this.offline = this.signedOut = false;
      if (answer.groups) this.#take(answer);
    } catch (refusal) {
      this.offline = !refusal.status;
      this.signedOut = refusal.status === 401;
    }
    this.polling = false;
    this.listener.changed();
  }

  // A photo that the server has just read, so that it counts as unconfirmed before the next poll.
  addPhoto(photo) {
    const { photos } = this.server;
    if (!photos.some(({ id }) => id === photo.id)) photos.push(photo);
    this.listener.changed();
  }

  #take(table) {
    // A backup was restored, so the events that this page knows may be gone. Waiting events stay in
    // this browser, and the reloaded page sends them.
    const restored = table.restored !== this.server.restored;
    if (restored && !this.queue.hasUnstored) {
      window.location.reload();
      return;
    }
    if (!restored && table.revision < this.server.revision) return;
    this.server = table;
    this.#changed();
  }

  // If this page knew the table before an event, the answer contains only the event's changes. If
  // the page has asked for the table in between, it already has them.
  #amend({ since, revision, groups, placed, act: event }) {
    if (since !== this.server.revision) return;
    const moved = new Map(placed);
    const kept = this.server.groups.filter(({ key, number }) =>
      groups.every((group) => group.key === key || group.number !== number)
    );
    const opened = groups.filter(({ key }) => kept.every((group) => group.key !== key));
    const after = [...kept, ...opened.map((group) => ({ ...group, ...EMPTY }))]
      .sort((a, b) => a.number - b.number);
    this.#take({
      ...this.server,
      revision,
      groups: after.map((group) => ({
        ...group,
        free: group.free && groups.every(({ key }) => key !== group.key),
        cards: [
          ...group.cards.filter((card) => !moved.has(card)),
          ...placed.filter(([, key]) => key === group.key).map(([card]) => card),
        ],
      })),
      acts: [event, ...this.server.acts].filter(Boolean).slice(0, EVENTS_KNOWN),
    });
  }

  #sent(event, answer) {
    this.#noteIdle(event, answer);
    if (answer.table) this.#take(answer.table);
    if (answer.change) this.#amend(answer.change);
    const found = Object.entries(answer.elsewhere || {}).map(([stimulus, number]) => ({
      card: Number(stimulus),
      number,
    }));
    for (const { key, cards } of event.body.placements ?? []) {
      const left = found.filter(({ card }) => cards.includes(card));
      if (left.length) this.listener.elsewhere(left, key);
    }
  }

  // Another tablet may have confirmed or discarded the same photos just before.
  #noteIdle({ route, body: { id, photos } }, { table }) {
    if (!photos || !table || table.acts.some((event) => event.id === id)) return;
    this.idle = id;
    remember(`${this.store}:idle`, id);
    if (route === "acts") this.listener.unchanged();
  }

  // Apply the waiting events to the server's table, in the way the server will.
  #changed() {
    this.groups = this.server.groups.map((group) => ({ ...group, cards: [...group.cards] }));
    this.placed = new Map();
    for (const group of this.groups) {
      for (const card of group.cards) this.placed.set(card, group.key);
    }
    const undone = this.#undone();
    for (const event of this.queue ? this.queue.entries() : []) {
      if (undone.includes(event.body.id)) continue;
      if (event.route === "acts") this.#apply(event.body);
      if (event.route === "groups") {
        Object.assign(this.group(event.body.key) || {}, {
          name: event.body.name,
          note: event.body.note,
        });
      }
    }
    if (
      !this.current ||
      (!this.group(this.current) && !this.current.startsWith("new-") &&
        !this.current.startsWith("header-"))
    ) {
      const full = this.groups.filter((group) => group.cards.length);
      this.current = full.length ? full[full.length - 1].key : `new-${newId()}`;
    }
    this.listener.changed();
  }

  #apply(event) {
    for (const { key, cards } of event.placements) {
      for (const card of cards) {
        const before = this.placed.get(card);
        if (before !== undefined) {
          if (event.kind === "place" || before === key) continue;
          const group = this.group(before);
          group.cards = group.cards.filter((other) => other !== card);
          this.placed.delete(card);
        }
        if (event.kind === "take_away") continue;
        this.#open(key).cards.push(card);
        this.placed.set(card, key);
      }
    }
  }

  #open(key) {
    let group = this.group(key);
    if (!group) {
      group = { key, number: this.numberOf(key), name: "", note: "", cards: [] };
      this.groups.push(group);
    }
    return group;
  }

  group(key) {
    return this.groups.find((group) => group.key === key);
  }

  // The number of a group, or the likely number of one that is not opened yet; the server decides.
  numberOf(key) {
    return this.group(key)?.number ?? this.nextNumber(key, this.takenNumbers([key]));
  }

  // Numbers that a new group cannot get. The number of a group whose cards were all undone is free,
  // unless the group is in `named`, the keys of groups that are used again.
  takenNumbers(named) {
    const kept = this.groups.filter(({ key, free, cards }) =>
      !free || cards.length || named.includes(key)
    );
    return kept.map(({ number }) => number);
  }

  // Highlight the cards found so far, while the frames of a video are still being read.
  lightUp(cards) {
    this.lit = cards;
    this.listener.changed();
  }

  // The number that the server will give a group with this key, if these numbers are in use.
  nextNumber(key, taken) {
    const header = /^header-(\d+)$/.exec(key);
    return header && !taken.includes(Number(header[1]))
      ? Number(header[1])
      : Math.max(0, ...taken) + 1;
  }

  get missing() {
    return [...this.cards.keys()].filter((card) => !this.placed.has(card));
  }

  get open() {
    return this.server.state === "recording";
  }

  choose(key) {
    this.current = key;
    remember(`${this.store}:current`, key);
    this.listener.changed();
  }

  nextGroup() {
    this.choose(`new-${newId()}`);
  }

  // A header card continues its own group, or an empty group with its number.
  startHeader(number) {
    const emptied = this.groups.find((group) => group.number === number && !group.cards.length);
    this.choose(this.group(`header-${number}`)?.key ?? emptied?.key ?? `header-${number}`);
  }

  // Record an event with cards: placements are [{ key, cards }].
  record(kind, placements, more = {}) {
    this.#add("acts", { kind, placements, how: "hand", ...more });
  }

  describe(key, name, note) {
    this.#add("groups", { key, name, note });
  }

  setAside(photos) {
    this.#add("aside", { photos });
  }

  #add(route, body) {
    const id = newId();
    this.mine = [...this.mine, id].slice(-OWN_EVENTS);
    remember(`${this.store}:mine`, this.mine);
    this.queue.add(route, { id, ...body });
  }

  place(card, how) {
    this.record("place", [{ key: this.current, cards: [card] }], { how });
  }

  // The ids of events that a waiting Undo will undo.
  #undone() {
    return this.queue
      ? this.queue.entries().filter((event) => event.route === "undo").map((event) =>
        event.body.act
      )
      : [];
  }

  // The event that Undo will undo: the last one of this page, or else the last of all. None after
  // photos were confirmed for nothing: Undo would take back what another tablet did.
  get undoable() {
    const undone = this.#undone();
    const waiting = this.queue.entries().filter(({ route, body }) =>
      route !== "undo" && !undone.includes(body.id)
    ).pop();
    if (waiting) {
      const {
        id,
        kind = { groups: "describe", aside: "set_aside" }[waiting.route],
        placements = [],
      } = waiting.body;
      return {
        id,
        kind,
        cards: placements.reduce((sum, placement) => sum + placement.cards.length, 0),
      };
    }
    if (this.idle && this.mine.at(-1) === this.idle) return undefined;
    const possible = this.server.acts.filter((event) => !undone.includes(event.id));
    return possible.find((event) => this.mine.includes(event.id)) || possible[0];
  }

  undo() {
    const event = this.undoable;
    if (!event) return;
    if (this.queue.withdraw(event.id)) {
      this.#changed();
      return;
    }
    this.queue.add("undo", { id: newId(), act: event.id });
  }

  // Whether the conductor must sign in before anything can be saved.
  get needsSignIn() {
    return Boolean(this.queue.entries().length ? this.queue.signedOut : this.signedOut);
  }
}
