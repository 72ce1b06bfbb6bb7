// Record page: what lies on the table: the server's word, and on top of it what still waits to be
// sent.

import { get } from "../modules/server.js";
import { remember, remembered } from "../modules/tab_memory.js";
import { gettext, ngettext } from "../modules/texts.js";
import { Acts, newId } from "./acts.js";

const LOOK_MS = 1500;
const MINE_KEPT = 50;
// As many as the server tells.
const ACTS_KNOWN = 10;
const EMPTY = { name: "", note: "", cards: [], free: false };

export class Table {
  // `told` gets changed(), refused(sentence, cards) and elsewhere([{ card, number }], key).
  constructor({ address, made }, deck, table, told) {
    this.address = address;
    // What waits belongs to this very sitting: another installation may have one at the same
    // address.
    this.store = `${address}:${made}`;
    this.told = told;
    this.cards = new Map(deck.cards.map((card) => [card.id, card]));
    this.byNumber = new Map(deck.cards.map((card) => [card.card, card.id]));
    this.byCode = new Map(deck.cards.map((card) => [card.code, card.id]));
    this.headers = new Map(Object.entries(deck.headers));
    this.server = table;
    this.mine = remembered(`${this.store}:mine`) ?? [];
    this.current = remembered(`${this.store}:current`);
    this.queue = new Acts(address, this.store, {
      revision: () => this.server.revision,
      sent: (act, answer) => this.#sent(act, answer),
      refused: (act, sentence) =>
        this.told.refused(
          sentence,
          (act.body.placements || []).flatMap(({ cards }) =>
            cards.filter((card) => this.cards.has(card))
          ),
        ),
      sentElsewhere: async () => {
        await this.look();
        this.#changed();
      },
      changed: () => this.#changed(),
    });
    this.#changed();
    this.queue.hurry();
    setInterval(() => this.look(), LOOK_MS);
    document.addEventListener("visibilitychange", () => this.look());
  }

  // Ask whether another tablet changed something.
  async look() {
    if (document.hidden || this.queue.acts.length || this.looking) return;
    this.looking = true;
    try {
      const { revision, restored } = this.server;
      const said = await get(`${this.address}/table?since=${revision}&restored=${restored}`);
      this.offline = this.signedOut = false;
      if (said.groups) this.#take(said);
    } catch (refusal) {
      this.offline = !refusal.status;
      this.signedOut = refusal.status === 401;
    }
    this.looking = false;
    this.told.changed();
  }

  #take(table) {
    // A backup was restored: what this page knows may no longer be there. What waits is kept in
    // this browser, and sent by the page that comes.
    const restored = table.restored !== this.server.restored;
    if (restored && !this.queue.isLoose) {
      window.location.reload();
      return;
    }
    if (!restored && table.revision < this.server.revision) return;
    this.server = table;
    this.#changed();
  }

  // An answer holds only what its act changed, if this page knew everything before it. Where a look
  // came in between, that brought it already.
  #amend({ since, revision, groups, placed, act }) {
    if (since !== this.server.revision) return;
    const goes = new Map(placed);
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
          ...group.cards.filter((card) => !goes.has(card)),
          ...placed.filter(([, key]) => key === group.key).map(([card]) => card),
        ],
      })),
      acts: [act, ...this.server.acts].filter(Boolean).slice(0, ACTS_KNOWN),
    });
  }

  #sent(act, answer) {
    if (answer.table) this.#take(answer.table);
    if (answer.change) this.#amend(answer.change);
    const found = Object.entries(answer.elsewhere || {}).map(([stimulus, number]) => ({
      card: Number(stimulus),
      number,
    }));
    if (found.length) this.told.elsewhere(found, act.body.placements[0].key);
  }

  // Fold the waiting acts over the server's table, as the server will.
  #changed() {
    this.groups = this.server.groups.map((group) => ({ ...group, cards: [...group.cards] }));
    this.placed = new Map();
    for (const group of this.groups) {
      for (const card of group.cards) this.placed.set(card, group.key);
    }
    const gone = this.#undone();
    for (const act of this.queue ? this.queue.acts : []) {
      if (gone.includes(act.body.id)) continue;
      if (act.route === "acts") this.#apply(act.body);
      if (act.route === "groups") {
        Object.assign(this.group(act.body.key) || {}, { name: act.body.name, note: act.body.note });
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
    this.told.changed();
  }

  #apply(act) {
    for (const { key, cards } of act.placements) {
      for (const card of cards) {
        const before = this.placed.get(card);
        if (before !== undefined) {
          if (act.kind === "place" || before === key) continue;
          const group = this.group(before);
          group.cards = group.cards.filter((other) => other !== card);
          this.placed.delete(card);
        }
        if (act.kind === "take_away") continue;
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

  // The number of a group, also of one that is not opened yet; the server has the last word.
  numberOf(key) {
    return this.group(key)?.number ?? this.nextNumber(key, this.takenNumbers([key]));
  }

  // Numbers that no new group gets; a group whose cards were all undone gives its number away, but
  // not where `named` says that it is used again.
  takenNumbers(named) {
    const kept = this.groups.filter(({ key, free, cards }) =>
      !free || cards.length || named.includes(key)
    );
    return kept.map(({ number }) => number);
  }

  // Cards that a video shows while its frames are still being read.
  lightUp(cards) {
    this.lit = cards;
    this.told.changed();
  }

  // What the server will number a group of this key when these numbers are taken.
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
    this.told.changed();
  }

  nextGroup() {
    this.choose(`new-${newId()}`);
  }

  // A header card goes on with its own group, or with an emptied one of its number.
  startHeader(number) {
    const emptied = this.groups.find((group) => group.number === number && !group.cards.length);
    this.choose(this.group(`header-${number}`)?.key ?? emptied?.key ?? `header-${number}`);
  }

  // Do something with cards: placements are [{ key, cards }].
  act(kind, placements, more = {}) {
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
    this.mine = [...this.mine, id].slice(-MINE_KEPT);
    remember(`${this.store}:mine`, this.mine);
    this.queue.add(route, { id, ...body });
  }

  place(card, how) {
    this.act("place", [{ key: this.current, cards: [card] }], { how });
  }

  // Acts that an Undo waits for.
  #undone() {
    return this.queue
      ? this.queue.acts.filter((act) => act.route === "undo").map((act) => act.body.act)
      : [];
  }

  // The act that Undo takes back: the last of this page, else the last of all.
  get undoable() {
    const gone = this.#undone();
    const waiting = this.queue.acts.filter(({ route, body }) =>
      route !== "undo" && !gone.includes(body.id)
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
    const possible = this.server.acts.filter((act) => !gone.includes(act.id));
    return possible.find((act) => this.mine.includes(act.id)) || possible[0];
  }

  undo() {
    const act = this.undoable;
    if (!act) return;
    if (this.queue.withdraw(act.id)) {
      this.#changed();
      return;
    }
    this.queue.add("undo", { id: newId(), act: act.id });
  }

  // Whether somebody must sign in before anything can be saved.
  get needsSignIn() {
    return Boolean(this.queue.acts.length ? this.queue.signedOut : this.signedOut);
  }

  // In words: whether everything is at the server.
  get saved() {
    const waiting = this.queue.acts.length;
    if (this.needsSignIn) {
      return {
        calm: false,
        words: waiting
          ? ngettext(
            "%(num)s waiting; sign in to save",
            "%(num)s waiting; sign in to save",
            waiting,
          )
          : gettext("not signed in"),
      };
    }
    if (waiting && this.queue.held && this.queue.isLoose) {
      return {
        calm: false,
        words: ngettext(
          "%(num)s waiting to be sent; continue, but keep this page open",
          "%(num)s waiting to be sent; continue, but keep this page open",
          waiting,
        ),
      };
    }
    if (waiting && this.queue.held) {
      return {
        calm: false,
        words: ngettext("%(num)s waiting (%(why)s)", "%(num)s waiting (%(why)s)", waiting, {
          why: this.queue.held,
        }),
      };
    }
    if (waiting) return { calm: true, words: gettext("saving") };
    return this.offline
      ? { calm: false, words: gettext("saved; no connection now") }
      : { calm: true, words: gettext("saved") };
  }
}
