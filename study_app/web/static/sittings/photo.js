// Recording page: photos and videos are sent to the server, and their cards are put into the current
// group or proposed as groups.

import { onChosen } from "../modules/chosen.js";
import { Outbox } from "../modules/outbox.js";
import { upload } from "../modules/server.js";
import { gettext, ngettext, percent } from "../modules/texts.js";
import { newId } from "./event_queue.js";
import { PhotoStore } from "./photo_store.js";
import { PhotoView } from "./photo_view.js";
import { notSignedIn } from "./saved.js";
import { WaitingList } from "./waiting_list.js";
import { setText, showMessage } from "./words.js";

// Characters that turn around the text after them, and the most characters of a name in a message.
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;
const LONGEST = 60;

// The name of a photo or video before the server has named it.
function nameOf(file, shows) {
  const name = [...file.name.replace(TURNING, "")];
  if (!name.length) return shows === "film" ? gettext("The video") : gettext("The photo");
  if (name.length <= LONGEST) return name.join("");
  // the start, and the end with the file's kind
  const half = LONGEST / 2;
  return `${name.slice(0, half).join("")}…${name.slice(1 - half).join("")}`;
}

const WAYS = [
  ["photo-table", "table"],
  ["photo-thumb", "table"],
  ["photo-files", "table"],
  ["photo-group", "group"],
  ["film", "film"],
];

// Why the server would refuse a file, which need not be sent then; else nothing.
function whyRefused({ type, size }, shows, { mostFilm, mostPhoto }) {
  const most = Number(shows === "film" ? mostFilm : mostPhoto);
  if (!size) return gettext("is empty; copy it again from the camera");
  if (shows === "film") {
    if (type.startsWith("image/")) {
      return gettext("is a photo; choose it with “%(button)s”", {
        button: gettext("Choose photos"),
      });
    }
    if (size > most) {
      return gettext("is larger than %(most)s MB; film the table in parts", { most: most / 1e6 });
    }
    return null;
  }
  if (type.startsWith("video/")) {
    return gettext("is a video; choose it with “%(button)s”", { button: gettext("Film table") });
  }
  return size > most
    ? gettext("is larger than %(most)s MB; save it smaller as a JPEG", { most: most / 1e6 })
    : null;
}

function showRefused(file, why) {
  showMessage(gettext("%(place)s: %(finding)s", { place: file, finding: why }));
}

export class Photos extends Outbox {
  // `limits` has mostFilm and mostPhoto, in bytes.
  constructor(table, box, limits) {
    super(new PhotoStore(table.store));
    Object.assign(this, { table, limits });
    this.view = new PhotoView(table, box);
    this.list = new WaitingList(document.getElementById("waiting-photos"));
    // A promise for each photo, resolved when the browser has stored it, by photo id.
    this.stored = new Map();
  }

  // Photos are sent one by one; each is stored in the browser until the server has it.
  async take(files, shows) {
    const usable = files.filter((file) => {
      const why = whyRefused(file, shows, this.limits);
      if (why) showRefused(nameOf(file, shows), why);
      return !why;
    });
    const taken = usable.map((file) => ({ id: newId(), file, shows, key: this.table.current }));
    for (const photo of taken) this.#inLine(photo);
    for (const photo of taken) this.stored.set(photo.id, this.put(photo));
    await Promise.all(taken.map(({ id }) => this.stored.get(id)));
  }

  // Take photos as they are chosen, and send those that a closed or reloaded page had not sent.
  async resume() {
    for (const [id, shows] of WAYS) {
      onChosen(document.getElementById(id), (files) => this.take(files, shows));
    }
    await this.entryStore.load();
    for (const photo of this.entries()) if (!this.list.has(photo.id)) this.#inLine(photo);
    this.sendNow();
  }

  // Send the waiting photos; when all have arrived, propose the groups on the photos of the table.
  async run() {
    await super.run();
    if (!this.waiting) await this.view.proposeFresh();
  }

  #inLine({ id, file, shows }) {
    this.list.add(id, nameOf(file, shows));
  }

  async deliver([[name, photo]]) {
    const { id, file } = photo;
    const words = this.list.begin(id);
    const called = nameOf(file, photo.shows);
    setText(words, gettext("Reading %(file)s …", { file: called }));
    try {
      await (photo.shows === "film" ? this.#film(photo, words) : this.#photo(photo, words));
    } catch (refusal) {
      // Temporary failures: no network, a server restart, an expired session.
      if (!refusal.final) {
        const signedOut = refusal.status === 401 ? notSignedIn() : gettext("no connection");
        const why = refusal.status && refusal.status !== 401 ? refusal.message : signedOut;
        await this.stored.get(id);
        this.#showWaiting(words, id, { file: called, why: why.replace(/\.$/, "") });
        throw refusal;
      }
      showRefused(called, refusal.message);
    }
    this.list.remove(id);
    this.stored.delete(id);
    return [name];
  }

  #showWaiting(words, id, about) {
    setText(
      words,
      this.entryStore.unstored.has(id)
        ? `${about.file}: ${about.why}. ${gettext("Keep this page open until everything is sent.")}`
        : gettext(
          "%(file)s is waiting: %(why)s. It is saved on this device until it is sent.",
          about,
        ),
    );
  }

  // Send a file, and say how much of it the server has.
  #upload(address, form, file, words) {
    return upload(`${this.table.address}/${address}`, form, (share) => {
      setText(
        words,
        share < 1
          ? gettext("Sending %(file)s: %(share)s …", { file, share: percent(share) })
          : gettext("Reading %(file)s …", { file }),
      );
    });
  }

  async #photo({ file, shows, key }, words) {
    const form = new FormData();
    form.append("photo", file);
    form.append("one_group", shows === "group" ? "yes" : "no");
    const photo = await this.#upload("photos", form, nameOf(file, shows), words);
    this.table.addPhoto(photo);
    if (shows === "group") await this.view.intoGroup(photo, key);
    else this.view.fresh.push(photo.id);
  }

  // The server chooses the sharpest frames; each is read in its own request, so that the cards are
  // highlighted as they are found. If the video is sent again, reading resumes at the next frame, with
  // the cards seen before.
  async #film({ file }, words) {
    const form = new FormData();
    form.append("video", file);
    const { cards } = this.table;
    const film = await this.#upload("sweeps", form, nameOf(file, "film"), words);
    const { photos, waiting } = film;
    const seen = new Set(film.seen);
    this.table.lightUp(seen);
    for (const [at, id] of photos.entries()) {
      if (waiting.includes(id)) {
        const { reading } = await this.view.frames.read(id);
        for (const { stimulus } of reading.cards) seen.add(stimulus);
        this.table.lightUp(seen);
      }
      const frame = { number: at + 1, all: photos.length, seen: seen.size };
      setText(
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
    // Frames beside the table; if there are only such, one says why no card was found.
    const useful = this.view.frames.withCards(photos);
    this.view.fresh.push(...(useful.length ? useful : photos.slice(0, 1)));
  }
}
