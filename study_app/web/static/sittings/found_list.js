// Recording page: points to check on photos, with the current numbers of the groups, and buttons to
// resolve them.

import { gettext, ngettext } from "../modules/texts.js";
import { lineOf } from "./words.js";

const make = (tag, properties = {}) => Object.assign(document.createElement(tag), properties);
const KEY = /\{([\w-]+)\}/g;

export class FoundList {
  constructor(proposal) {
    this.proposal = proposal;
    this.found = proposal.shown.found ?? [];
    this.said = [];
    // Several points are collapsed to the first, so that the photo stays visible.
    this.element = make("details", { className: "found" });
    this.summary = make("summary");
    this.list = make("ul", { className: "several", tabIndex: 0 });
    this.element.append(this.summary, this.list);
    this.element.addEventListener("toggle", () => this.#summarize());
  }

  // What is left to check: neither unread cards that the conductor identified on the photo, nor cards
  // in two groups whose group the conductor chose, nor groups in doubt that the conductor changed.
  get left() {
    const { proposal } = this;
    return this.found.filter(({ photo, keys, stimulus, cards = [], doubted }) => {
      if (photo) return this.#unread(photo);
      if (doubted?.length) return !this.#isRegrouped(doubted);
      return !keys?.length || ![stimulus, ...cards].every((card) => proposal.isDecided(card));
    });
  }

  // The groups that the cards of a proposed group are in now, and how many of them, the most first.
  now(key) {
    const { shown, group } = this.proposal;
    const count = new Map();
    for (const card of shown.groups.find((one) => one.key === key)?.cards ?? []) {
      const now = group.get(card);
      if (now) count.set(now, (count.get(now) ?? 0) + 1);
    }
    return [...count].sort(([, one], [, other]) => other - one);
  }

  // Whether the conductor split the group that may be two groups, or merged those that may be one. A
  // card that was moved to another group alone does not split its group.
  #isRegrouped(doubted) {
    const now = doubted.map((key) => this.now(key));
    if (now.length > 1) return new Set(now.map(([most]) => most?.[0])).size < now.length;
    return now[0].length > 1 &&
      now[0].some(([key, cards]) => key !== doubted[0] && (cards > 1 || key.startsWith("new-")));
  }

  #unread(photo) {
    return this.proposal.unreadOn({ id: photo }).length;
  }

  // `fewer` are the sentences for each smaller number of unread cards, the largest first.
  #sentence({ words, photo, fewer }) {
    const done = photo ? fewer.length + 1 - this.#unread(photo) : 0;
    return fewer?.[done - 1] ?? words;
  }

  // A group that the conductor merged into another one has its number.
  #number(key) {
    const { proposal } = this;
    return proposal.number(key) ?? proposal.number(this.now(key)[0]?.[0]) ?? "?";
  }

  words(one, ...more) {
    if (more.length) {
      const each = [one, ...more].map(({ doubted }) =>
        doubted.map((key) => this.#number(key)).join(" + ")
      );
      const between = one.doubted.length > 1 ? "; " : ", ";
      return one.several.replace("%(groups)s", each.join(between));
    }
    return this.#sentence(one).replace(KEY, (_, key) => this.#number(key));
  }

  // What is left to check; groups in doubt for the same reason are one point.
  get #points() {
    const alike = new Map();
    for (const one of this.left) {
      const key = one.several || one;
      alike.set(key, [...(alike.get(key) ?? []), one]);
    }
    return [...alike.values()];
  }

  redraw() {
    const points = this.#points;
    const found = points.map(([first]) => first);
    const said = points.map((point) => this.words(...point));
    this.element.hidden = !found.length;
    if (!found.length || this.list.dataset.said === said.join("\n")) return;
    this.list.dataset.said = said.join("\n");
    this.said = said;
    this.element.classList.toggle("single", said.length === 1);
    if (said.length === 1) this.element.open = true;
    this.#summarize();
    this.list.replaceChildren(...found.map((one, at) => this.#row(one, said[at])));
  }

  // Collapsed, the first point is shown whole; opened, it is in the list only.
  #summarize() {
    const [first] = this.said;
    const count = this.said.length;
    this.summary.textContent = this.element.open
      ? ngettext("%(num)s point to check", "%(num)s points to check", count)
      : ngettext(
        "%(num)s point to check: %(first)s",
        "%(num)s points to check: %(first)s",
        count,
        { first },
      );
  }

  #row(one, words) {
    const row = make("li");
    row.append(...lineOf(words, one.picture), ...this.#choices(one));
    if (one.open && !document.getElementById("record").dataset.phone) {
      row.append(
        make("a", {
          className: "button",
          href: one.open,
          textContent: gettext("Open %(sitting)s", { sitting: one.sitting }),
        }),
      );
    }
    return row;
  }

  // A button for each group of cards that were seen in two groups.
  #choices(one) {
    return (one.keys ?? []).map((key) => {
      const name = gettext("Group %(number)s", { number: this.#number(key) });
      const button = make("button", { type: "button", textContent: name });
      button.addEventListener("click", () => {
        this.proposal.assign([one.stimulus, ...(one.cards ?? [])], key);
        this.proposal.panel.focus(key);
      });
      return button;
    });
  }
}
