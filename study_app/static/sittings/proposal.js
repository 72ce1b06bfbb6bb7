// Record page: groups proposed over photos; the conductor splits, merges, moves, and confirms.

import { send } from "../modules/server.js";
import { newId } from "./queue.js";
import { Overlay } from "./overlay.js";
import { colour, plural, say } from "./words.js";

export class Proposal {
  // `shown` has photos, groups [{ key, cards }] and settled(), called when nothing is left to confirm.
  constructor(table, box, shown) {
    this.table = table;
    this.box = box;
    this.shown = shown;
    this.group = new Map();
    for (const { key, cards } of shown.groups) for (const card of cards) this.group.set(card, key);
    this.keys = shown.groups.map(({ key }) => key);
    this.chosen = new Set();
    this.pressed = [];
  }

  // Numbers of recorded groups stay; new ones follow in the order of the photo.
  number(key) {
    const known = this.table.group(key);
    if (known) return known.number;
    const highest = Math.max(0, ...this.table.groups.map((group) => group.number));
    return highest + 1 + this.keys.filter((other) => !this.table.group(other)).indexOf(key);
  }

  cards(key) { return [...this.group].filter(([, other]) => other === key).map(([card]) => card); }

  draw() {
    const { box } = this;
    box.hidden = false;
    box.dataset.ownKeys = "";
    box.replaceChildren();
    box.append(this.words = document.createElement("p"), this.decisions = document.createElement("div"), this.tools = document.createElement("div"));
    this.decisions.className = "row decisions";
    this.tools.className = "row tools";
    this.tools.setAttribute("role", "toolbar");
    this.overlays = this.shown.photos.map((photo) => new Overlay(this, photo));
    for (const overlay of this.overlays) box.append(overlay.element);
    box.onkeydown = (event) => this.#key(event);
    this.redraw();
  }

  redraw() {
    this.keys = this.keys.filter((key) => this.cards(key).length);
    this.pressed = this.pressed.filter((key) => this.keys.includes(key));
    for (const overlay of this.overlays) overlay.redraw();
    const unread = this.shown.photos.reduce((sum, photo) => sum + photo.reading.unread.length, 0);
    const moving = [...this.group].filter(([card, key]) => this.table.placed.has(card) && this.table.placed.get(card) !== key).length;
    say(this.words, [
      `${plural(this.group.size, "card")} in ${plural(this.keys.length, "group")}.`,
      unread ? `${plural(unread, "card")} not read, ringed.` : "",
      moving ? `${plural(moving, "card")} will leave the group they are recorded in.` : "",
      "Tap cards, then the group they belong to; tap two groups to merge them.",
    ].filter(Boolean).join(" "));
    this.#drawTools();
  }

  #drawTools() {
    this.tools.replaceChildren();
    for (const key of this.keys) {
      const chip = this.#button("", () => this.#tapGroup(key));
      chip.className = "chip";
      chip.dataset.key = key;
      chip.setAttribute("aria-pressed", this.pressed.includes(key));
      chip.setAttribute("aria-label", `Group ${this.number(key)}, ${plural(this.cards(key).length, "card")}`);
      chip.append(Object.assign(document.createElement("span"), { className: `badge ${colour(this.number(key))}`, textContent: this.number(key) }), ` ${this.cards(key).length}`);
      this.tools.append(chip);
    }
    if (this.chosen.size) this.tools.append(
      this.#button(`New group of ${plural(this.chosen.size, "card")}`, () => this.move(`new-${newId()}`)),
      this.#button("Leave out", () => this.#leaveOut()),
    );
    if (this.pressed.length > 1) this.tools.append(this.#button(`Merge ${this.pressed.map((key) => this.number(key)).join(" and ")}`, () => this.#merge()));
    const open = this.table.open && this.shown.photos.some((photo) => !photo.settled);
    const changed = [...this.group].some(([card, key]) => this.table.placed.get(card) !== key);
    this.decisions.replaceChildren();
    if (open) this.decisions.append(this.#button("Set photo aside", () => this.#aside()));
    const confirming = this.table.open && this.keys.length && (open || changed);
    const confirm = this.#button(confirming ? `Confirm ${plural(this.keys.length, "group")}` : "Close photo", () => (confirming ? this.#confirm() : this.#close()));
    confirm.className = "primary confirm";
    this.decisions.append(confirm);
  }

  #button(label, action) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: label });
    button.addEventListener("click", action);
    return button;
  }

  tapCard(card) {
    if (!this.table.open) return;
    if (this.chosen.has(card)) this.chosen.delete(card); else this.chosen.add(card);
    this.redraw();
  }

  #tapGroup(key) {
    if (this.chosen.size) { this.move(key); return; }
    this.pressed = this.pressed.includes(key) ? this.pressed.filter((other) => other !== key) : [...this.pressed, key];
    this.redraw();
    this.tools.querySelector(`[data-key="${key}"]`)?.focus();
  }

  move(key) {
    if (!this.chosen.size) return;
    if (!this.keys.includes(key)) this.keys.push(key);
    for (const card of this.chosen) this.group.set(card, key);
    this.chosen.clear();
    this.redraw();
  }

  #leaveOut() {
    for (const card of this.chosen) this.group.delete(card);
    this.chosen.clear();
    this.redraw();
  }

  #merge() {
    const [into, ...others] = this.pressed;
    for (const [card, key] of this.group) if (others.includes(key)) this.group.set(card, into);
    this.pressed = [];
    this.redraw();
  }

  // With cards chosen: digits and Enter move them, N makes a new group; M merges the groups that are pressed.
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^\d$/.test(event.key)) { this.typed = (this.typed || "") + event.key; return; }
    const typed = Number(this.typed || 0);
    this.typed = "";
    if (event.key === "Enter" && typed && this.chosen.size) {
      event.preventDefault();
      this.move(this.keys.find((key) => this.number(key) === typed) || `new-${newId()}`);
    } else if (/^n$/i.test(event.key)) this.move(`new-${newId()}`);
    else if (/^m$/i.test(event.key) && this.pressed.length > 1) this.#merge();
    else if (event.key === "Escape") { this.chosen.clear(); this.pressed = []; this.redraw(); }
  }

  #confirm() {
    const placements = this.keys.map((key) => ({ key, cards: this.cards(key) }));
    const photos = this.shown.photos.map((photo) => photo.id);
    if (placements.length) this.table.act("confirm", placements, { photos });
    this.#close();
  }

  async #aside() {
    this.#close();
    for (const photo of this.shown.photos) await send(`${this.table.address}/photos/${photo.id}/aside`, {}).catch(() => {});
    this.table.look();
  }

  #close() {
    this.box.hidden = true;
    this.box.replaceChildren();
    this.shown.settled?.();
    this.table.told.changed();
  }
}
