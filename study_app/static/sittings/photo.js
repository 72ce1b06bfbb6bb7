// Record page: photos: sent to be read, put into the current group, or proposed as groups to be confirmed.

import { get, send } from "../modules/server.js";
import { Proposal } from "./proposal.js";
import { plural, say, tell, tellTogether } from "./words.js";

export class Photos {
  constructor(table, box) {
    this.table = table;
    this.box = box;
    this.waiting = document.getElementById("waiting-photos");
    this.strip = document.getElementById("photo-strip");
    for (const [id, oneGroup] of [["photo-table", false], ["photo-files", false], ["photo-group", true], ["photo-thumb", true]]) {
      const input = document.getElementById(id);
      input.addEventListener("change", () => {
        const files = [...input.files];
        input.value = "";
        this.take(files, oneGroup);
      });
    }
  }

  // Read photos one after the other; the last step proposes what all table photos show together.
  async take(files, oneGroup) {
    for (const file of files) await this.#read(file, oneGroup);
    if (!oneGroup) await this.propose();
  }

  async #read(file, oneGroup) {
    const line = Object.assign(document.createElement("li"), { textContent: `Reading ${file.name || "the photo"} …` });
    line.className = "busy";
    this.waiting.append(line);
    const form = new FormData();
    form.append("photo", file);
    form.append("one_group", oneGroup ? "yes" : "no");
    try {
      const photo = await send(`${this.table.address}/photos`, form);
      if (oneGroup) this.#intoGroup(photo);
      else if (!photo.reading.cards.length) this.#nothingRead(photo);
      else this.fresh = [...(this.fresh || []), photo.id];
    } catch (refusal) {
      const words = refusal.status ? refusal.message : `${file.name || "The photo"} did not arrive: no connection.`;
      tell(words, { actions: [["Try again", () => this.take([file], oneGroup)]] });
    }
    line.remove();
  }

  #nothingRead(photo) {
    tell(["No card was read in this photo.", ...photo.reading.advice].join(" "));
    this.#show([photo], []);
  }

  // All cards of one photo belong to one group: the current one, or the one of the header card beside them.
  #intoGroup(photo) {
    const { table } = this;
    const { cards, headers, wrong, unread, advice } = photo.reading;
    if (headers.length === 1) table.startHeader(headers[0]);
    if (cards.length) {
      const placement = { key: table.current, cards: cards.map((card) => card.stimulus) };
      table.act("place", [placement], { photos: [photo.id] });
      tell(`${plural(cards.length, "card")} read for group ${table.numberOf(table.current)}.`, { calm: true });
    }
    this.#wrong(wrong);
    if (!cards.length) this.#nothingRead(photo);
    else if (unread.length) {
      tell([`${plural(unread.length, "card")} in this photo could not be read; they are ringed.`, ...advice].join(" "));
      this.#show([photo], [{ key: table.current, cards: cards.map((card) => card.stimulus) }]);
    }
  }

  #wrong(found) {
    tellTogether(found.map(({ refused, picture }) => ({ words: refused, card: picture })));
  }

  // The groups that the photos show together, those that wait from before included.
  async propose() {
    const waiting = this.table.server.photos.filter((photo) => !photo.settled && !photo.one_group && photo.cards);
    const ids = [...new Set([...waiting.map((photo) => photo.id), ...(this.fresh || [])])];
    if (!ids.length) return;
    let said;
    try { said = await get(`${this.table.address}/proposal?photos=${ids.join(",")}`); } catch (refusal) { tell(refusal.message); return; }
    tellTogether(said.conflicts.map((words) => ({ words })));
    this.#wrong(said.photos.flatMap((photo) => photo.reading.wrong));
    for (const sentence of new Set(said.photos.flatMap((photo) => photo.reading.advice))) tell(sentence, { calm: true });
    this.#show(said.photos, said.groups, () => { this.fresh = []; });
  }

  #show(photos, groups, settled) {
    new Proposal(this.table, this.box, { photos, groups, settled }).draw();
    this.box.scrollIntoView({ block: "start" });
  }

  // Every photo of the table in small; those that nobody confirmed yet come forward.
  draw() {
    for (const photo of this.table.server.photos) {
      let button = this.strip.querySelector(`[data-photo="${photo.id}"]`);
      if (!button) {
        button = Object.assign(document.createElement("button"), { type: "button", className: "photo-thumb" });
        button.dataset.photo = photo.id;
        button.append(Object.assign(new Image(96, 72), { src: `${this.table.address}/photos/${photo.id}`, alt: "", loading: "lazy" }), document.createElement("span"));
        button.addEventListener("click", () => this.#look(photo.id));
        this.strip.append(button);
      }
      const open = !photo.settled && photo.cards > 0;
      button.classList.toggle("open", open);
      say(button.lastChild, open ? "not confirmed" : plural(photo.cards, "card"));
    }
  }

  // A photo from before: what is recorded stands on it; one that nobody confirmed is proposed.
  async #look(id) {
    const { table } = this;
    const about = table.server.photos.find((photo) => photo.id === id);
    if (table.open && !about.settled && !about.one_group && about.cards) { await this.propose(); return; }
    let said;
    try { said = await get(`${table.address}/proposal?photos=${id}`); } catch (refusal) { tell(refusal.message); return; }
    const here = said.photos[0].reading.cards.map((card) => card.stimulus);
    const keys = new Map();
    for (const card of here) {
      const key = table.placed.get(card) ?? (about.settled ? undefined : table.current);
      if (key !== undefined) keys.set(key, [...(keys.get(key) || []), card]);
    }
    this.#show(said.photos, [...keys].map(([key, cards]) => ({ key, cards })));
  }
}
