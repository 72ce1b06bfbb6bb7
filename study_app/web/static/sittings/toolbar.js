// Recording page: the toolbar for selected cards (move, split, remove) and the dialog for a group
// (name, note, merge).

import { rove } from "../modules/roving.js";
import { gettext, ngettext } from "../modules/texts.js";
import { newId } from "./event_queue.js";
import { colour } from "./words.js";

export class Toolbar {
  constructor(table, groups, redraw) {
    Object.assign(this, {
      table,
      groups,
      redraw,
      box: document.getElementById("hand"),
      dialog: document.getElementById("group-dialog"),
    });
    rove(this.box, ".targets button");
    document.getElementById("groups").addEventListener("click", (event) => this.#tap(event));
    this.dialog.addEventListener("close", () => this.#closed());
  }

  #tap(event) {
    const key = event.target.closest(".group")?.dataset.key;
    if (event.target.closest(".choose")) this.table.choose(key);
    if (event.target.closest(".menu")) this.#describe(key);
  }

  // The toolbar above the footer: the groups to which the selected cards can be moved. It stays as it
  // is until they change, so that it keeps the focus, a press and how far it was scrolled.
  draw() {
    const { groups, table, box } = this;
    const cards = [...groups.chosen];
    box.hidden = !cards.length;
    if (cards.length) {
      const home = cards.every((card) => table.placed.get(card) === table.placed.get(cards[0]))
        ? table.placed.get(cards[0])
        : null;
      const targets = table.groups.filter((group) => group.cards.length && group.key !== home)
        .sort((a, b) => a.number - b.number);
      const drawn = JSON.stringify([cards.length, targets.map(({ key, number }) => [key, number])]);
      if (box.dataset.drawn !== drawn) this.#fill(cards, targets);
      box.dataset.drawn = drawn;
    }
    this.settle?.();
    this.settle = null;
  }

  #fill(cards, targets) {
    const focused = this.box.contains(document.activeElement) && document.activeElement.ariaLabel;
    const places = Object.assign(document.createElement("div"), { className: "targets" });
    places.append(
      ...targets.map((group) =>
        this.#button(
          group.number,
          () => this.#move("move", group.key),
          `badge ${colour(group.number)}`,
          gettext("Move to group %(number)s", group),
        )
      ),
    );
    const scrolled = this.box.querySelector(".targets")?.scrollLeft ?? 0;
    this.box.replaceChildren(
      Object.assign(document.createElement("span"), {
        textContent: ngettext(
          "%(num)s card chosen. Move to",
          "%(num)s cards chosen. Move to",
          cards.length,
        ),
      }),
      places,
      this.#button(gettext("New group"), () => this.#move("split", `new-${newId()}`)),
      this.#button(gettext("Remove from the table"), () => this.#move("take_away", "off")),
      this.#button(gettext("Cancel"), () => {
        this.#clear();
        this.redraw();
      }, "plain"),
    );
    places.scrollLeft = scrolled;
    if (!focused) return;
    const buttons = [...this.box.querySelectorAll("button")];
    (buttons.find(({ ariaLabel }) => ariaLabel === focused) ?? buttons[0])
      .focus({ preventScroll: true });
  }

  // Deselect the cards, and give the first the focus once it is in its place; returns them.
  #clear() {
    const cards = [...this.groups.chosen];
    this.groups.clear();
    this.settle = () => this.groups.focus(cards[0]);
    return cards;
  }

  #button(label, action, className = "", name = label) {
    const button = Object.assign(document.createElement("button"), {
      type: "button",
      textContent: label,
      className,
      ariaLabel: name,
    });
    button.addEventListener("click", action);
    return button;
  }

  #move(kind, key) {
    const cards = this.#clear();
    this.table.record(kind, [{ key, cards }], {
      reason:
        { move: "moved by hand", split: "split by hand", take_away: "taken off by hand" }[kind],
    });
  }

  #describe(key) {
    const group = this.table.group(key);
    this.described = key;
    document.getElementById("group-title").textContent = gettext("Group %(number)s", group);
    document.getElementById("group-name").value = group.name;
    document.getElementById("group-note").value = group.note;
    const others = this.table.groups.filter((other) => other.cards.length && other.key !== key);
    document.getElementById("group-into").replaceChildren(
      new Option(gettext("– do not merge –"), ""),
      ...others.map((other) =>
        new Option(
          other.name
            ? gettext("Group %(number)s (%(name)s)", other)
            : gettext("Group %(number)s", other),
          other.key,
        )
      ),
    );
    this.dialog.returnValue = "leave";
    this.dialog.showModal();
  }

  #closed() {
    if (this.dialog.returnValue !== "keep") return;
    const key = this.described;
    const [name, note, into] = ["group-name", "group-note", "group-into"].map((id) =>
      document.getElementById(id).value.trim()
    );
    const group = this.table.group(key);
    if (name !== group.name || note !== group.note) this.table.describe(key, name, note);
    if (into) {
      this.settle = () => this.groups.focus(group.cards[0]);
      this.table.record("merge", [{ key: into, cards: [...group.cards] }], {
        reason: `merged group ${group.number} into ${this.table.numberOf(into)}`,
      });
    }
  }
}
