// Record page: photos: sent to be read, put into the current group, or proposed as groups to be
// confirmed.

import { Outbox } from "../modules/outbox.js";
import { get, send } from "../modules/server.js";
import { counted } from "../modules/words.js";
import { newId } from "./acts.js";
import { PhotoShelf } from "./photo_shelf.js";
import { Proposal } from "./proposal.js";
import { say, tell } from "./words.js";

export class Photos extends Outbox {
  constructor(table, box) {
    super(new PhotoShelf(table.store));
    this.table = table;
    this.box = box;
    this.list = document.getElementById("waiting-photos");
    this.strip = document.getElementById("photo-strip");
    // What is said of each waiting photo, by its id.
    this.words = new Map();
    this.fresh = [];
    for (
      const [id, oneGroup] of [["photo-table", false], ["photo-files", false], [
        "photo-group",
        true,
      ], ["photo-thumb", true]]
    ) {
      const input = document.getElementById(id);
      input.addEventListener("change", () => {
        const files = [...input.files];
        input.value = "";
        this.take(files, oneGroup);
      });
    }
  }

  // Photos are read one after the other, each kept in the browser until the server has it.
  async take(files, oneGroup) {
    const taken = files.map((file) => ({ id: newId(), file, oneGroup, key: this.table.current }));
    for (const photo of taken) this.#inLine(photo);
    await Promise.all(taken.map((photo) => this.put(photo)));
  }

  // What a closed or reloaded page left behind.
  async resume() {
    await this.shelf.load();
    for (const photo of this.entries()) if (!this.words.has(photo.id)) this.#inLine(photo);
    this.hurry();
  }

  // Send what waits; when all of it has arrived, propose what the table photos show together.
  async run() {
    await super.run();
    if (!this.waiting && this.fresh.length) await this.propose();
  }

  #inLine({ id, file }) {
    const words = Object.assign(document.createElement("li"), {
      className: "busy",
      textContent: `Reading ${file.name || "the photo"} …`,
    });
    this.list.append(words);
    this.words.set(id, words);
  }

  async deliver([[name, { id, file, oneGroup, key }]]) {
    const words = this.words.get(id);
    const form = new FormData();
    form.append("photo", file);
    form.append("one_group", oneGroup ? "yes" : "no");
    say(words, `Reading ${file.name || "the photo"} …`);
    try {
      const photo = await send(`${this.table.address}/photos`, form);
      if (oneGroup) this.#intoGroup(photo, key);
      else if (!photo.reading.cards.length) this.#nothingRead(photo);
      else this.fresh.push(photo.id);
    } catch (refusal) {
      // Anything else passes: no network, a server that starts anew, a sign-in that ended.
      if (!refusal.final) {
        const why = refusal.status === 401
          ? "you are not signed in"
          : refusal.status
          ? refusal.message
          : "no connection";
        say(
          words,
          `${file.name || "The photo"} is waiting: ${
            why.replace(/\.$/, "")
          }. It is saved on this device until it is sent.`,
        );
        throw refusal;
      }
      tell(`${file.name || "The photo"} could not be used: ${refusal.message}`);
    }
    words.remove();
    this.words.delete(id);
    return [name];
  }

  // What lies on photos and does not belong, then what the photos do not agree on or would need.
  #found(photos, conflicts = []) {
    return [
      ...photos.flatMap((photo) => photo.reading.wrong).map(({ refused, picture }) => ({
        words: refused,
        card: picture,
      })),
      ...[...conflicts, ...new Set(photos.flatMap((photo) => photo.reading.advice))].map((
        words,
      ) => ({ words })),
    ];
  }

  #nothingRead(photo) {
    this.#show({ photos: [photo], groups: [], found: this.#found([photo]) });
  }

  // All cards of one photo belong to one group: the one that was current when it was taken, or the
  // one of the header card beside them.
  #intoGroup(photo, taken) {
    const { table } = this;
    const { cards, wrong, unread } = photo.reading;
    const headers = [...new Set(photo.reading.headers.map(({ number }) => number))];
    if (headers.length === 1) table.startHeader(headers[0]);
    if (headers.length > 1) {
      tell(`Header cards ${headers.join(", ")} lie in one photo of one group; none numbers it.`);
    }
    const key = headers.length === 1 ? table.current : taken;
    if (cards.length) {
      const placement = { key, cards: cards.map((card) => card.stimulus) };
      table.act("place", [placement], { photos: [photo.id] });
      tell(`${counted(cards.length, "card")} read for group ${table.numberOf(key)}.`, {
        calm: true,
      });
    }
    if (!cards.length) this.#nothingRead(photo);
    else if (unread.length || wrong.length) {
      this.#show({
        photos: [{ ...photo, settled: true }],
        groups: [{ key, cards: cards.map((card) => card.stimulus) }],
        found: this.#found([photo]),
      });
    }
  }

  // The groups that the photos show together, those that wait from before included.
  async propose() {
    const waiting = this.table.server.photos.filter((photo) =>
      !photo.settled && !photo.one_group && photo.cards
    );
    const ids = [...new Set([...waiting.map((photo) => photo.id), ...this.fresh])];
    if (!ids.length) return;
    let said;
    try {
      said = await get(`${this.table.address}/proposal?photos=${ids.join(",")}`);
    } catch (refusal) {
      tell(refusal.message);
      return;
    }
    const { photos, groups, conflicts } = said;
    this.#show({
      photos,
      groups,
      found: this.#found(photos, conflicts),
      settled: () => {
        this.fresh = [];
      },
    });
  }

  #show(shown) {
    this.proposal = new Proposal(this.table, this.box, shown);
    this.proposal.draw();
    this.revision = this.table.server.revision;
    this.box.scrollIntoView({ block: "start" });
  }

  // Every photo of the table in small; those that nobody confirmed yet come forward.
  draw() {
    this.#follow();
    for (const photo of this.table.server.photos) {
      let button = this.strip.querySelector(`[data-photo="${photo.id}"]`);
      if (!button) {
        button = Object.assign(document.createElement("button"), {
          type: "button",
          className: "photo-thumb",
        });
        button.dataset.photo = photo.id;
        button.append(
          Object.assign(new Image(96, 72), {
            src: `${this.table.address}/photos/${photo.id}`,
            alt: "",
            loading: "lazy",
          }),
          document.createElement("span"),
        );
        button.addEventListener("click", () => this.#look(photo.id));
        this.strip.append(button);
      }
      const open = !photo.settled && photo.cards > 0;
      button.classList.toggle("open", open);
      say(button.lastChild, open ? "not confirmed" : counted(photo.cards, "card"));
    }
  }

  // Another tablet may have recorded, or confirmed this very photo, while its groups are looked at
  // here.
  #follow() {
    const { revision, photos } = this.table.server;
    if (this.box.hidden || revision === this.revision) return;
    this.revision = revision;
    for (const photo of this.proposal.shown.photos) {
      photo.settled ||= photos.some(({ id, settled }) => id === photo.id && settled);
    }
    this.proposal.redraw();
  }

  // A photo from before: what is recorded stands on it; one that nobody confirmed is proposed.
  async #look(id) {
    const { table } = this;
    const about = table.server.photos.find((photo) => photo.id === id);
    if (table.open && !about.settled && !about.one_group && about.cards) {
      await this.propose();
      return;
    }
    let said;
    try {
      said = await get(`${table.address}/proposal?photos=${id}`);
    } catch (refusal) {
      tell(refusal.message);
      return;
    }
    const here = said.photos[0].reading.cards.map((card) => card.stimulus);
    const keys = new Map();
    for (const card of here) {
      const key = table.placed.get(card) ?? (about.settled ? undefined : table.current);
      if (key !== undefined) keys.set(key, [...(keys.get(key) || []), card]);
    }
    this.#show({ photos: said.photos, groups: [...keys].map(([key, cards]) => ({ key, cards })) });
  }
}
