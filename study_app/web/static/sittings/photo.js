// Record page: photos and videos: sent to be read, put into the current group, or proposed as groups
// to be confirmed.

import { Outbox } from "../modules/outbox.js";
import { send } from "../modules/server.js";
import { gettext, ngettext } from "../modules/texts.js";
import { newId } from "./event_queue.js";
import { PhotoShelf } from "./photo_shelf.js";
import { PhotoView } from "./photo_view.js";
import { say, tell } from "./words.js";

// What a photo or video is called before the server has named it.
const nameOf = (file, shows) =>
  file.name || (shows === "film" ? gettext("The video") : gettext("The photo"));

const WAYS = [
  ["photo-table", "table"],
  ["photo-thumb", "table"],
  ["photo-files", "table"],
  ["photo-group", "group"],
  ["film", "film"],
];

export class Photos extends Outbox {
  constructor(table, box) {
    super(new PhotoShelf(table.store));
    this.table = table;
    this.view = new PhotoView(table, box);
    this.list = document.getElementById("waiting-photos");
    // What is said of each waiting photo, by its id.
    this.words = new Map();
    // Until this browser has stored a photo, by its id.
    this.stored = new Map();
    for (const [id, shows] of WAYS) {
      const input = document.getElementById(id);
      input.addEventListener("change", () => {
        const files = [...input.files];
        input.value = "";
        this.take(files, shows);
      });
    }
  }

  // Photos are read one after the other, each kept in the browser until the server has it.
  async take(files, shows) {
    const taken = files.map((file) => ({ id: newId(), file, shows, key: this.table.current }));
    for (const photo of taken) this.#inLine(photo);
    for (const photo of taken) this.stored.set(photo.id, this.put(photo));
    await Promise.all(taken.map(({ id }) => this.stored.get(id)));
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
    if (!this.waiting) await this.view.proposeFresh();
  }

  #inLine({ id, file }) {
    const words = Object.assign(document.createElement("li"), {
      className: "busy",
      textContent: gettext("Reading %(file)s …", { file: nameOf(file) }),
    });
    this.list.append(words);
    this.words.set(id, words);
  }

  async deliver([[name, photo]]) {
    const { id, file } = photo;
    const words = this.words.get(id);
    const called = nameOf(file, photo.shows);
    say(words, gettext("Reading %(file)s …", { file: called }));
    try {
      await (photo.shows === "film" ? this.#film(photo, words) : this.#photo(photo));
    } catch (refusal) {
      // Anything else passes: no network, a server that starts anew, a sign-in that ended.
      if (!refusal.final) {
        const signedOut = refusal.status === 401
          ? gettext("you are not signed in")
          : gettext("no connection");
        const why = refusal.status && refusal.status !== 401 ? refusal.message : signedOut;
        await this.stored.get(id);
        this.#sayWaiting(words, id, { file: called, why: why.replace(/\.$/, "") });
        throw refusal;
      }
      tell(
        gettext("%(file)s could not be used: %(why)s", { file: called, why: refusal.message }),
      );
    }
    words.remove();
    this.words.delete(id);
    this.stored.delete(id);
    return [name];
  }

  #sayWaiting(words, id, about) {
    say(
      words,
      this.shelf.loose.has(id)
        ? `${about.file}: ${about.why}. ${gettext("Keep this page open until everything is sent.")}`
        : gettext(
          "%(file)s is waiting: %(why)s. It is saved on this device until it is sent.",
          about,
        ),
    );
  }

  async #photo({ file, shows, key }) {
    const form = new FormData();
    form.append("photo", file);
    form.append("one_group", shows === "group" ? "yes" : "no");
    const photo = await send(`${this.table.address}/photos`, form);
    if (shows === "group") await this.view.intoGroup(photo, key);
    else if (!photo.reading.cards.length) await this.view.nothingRead(photo);
    else this.view.fresh.push(photo.id);
  }

  // The server chooses the frames that are worth reading; each is read by a request of its own, so
  // that the cards light up as they are found. Sent again, the same frames go on where they were.
  async #film({ file }, words) {
    const form = new FormData();
    form.append("video", file);
    const { address, cards } = this.table;
    const { photos, waiting } = await send(`${address}/sweeps`, form);
    const seen = new Set();
    for (const [at, id] of photos.entries()) {
      if (waiting.includes(id)) {
        const { reading } = await send(`${address}/photos/${id}/read`);
        for (const { stimulus } of reading.cards) seen.add(stimulus);
        this.table.lightUp(seen);
      }
      const frame = { number: at + 1, all: photos.length, seen: seen.size };
      say(
        words,
        seen.size
          ? ngettext(
            "Frame %(number)s of %(all)s: %(seen)s of %(num)s card seen …",
            "Frame %(number)s of %(all)s: %(seen)s of %(num)s cards seen …",
            cards.size,
            frame,
          )
          : gettext("Frame %(number)s of %(all)s …", frame),
      );
    }
    this.table.lightUp(new Set());
    this.view.fresh.push(...photos);
  }
}
