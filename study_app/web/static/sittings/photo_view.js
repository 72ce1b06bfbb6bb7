// Recording page: the cards on photos are proposed as groups, put into one group, or reviewed later.

import { get } from "../modules/server.js";
import { gettext, ngettext } from "../modules/texts.js";
import { Corrections } from "./corrections.js";
import { Frames } from "./frames.js";
import { groupsOf, unreadOn } from "./places.js";
import { Proposal } from "./proposal.js";
import { cardsOf, setText, showMessage } from "./words.js";

export class PhotoView {
  constructor(table, box) {
    Object.assign(this, { table, box, fresh: [] });
    // After a backup was restored, other photos may get the ids of those that it does not have.
    this.corrections = new Corrections(`${table.store}${table.server.restored}:corrections`);
    this.frames = new Frames(table, (refusal) => this.#sayTrouble(refusal));
    this.strip = document.getElementById("photo-strip");
  }

  // Photos that are neither confirmed nor discarded, and may show a card.
  get open() {
    const { photos } = this.table.server;
    const open = this.frames.withCards(this.#openOf(photos.map(({ id }) => id)));
    return photos.filter(({ id }) => open.includes(id));
  }

  // Which of these photos are neither confirmed nor discarded.
  #openOf(ids) {
    const settling = this.table.queue.entries().flatMap(({ body }) => body.photos ?? []);
    const { photos } = this.table.server;
    return ids.filter((id) =>
      !settling.includes(id) && photos.some((photo) => photo.id === id && !photo.settled)
    );
  }

  async proposeFresh() {
    if (this.fresh.length) await this.propose();
  }

  // Whether a photo that was just read is not shown yet.
  get isBehind() {
    const shown = this.box.hidden ? [] : this.proposal.shown.photos.map(({ id }) => id);
    return this.fresh.some((id) => !shown.includes(id));
  }

  // The server answers again.
  async reached() {
    this.trouble?.remove();
    if (this.isBehind) await this.propose();
  }

  // Say that photos are not confirmed, with a button that opens them.
  sayUnconfirmed() {
    const { length } = this.open;
    this.reminder = showMessage(
      ngettext(
        "%(num)s photo is not confirmed. Confirm the groups, or discard the photo.",
        "%(num)s photos are not confirmed. Confirm the groups, or discard the photos.",
        length,
      ),
      {
        actions: [[
          ngettext("Show the photo", "Show the photos", length),
          () => this.#showUnconfirmed(),
        ]],
        leave: gettext("Decide later"),
      },
    );
  }

  // Say so once while no photo is shown, such as after a reload, after Undo, or if another tablet took
  // the photo.
  #remind() {
    if (this.asking) return;
    const waiting = this.box.hidden && this.table.open ? this.open.map(({ id }) => id) : [];
    if (!this.open.length) this.reminder?.remove();
    if (String(waiting) === this.reminded) return;
    this.reminded = String(waiting);
    this.reminder?.remove();
    if (waiting.length) this.sayUnconfirmed();
  }

  // Show the unconfirmed photos: those of the table together, else one photo of one group.
  async #showUnconfirmed() {
    if (this.open.some((photo) => !photo.one_group)) await this.propose();
    else if (this.open.length) await this.#review(this.open[0].id);
    this.box.focus({ preventScroll: true });
  }

  // Propose the groups on all unconfirmed photos together, including earlier ones. They continue the
  // groups confirmed before, which the server must know.
  async propose() {
    await this.table.queue.emptied();
    if (!await this.frames.readRest(this.open)) return;
    const waiting = this.open.filter((photo) => !photo.one_group);
    const ids = [...new Set([...waiting.map((photo) => photo.id), ...this.fresh])];
    if (!ids.length) return;
    await this.#proposeOf(ids, this.#countedOn(ids));
  }

  // `again` is the proposal of these photos that is replaced, if it is still shown.
  async #proposeOf(ids, groups = "", again = null) {
    const asking = this.asking = {};
    const open = this.#openOf(ids);
    let proposal = await this.#proposed(ids, groups);
    // The conductor's own groups come in addition to those that the server proposes.
    const more = proposal && groups && proposal.seen - groups;
    if (more) proposal = await this.#proposed(ids, Math.max(1, groups - more)) ?? proposal;
    // The conductor may have asked again meanwhile.
    if (asking !== this.asking) return;
    this.asking = null;
    // Photos may have been confirmed or discarded meanwhile.
    const settled = open.filter((id) => !this.#openOf(ids).includes(id));
    if (settled.length) {
      const rest = ids.filter((id) => !settled.includes(id));
      if (rest.length) await this.#proposeOf(rest, this.#countedOn(rest));
      return;
    }
    if (again && (this.box.hidden || this.proposal !== again)) return;
    if (proposal) this.#show(proposal, again);
    else this.proposal?.redraw();
  }

  // Propose the groups again where one was, since another tablet moved cards.
  async #proposeAgain(proposal) {
    await this.table.queue.emptied();
    const ids = proposal.shown.photos.map(({ id }) => id);
    await this.#proposeOf(ids, this.#countedOn(ids), proposal);
  }

  // The number of groups that the conductor counted on photos; those without a card do not matter.
  #countedOn(ids) {
    return this.corrections.counted(this.frames.withCards(ids), this.#openOf(ids));
  }

  async #proposed(ids, groups) {
    const answer = await this.#ask(ids, groups);
    if (!answer) return null;
    const corrected = this.corrections.of(ids, this.#openOf(ids));
    return new Proposal(this.table, this.box, {
      ...answer,
      identified: corrected.identified,
      steps: corrected.steps,
      changed: () => {
        const { counted } = corrected;
        // With the groups that the conductor split or merged, and without a number that was refused.
        const isCounted = counted.photos === String(this.frames.withCards(ids)) && !this.asking;
        if (isCounted) counted.groups = this.proposal.seen || "";
        this.corrections.remember();
      },
      without: (photo) => {
        this.fresh = this.fresh.filter((id) => id !== photo);
        return this.#proposeOf(ids.filter((id) => id !== photo));
      },
      recount: async (groups) => {
        const at = this.proposal.at;
        corrected.counted = { photos: String(this.frames.withCards(ids)), groups };
        await this.#proposeOf(ids, groups);
        this.proposal.turn(at);
        document.getElementById("groups-seen")?.focus();
      },
      settled: () => {
        this.fresh = [];
        corrected.settled = true;
        this.corrections.remember();
      },
    });
  }

  async #ask(ids, groups = "") {
    const query = `photos=${ids.join(",")}&groups=${groups}`;
    try {
      return await get(`${this.table.address}/proposal?${query}`);
    } catch (refusal) {
      this.#sayTrouble(refusal);
      return null;
    }
  }

  #sayTrouble(refusal) {
    // Then the table calls `reached` as soon as the server answers.
    this.table.offline ||= !refusal.status;
    const offline = this.isBehind
      ? gettext("No connection. Reading continues as soon as it is back.")
      : gettext("No connection");
    this.trouble = showMessage(refusal.status ? refusal.message : offline);
  }

  async nothingRead(photo) {
    const answer = await this.#ask([photo.id]);
    this.#showAsRead({ photos: [photo], groups: [], unread: answer?.unread, found: answer?.found });
  }

  // Put all cards of a photo into one group: that of the header card on it, or else the group that
  // was current when it was taken. If it shows several groups, the conductor decides.
  async intoGroup(photo, taken) {
    if (!this.#askIfSeveral(photo, taken)) await this.#intoOne(photo, taken);
  }

  // Ask what a photo of one group that shows several groups is; returns whether it does.
  #askIfSeveral(photo, taken) {
    const groups = new Set(photo.reading.cards.map(({ group }) => group)).size;
    if (groups < 2) return false;
    // This message says that the photo is not confirmed.
    this.reminded = String(this.open.map(({ id }) => id));
    const question = ngettext(
      "This photo shows %(num)s group. Record it as one group?",
      "This photo shows %(num)s groups. Record it as one group?",
      groups,
    );
    const show = ngettext("Show %(num)s group", "Show %(num)s groups", groups);
    showMessage(question, {
      actions: [
        [show, () => this.#proposeOf([photo.id])],
        [gettext("It is one group"), () => this.#intoOne(photo, taken)],
      ],
      leave: gettext("Decide later"),
    });
    return true;
  }

  async #intoOne(photo, taken) {
    const { table } = this;
    const { cards, wrong, unread } = photo.reading;
    const headers = [...new Set(photo.reading.headers.map(({ number }) => number))];
    if (headers.length === 1) table.startHeader(headers[0]);
    if (headers.length > 1) {
      showMessage(
        gettext("Header cards %(headers)s are in one photo of one group and are ignored.", {
          headers: headers.join(", "),
        }),
      );
    }
    if (!cards.length) {
      await this.nothingRead(photo);
      return;
    }
    const key = headers.length === 1 ? table.current : taken;
    const group = { key, cards: cards.map((card) => card.stimulus) };
    // Cards of other groups stay there, which is asked about once the server has answered.
    const allHere = group.cards.every((card) => (table.placed.get(card) ?? key) === key);
    table.record("place", [group], { photos: [photo.id] });
    if (allHere) {
      this.taken = showMessage(
        ngettext(
          "%(num)s card read for group %(group)s.",
          "%(num)s cards read for group %(group)s.",
          cards.length,
          { group: table.numberOf(key) },
        ),
        { calm: true },
      );
    }
    if (!unread.length && !wrong.length) return;
    const answer = await this.#ask([photo.id]);
    this.#showAsRead({
      photos: [{ ...photo, settled: true }],
      groups: groupsOf(photo, table, key),
      unread: unreadOn(photo, key),
      found: answer?.found,
    });
  }

  #showAsRead(shown) {
    this.#show(new Proposal(this.table, this.box, shown));
  }

  #show(proposal, again = null) {
    this.reminder?.remove();
    // A dialog of the one before may still be open.
    if (this.proposal) this.proposal.next = proposal;
    this.proposal = proposal;
    if (again) proposal.resume(again);
    proposal.draw();
    this.revision = this.table.server.revision;
    if (!again) this.box.scrollIntoView({ block: "start" });
  }

  // Thumbnails of all photos of the table; unconfirmed ones are marked. While the page is busy, photos
  // are not confirmed since they are still being read, or the server does not know it yet.
  draw(busy) {
    this.#follow();
    if (!busy) this.#remind();
    const { open } = this;
    for (const photo of this.table.server.photos) {
      const button = this.strip.querySelector(`[data-photo="${photo.id}"]`) ?? this.#thumb(photo);
      button.classList.toggle("open", open.includes(photo));
      button.classList.toggle("discarded", photo.discarded);
      const settled = photo.discarded ? gettext("discarded") : cardsOf(photo.cards);
      setText(button.lastChild, open.includes(photo) ? gettext("not confirmed") : settled);
    }
  }

  #thumb({ id }) {
    const button = Object.assign(document.createElement("button"), {
      type: "button",
      className: "photo-thumb",
      tabIndex: -1,
    });
    button.dataset.photo = id;
    const picture = Object.assign(new Image(96, 72), {
      src: `${this.table.address}/photos/${id}`,
      alt: "",
      loading: "lazy",
    });
    button.append(picture, document.createElement("span"));
    button.addEventListener("click", () => this.#review(id));
    this.strip.append(button);
    return button;
  }

  // Another tablet may have recorded cards, or confirmed this photo, while it is open here.
  #follow() {
    const { revision, photos } = this.table.server;
    if (this.box.hidden || revision === this.revision) return;
    this.revision = revision;
    for (const photo of this.proposal.shown.photos) {
      photo.settled ||= photos.some(({ id, settled }) => id === photo.id && settled);
    }
    const { proposal } = this;
    if (!proposal.unsettled) proposal.follow();
    else if (proposal.isOutdated && !this.asking) this.#proposeAgain(proposal);
    proposal.redraw();
  }

  // Open an earlier photo with the recorded groups; if it is not confirmed, with proposed groups.
  async #review(id) {
    const { table } = this;
    const about = table.server.photos.find((photo) => photo.id === id);
    const open = table.open && this.open.includes(about);
    if (open && !about.one_group) {
      await this.propose();
      return;
    }
    const answer = await this.#ask([id]);
    if (!answer) return;
    const [photo] = answer.photos;
    if (open && this.#askIfSeveral(photo, table.current)) return;
    if (table.open && !about.settled && !about.cards) {
      this.#showAsRead({ ...answer, groups: [] });
      return;
    }
    const groups = groupsOf(photo, table, about.settled ? undefined : table.current);
    const unread = table.open ? this.corrections.without(answer.unread, table.placed) : [];
    this.#showAsRead({ photos: answer.photos, groups, unread });
  }
}
