// Recording page: the panel beside a photo: its groups, points to check, and buttons.

import { rove } from "../modules/roving.js";
import { gettext, listed, ngettext } from "../modules/texts.js";
import { FoundList } from "./found_list.js";
import { cardsOf, colour, setText } from "./words.js";

const ZOOMS = [1, 2, 4];

const make = (tag, properties = {}) => Object.assign(document.createElement(tag), properties);

export class Panel {
  constructor(proposal) {
    this.proposal = proposal;
    this.words = make("p", { className: "sum", role: "status" });
    this.tools = make("div", {
      className: "chips",
      role: "toolbar",
      ariaLabel: gettext("Groups on the photo"),
    });
    rove(this.tools, "button");
    this.chosen = make("div", { className: "row chosen" });
    this.decisions = make("div", { className: "row decisions" });
    this.zoom = this.#button("", () => this.#enlarge(), "zoom");
    // Of several photos, that which is shown.
    this.discard = this.#button(gettext("Discard this photo"), () => this.proposal.setOneAside());
    this.#enlarge(0);
    this.element = make("div", { className: "side" });
    const head = make("div", { className: "row head" });
    head.append(this.#pages(), this.#around(), this.zoom, this.discard);
    this.sight = make("div", { className: "stimuli sight" });
    this.found = new FoundList(proposal);
    this.element.append(
      head,
      this.words,
      this.found.element,
      this.#stepper(),
      this.tools,
      this.chosen,
      this.sight,
      make("p", {
        className: "quiet hint",
        textContent: gettext(
          "Tap cards or draw around them, then tap their group. Tap two groups to merge them. Tap " +
            "a “?” to say which card it is. Keys: arrows move, Space selects, Shift + arrows select " +
            "on the way, number + Enter assigns, N splits, M merges.",
        ),
      }),
      this.decisions,
    );
  }

  // Buttons to turn between several photos.
  #pages() {
    const { overlays } = this.proposal;
    this.page = make("span", { role: "status" });
    const box = make("div", { className: "pages", hidden: overlays.length < 2 });
    box.append(
      this.#button(
        "‹",
        () => this.proposal.turn(this.proposal.at - 1),
        "",
        gettext("Previous photo"),
      ),
      this.page,
      this.#button("›", () => this.proposal.turn(this.proposal.at + 1), "", gettext("Next photo")),
    );
    return box;
  }

  // The number of groups that the conductor sees; a change proposes the groups again.
  #stepper() {
    const { recount, groups } = this.proposal.shown;
    this.groups = make("input", {
      type: "number",
      min: 1,
      inputMode: "numeric",
      id: "groups-seen",
    });
    const box = make("div", { className: "row stepper", hidden: !recount || !groups.length });
    const by = (step) => () => {
      // at once, for a second press before the answer
      this.groups.value = Math.max(1, Number(this.groups.value) + step);
      recount(Number(this.groups.value));
    };
    const label = make("label", { textContent: gettext("How many groups do you see?") });
    label.htmlFor = this.groups.id;
    this.groups.addEventListener("change", () => by(0)());
    box.append(
      label,
      this.#button("−", by(-1), "fewer", gettext("One group fewer")),
      this.groups,
      this.#button("+", by(1), "more", gettext("One group more")),
    );
    return box;
  }

  // A toggle: fingers draw around cards instead of scrolling the photo.
  #around() {
    const button = this.#button(gettext("Draw around"), () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", on);
      for (const { lasso } of this.proposal.overlays) lasso.enableTouch(on);
    }, "around");
    button.setAttribute("aria-pressed", "false");
    return button;
  }

  #enlarge(at = (this.zoomed + 1) % ZOOMS.length) {
    this.zoomed = at;
    for (const overlay of this.proposal.overlays) overlay.zoom(ZOOMS[at]);
    setText(this.zoom, gettext("Zoom %(times)s×", { times: ZOOMS[at] }));
    this.zoom.ariaLabel = gettext("Photo %(now)s times as large; press for %(next)s times", {
      now: ZOOMS[at],
      next: ZOOMS[(at + 1) % ZOOMS.length],
    });
  }

  showStatus(words) {
    setText(this.words, words);
  }

  focus(key) {
    this.tools.querySelector(`[data-key="${key}"]`)?.focus();
  }

  redraw() {
    const { group, keys, table, headers } = this.proposal;
    const unread = this.proposal.unread.length;
    const moving =
      [...group].filter(([card, key]) => table.placed.has(card) && table.placed.get(card) !== key)
        .length;
    const hidden = this.#hidden(unread);
    this.discard.hidden = this.proposal.overlays.length < 2 || !this.proposal.unsettled ||
      !this.proposal.shown.without;
    setText(
      this.page,
      gettext("Photo %(number)s of %(all)s", {
        number: this.proposal.at + 1,
        all: this.proposal.overlays.length,
      }),
    );
    if (document.activeElement !== this.groups) this.groups.value = this.proposal.seen;
    this.found.redraw();
    const numbered = keys.filter((key) => headers.has(key)).length;
    this.showStatus(
      [
        this.#whetherSettled(),
        group.size
          ? ngettext(
            "%(seen)s of %(all)s in %(num)s group.",
            "%(seen)s of %(all)s in %(num)s groups.",
            keys.length,
            {
              seen: group.size,
              all: cardsOf(table.cards.size),
            },
          )
          : this.#nothingFound(),
        numbered
          ? ngettext("%(num)s header card read.", "%(num)s header cards read.", numbered)
          : "",
        unread
          ? ngettext("%(num)s card not read, ringed.", "%(num)s cards not read, ringed.", unread)
          : "",
        hidden
          ? ngettext(
            "%(num)s card not photographed yet.",
            "%(num)s cards not photographed yet.",
            hidden,
          )
          : "",
        moving
          ? ngettext(
            "%(num)s card will move out of the recorded group.",
            "%(num)s cards will move out of the recorded group.",
            moving,
          )
          : "",
      ].filter(Boolean).join(" "),
    );
    this.#drawChips();
    this.#drawButtons();
    this.#drawSight();
  }

  // Another device may have discarded the photos, or confirmed them.
  #whetherSettled() {
    const { table, shown, unsettled, confirmable } = this.proposal;
    if (!table.open) return "";
    const discarded = table.server.photos.filter((photo) => photo.discarded).map(({ id }) => id);
    if (shown.photos.every(({ id }) => discarded.includes(id))) {
      return ngettext(
        "This photo was discarded.",
        "These photos were discarded.",
        shown.photos.length,
      );
    }
    return unsettled || confirmable ? "" : gettext("Nothing left to confirm.");
  }

  // A discarded photo may show cards that are in no group.
  #nothingFound() {
    return this.proposal.shown.photos.some(({ reading }) => reading.cards.length)
      ? ""
      : gettext("No card of this table was found in this photo.");
  }

  // The number of cards that are neither recorded nor on these photos. A card that is face down on a
  // white table cannot be ringed, but is counted here.
  #hidden(unread) {
    const { table, shown, unsettled } = this.proposal;
    if (!unsettled || shown.photos.some((photo) => photo.one_group)) return 0;
    const read = shown.photos.flatMap((photo) => photo.reading.cards);
    const seen = new Set([...read.map(({ stimulus }) => stimulus), ...this.proposal.group.keys()]);
    return Math.max(0, table.missing.filter((card) => !seen.has(card)).length - unread);
  }

  // Show the selected cards or those of the pressed groups; else the card under the pointer or with
  // the focus.
  #drawSight() {
    const { chosen, pressed, table } = this.proposal;
    const cards = chosen.size
      ? [...chosen]
      : pressed.length
      ? pressed.flatMap((key) => this.proposal.cards(key))
      : this.pointed
      ? [this.pointed]
      : [];
    if (this.sight.dataset.cards === String(cards)) return;
    this.sight.dataset.cards = cards;
    this.sight.replaceChildren(...cards.map((id) => {
      const { card, name, thumbnail } = table.cards.get(id);
      const picture = make("span", { className: "stimulus", title: `${card} · ${name}` });
      picture.append(
        Object.assign(new Image(64, 64), {
          src: thumbnail,
          alt: gettext("Card %(card)s, %(name)s", { card, name }),
        }),
      );
      return picture;
    }));
  }

  point(card) {
    this.pointed = card;
    this.#drawSight();
  }

  // Chips are updated in place, and not moved needlessly, so that focus and touch are not lost.
  #drawChips() {
    const { keys, pressed, size, headers } = this.proposal;
    const chips = new Map([...this.tools.children].map((chip) => [chip.dataset.key, chip]));
    for (const [key, chip] of chips) if (!keys.includes(key)) chip.remove();
    const sorted = [...keys].sort((a, b) => this.proposal.number(a) - this.proposal.number(b));
    sorted.forEach((key, at) => {
      const chip = chips.get(key) || this.#chip(key);
      const number = this.proposal.number(key);
      const [badge, count] = chip.children;
      badge.className = `badge ${colour(number)}`;
      setText(badge, number);
      setText(count, headers.has(key) ? `${size.get(key)} ⚑` : size.get(key));
      chip.setAttribute("aria-pressed", pressed.includes(key));
      chip.setAttribute(
        "aria-label",
        headers.has(key)
          ? gettext("Group %(number)s, %(cards)s, header card %(header)s", {
            number,
            cards: cardsOf(size.get(key)),
            header: headers.get(key),
          })
          : gettext("Group %(number)s, %(cards)s", { number, cards: cardsOf(size.get(key)) }),
      );
      const there = this.tools.children[at] ?? null;
      if (there !== chip) this.tools.insertBefore(chip, there);
    });
  }

  #chip(key) {
    const chip = this.#button("", () => this.proposal.tapGroup(key), "chip");
    chip.dataset.key = key;
    chip.append(make("span"), make("span"));
    return chip;
  }

  // Unchanged buttons are not replaced, so that focus and touch are not lost.
  #drawButtons() {
    const { chosen, pressed } = this.proposal;
    this.element.classList.toggle("choosing", chosen.size > 0);
    const wanted = [];
    if (chosen.size) {
      wanted.push(
        [
          ngettext("New group of %(num)s", "New group of %(num)s", chosen.size),
          () => this.proposal.split(),
        ],
        [gettext("Don't record"), () => this.proposal.leaveOut()],
        [gettext("Cancel"), () => this.proposal.deselect(), "plain"],
      );
    }
    if (pressed.length > 1) {
      const groups = listed(pressed.map((key) => String(this.proposal.number(key))));
      wanted.push([gettext("Merge %(groups)s", { groups }), () => this.proposal.merge()]);
    }
    const labels = wanted.map(([label]) => label).join();
    if (labels !== this.offered) {
      this.offered = labels;
      const hadFocus = this.chosen.contains(document.activeElement);
      this.chosen.replaceChildren(...wanted.map((one) => this.#button(...one)));
      // Else keys would be taken for card numbers.
      if (hadFocus) this.proposal.box.focus({ preventScroll: true });
    }
    this.#drawDecisions();
  }

  #drawDecisions() {
    const { proposal } = this;
    const { confirmable, unsettled, keys } = proposal;
    const count = proposal.shown.photos.length;
    const discard = count > 2
      ? ngettext("Discard %(num)s photo", "Discard all %(num)s photos", count)
      : count > 1
      ? gettext("Discard both photos")
      : gettext("Discard photo");
    const settle = confirmable
      ? ngettext("Confirm %(num)s group", "Confirm %(num)s groups", keys.length)
      : gettext("Close photo");
    const wanted = unsettled ? [discard, settle] : [settle];
    if (this.decided?.join() === wanted.join()) return;
    this.decided = wanted;
    this.decisions.replaceChildren();
    if (unsettled) {
      this.decisions.append(this.#button(discard, () => proposal.setAside()));
    }
    this.decisions.append(
      this.#button(
        settle,
        () => (confirmable ? proposal.confirm() : proposal.close()),
        "primary confirm",
      ),
    );
  }

  #button(label, action, className = "", ariaLabel = null) {
    const button = make("button", { type: "button", textContent: label, className, ariaLabel });
    button.addEventListener("click", action);
    return button;
  }
}
