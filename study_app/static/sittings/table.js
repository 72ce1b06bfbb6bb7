// Record page: what lies on the table: the server's word, and on top of it what still waits to be sent.

import { get } from "../modules/server.js";
import { Queue, newId } from "./queue.js";

const LOOK_MS = 1500;

export class Table {
  // `told` gets changed(), refused(sentence) and elsewhere([{ card, number }], key).
  constructor(address, deck, table, told) {
    this.address = address;
    this.told = told;
    this.cards = new Map(deck.cards.map((card) => [card.id, card]));
    this.byNumber = new Map(deck.cards.map((card) => [card.card, card.id]));
    this.byCode = new Map(deck.cards.map((card) => [card.code, card.id]));
    this.headers = new Map(Object.entries(deck.headers));
    this.server = table;
    this.mine = [];
    this.current = sessionStorage.getItem(`${address}:current`) || null;
    this.queue = new Queue(address, {
      sent: (act, answer) => this.#sent(act, answer),
      refused: (act, sentence) => this.told.refused(sentence),
      changed: () => this.#changed(),
    });
    this.#changed();
    this.queue.flush();
    setInterval(() => this.look(), LOOK_MS);
    document.addEventListener("visibilitychange", () => this.look());
  }

  // Ask whether another tablet changed something.
  async look() {
    if (document.hidden || this.queue.acts.length || this.looking) return;
    this.looking = true;
    try {
      const said = await get(`${this.address}/table?since=${this.server.revision}`);
      this.offline = false;
      if (said.groups) this.#take(said);
    } catch (refusal) {
      this.offline = !refusal.status;
    }
    this.looking = false;
    this.told.changed();
  }

  #take(table) {
    if (table.revision < this.server.revision) return;
    this.server = table;
    this.#changed();
  }

  #sent(act, answer) {
    if (answer.table) this.#take(answer.table);
    const found = Object.entries(answer.elsewhere || {}).map(([stimulus, number]) => ({ card: Number(stimulus), number }));
    if (found.length) this.told.elsewhere(found, act.body.placements[0].key);
  }

  // Fold the waiting acts over the server's table, as the server will.
  #changed() {
    this.groups = this.server.groups.map((group) => ({ ...group, cards: [...group.cards] }));
    this.placed = new Map();
    for (const group of this.groups) for (const card of group.cards) this.placed.set(card, group.key);
    for (const act of this.queue ? this.queue.acts : []) if (act.route === "acts") this.#apply(act.body);
    if (!this.current || (!this.group(this.current) && !this.current.startsWith("new-") && !this.current.startsWith("header-"))) {
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

  group(key) { return this.groups.find((group) => group.key === key); }

  // The number of a group, also of one that is not opened yet; the server has the last word.
  numberOf(key) {
    const known = this.group(key);
    if (known) return known.number;
    const header = /^header-(\d+)$/.exec(key);
    const taken = this.groups.map((group) => group.number);
    return header && !taken.includes(Number(header[1])) ? Number(header[1]) : Math.max(0, ...taken) + 1;
  }

  get missing() { return [...this.cards.keys()].filter((card) => !this.placed.has(card)); }

  get open() { return this.server.state === "recording"; }

  choose(key) {
    this.current = key;
    sessionStorage.setItem(`${this.address}:current`, key);
    this.told.changed();
  }

  nextGroup() { this.choose(`new-${newId()}`); }

  startHeader(number) { this.choose(`header-${number}`); }

  // Do something with cards: placements are [{ key, cards }].
  act(kind, placements, more = {}) {
    const id = newId();
    this.mine.push(id);
    this.queue.add("acts", { id, kind, placements, how: "hand", ...more });
    return id;
  }

  place(card, how) { this.act("place", [{ key: this.current, cards: [card] }], { how }); }

  // The act that Undo takes back: the last of this page, else the last of all.
  get undoable() {
    const waiting = this.queue.acts.filter((act) => act.route === "acts" && !act.tried).pop();
    if (waiting) return { id: waiting.body.id, cards: waiting.body.placements.reduce((sum, placement) => sum + placement.cards.length, 0) };
    const possible = this.server.acts.filter((act) => !act.undone && act.cards && act.kind !== "undo");
    return possible.find((act) => this.mine.includes(act.id)) || possible[0];
  }

  undo() {
    const act = this.undoable;
    if (!act) return;
    if (this.queue.withdraw(act.id)) { this.#changed(); return; }
    this.queue.add("undo", { id: newId(), act: act.id });
  }

  describe(key, name, note) { this.queue.add("groups", { id: newId(), key, name, note }); }

  // In words: whether everything is at the server.
  get saved() {
    const waiting = this.queue.acts.length;
    if (waiting && this.queue.held) return { calm: false, words: `${waiting} waiting (${this.queue.held})` };
    if (waiting) return { calm: true, words: "saving" };
    return this.offline ? { calm: false, words: "saved, but no connection now" } : { calm: true, words: "saved" };
  }
}
