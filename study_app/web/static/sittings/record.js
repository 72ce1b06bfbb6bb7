// Recording page: groups recorded by photo, scanner, camera or hand, until every card is in one.

import { FailedImages } from "../modules/failed_images.js";
import { rove } from "../modules/roving.js";
import { get } from "../modules/server.js";
import { gettext, ngettext } from "../modules/texts.js";
import { LiveCamera } from "./camera.js";
import { Photos } from "./photo.js";
import { Groups } from "./groups.js";
import { Phones } from "./phones.js";
import { savedWords } from "./saved.js";
import { Scanner } from "./scanner.js";
import { Table } from "./table.js";
import { Toolbar } from "./toolbar.js";
import { beep, cardsOf, setText, showMessage } from "./words.js";

const element = (id) => document.getElementById(id);
const root = element("record");
const parse = (id) => JSON.parse(element(id).textContent);

const FEW = 8;
// The most cards that a message names; of more, it gives the number.
const NAMED = 8;
const MANY_MISSING = 60;

let drawn;
// The message that steps are not saved yet.
let unsaved;

// Several changes at once are drawn once, in the next animation frame.
function draw() {
  drawn ||= requestAnimationFrame(() => {
    drawn = null;
    drawNow();
  });
}

function drawNow() {
  groups.draw();
  photos.view.draw(stepsWaiting() > 0);
  toolbar.draw();
  const left = table.missing.length;
  root.classList.toggle("closed", !table.open);
  root.classList.toggle("complete", !left);
  root.classList.toggle("live", camera.isOn);
  element("missing").classList.toggle("dark", Boolean(table.lit?.size) || camera.isOn);
  setText(
    element("count"),
    gettext("%(placed)s of %(all)s", { placed: table.cards.size - left, all: table.cards.size }),
  );
  const rest = left ? ngettext("%(num)s missing", "%(num)s missing", left) : gettext("complete");
  setText(element("missing-count"), `· ${rest}`);
  const { calm, words } = savedWords(table, photos);
  setText(element("saved"), `· ${words}`);
  element("saved").className = calm ? "" : "warn";
  element("missing-title").hidden =
    element("missing-hint").hidden =
    element("missing").hidden =
      !left;
  for (const place of document.querySelectorAll("[data-current]")) {
    setText(place, table.numberOf(table.current));
  }
  const undoable = table.undoable;
  const hadFocus = document.activeElement === element("undo");
  element("undo").disabled = !undoable;
  if (hadFocus && !undoable) element("steps").focus({ preventScroll: true });
  element("undo").title = undoable ? undoTitle(undoable) : "";
  element("sign-in").hidden = !table.needsSignIn;
  if (!stepsWaiting()) unsaved?.remove();
  fewMissing();
  // One primary button at a time: that of the open photo, else that of the table.
  const photoIsOpen = !element("proposal").hidden;
  element("finish").classList.toggle("primary", !left && !photoIsOpen);
  document.querySelector(".camera-button").classList.toggle("primary", left > 0 && !photoIsOpen);
}

// The first missing cards are also shown in the footer, so that they are always visible.
function fewMissing() {
  const few = table.missing.length <= MANY_MISSING ? table.missing.slice(0, FEW) : [];
  const box = element("few-missing");
  if (box.dataset.cards === String(few)) return;
  box.dataset.cards = few;
  box.replaceChildren(
    ...few.map((id) =>
      Object.assign(new Image(36, 36), { src: table.cards.get(id).thumbnail, alt: "" })
    ),
  );
}

function undoTitle({ kind, cards }) {
  if (kind === "describe") return gettext("Reverts a name or note");
  return kind === "set_aside" || !cards
    ? gettext("Reopens the photo")
    : ngettext("Moves back %(num)s card", "Moves back %(num)s cards", cards);
}

const stepsWaiting = () => table.queue.waiting + photos.waiting;
const numberOf = (id) => table.cards.get(id).card;

// Put a card into the current group; returns whether it was put there, or null if nothing needs to
// be reported.
function take(id, how) {
  const group = table.placed.get(id);
  if (group === undefined) {
    table.place(id, how);
    groups.point(id, camera.isOn);
    return true;
  }
  if (group === table.current) {
    if (how === "camera") return null;
    showMessage(gettext("Card %(card)s is already in this group.", { card: numberOf(id) }), {
      card: table.cards.get(id).thumbnail,
      calm: true,
    });
    return false;
  }
  reportElsewhere([{ card: id, number: table.numberOf(group) }], table.current);
  return false;
}

function reportElsewhere(found, key) {
  const cards = found.map(({ card }) => card);
  const group = table.numberOf(key);
  const one = found.length === 1;
  const where = found.slice(0, NAMED).map(({ card, number }) =>
    gettext("%(card)s in %(group)s", { card: numberOf(card), group: number })
  );
  if (found.length > NAMED) where.push("…");
  const words = one
    ? gettext(
      "Card %(card)s is already in group %(group)s. A card can be in only one group.",
      { card: numberOf(cards[0]), group: found[0].number },
    )
    : ngettext(
      "%(num)s card is already in another group: %(where)s.",
      "%(num)s cards are already in other groups: %(where)s.",
      found.length,
      { where: where.join(", ") },
    );
  const move = () =>
    table.record("move", [{ key, cards }], { reason: "found again in another group" });
  showMessage(words, {
    card: table.cards.get(cards[0]).thumbnail,
    actions: [[
      one
        ? gettext("Move it to group %(group)s", { group })
        : gettext("Move them to group %(group)s", { group }),
      move,
    ]],
    leave: one ? gettext("Keep it there") : gettext("Keep them there"),
  });
}

function startHeader(number) {
  table.startHeader(number);
  const group = table.numberOf(table.current);
  const calm = group === number;
  const words = calm
    ? gettext("Cards now go into group %(group)s.", { group })
    : gettext("Cards now go into group %(group)s: group %(number)s already exists.", {
      group,
      number,
    });
  showMessage(words, { calm });
}

// Act on the server's verdict on a code: a card of this table, a header card, or a refusal.
function applyVerdict(verdict, how) {
  if (verdict.header) {
    startHeader(verdict.header);
    return true;
  }
  if (verdict.refused) {
    showMessage(verdict.refused, { card: verdict.picture });
    return false;
  }
  return take(verdict.stimulus, how);
}

// A line from the scanner or the number field: a known code is recorded without asking the server.
async function line(text, digits, scanned) {
  if (!table.open) return;
  const how = scanned ? "scanner" : "hand";
  const code = digits ?? text;
  const card = table.byCode.get(code) ??
    (/^\d{1,5}$/.test(code) ? table.byNumber.get(Number(code)) : undefined);
  if (card !== undefined) {
    beep(take(card, how));
    return;
  }
  if (table.headers.has(code)) {
    startHeader(table.headers.get(code));
    beep(true);
    return;
  }
  try {
    const verdict = await get(
      `${table.address}/card?typed=${encodeURIComponent(digits?.length >= 14 ? digits : text)}`,
    );
    beep(applyVerdict(verdict, how));
  } catch (refusal) {
    beep(false);
    showMessage(
      refusal.status
        ? refusal.message
        : gettext("Can't identify %(code)s offline. Scan it again later.", { code: text }),
    );
  }
}

const thumbnails = new FailedImages(root);
const table = new Table(root.dataset, parse("deck"), parse("table"), {
  changed: draw,
  reached: () => {
    thumbnails.loadAgain();
    photos.view.reached();
  },
  refused: (why, refused) => {
    const cards = refused.length > NAMED
      ? cardsOf(refused.length)
      : ngettext("card %(numbers)s", "cards %(numbers)s", refused.length, {
        numbers: refused.map(numberOf).join(", "),
      });
    showMessage(
      refused.length
        ? gettext("Not recorded (%(cards)s): %(why)s", { cards, why })
        : gettext("Not recorded: %(why)s", { why }),
    );
  },
  elsewhere: (found, key) => {
    photos.view.taken?.remove();
    reportElsewhere(found, key);
  },
  unchanged: () => showMessage(gettext("Nothing left to confirm."), { calm: true }),
});
const groups = new Groups(table, { missing: element("missing"), groups: element("groups") });
const photos = new Photos(table, element("proposal"), root.dataset);
photos.addEventListener("change", draw);
photos.resume();
const toolbar = new Toolbar(table, groups, draw);
const camera = new LiveCamera(table.address, element("camera"), element("live"), {
  take: (found) => applyVerdict(found, "camera"),
  changed: draw,
});
const phone = element("phone");
if (phone) new Phones(table.address, phone, element("phone-dialog"));
for (
  const [id, tiles] of [["missing", "button"], ["groups", "button.stimulus"], [
    "photo-strip",
    "button",
  ]]
) {
  rove(element(id), tiles);
}
new Scanner({
  line,
  key: (name) => {
    if (table.open) name === "n" ? table.nextGroup() : table.undo();
  },
});

root.addEventListener("click", (event) => {
  const button = event.target.closest("button.stimulus[data-card]");
  if (!button || !table.open) return;
  const id = Number(button.dataset.card);
  if (table.placed.has(id)) {
    groups.toggle(id);
    draw();
  } else take(id, "hand");
});
element("by-number").addEventListener("submit", (event) => {
  event.preventDefault();
  const typed = element("number").value.trim();
  element("number").value = "";
  if (typed) line(typed, /^\d+$/.test(typed) ? typed : null, false);
});
element("undo").addEventListener("click", () => table.undo());
element("next-group").addEventListener("click", () => table.nextGroup());
element("finish").addEventListener("click", () => {
  const left = table.missing.length;
  const waiting = stepsWaiting();
  if (waiting) {
    const { calm, words } = savedWords(table, photos);
    unsaved = showMessage(
      calm
        ? ngettext(
          "%(num)s step is not saved yet. Wait a moment, then finish.",
          "%(num)s steps are not saved yet. Wait a moment, then finish.",
          waiting,
        )
        : gettext("Not saved yet: %(state)s. Finish once everything is saved.", { state: words }),
    );
    return;
  }
  if (photos.view.open.length) {
    photos.view.sayUnconfirmed();
    return;
  }
  setText(
    element("finish-words"),
    left
      ? [
        ngettext(
          "%(num)s card of %(all)s is not in a group and will be counted as not placed.",
          "%(num)s cards of %(all)s are not in a group and will be counted as not placed.",
          left,
          { all: table.cards.size },
        ),
        gettext("Look for cards on top of each other or turned over."),
      ].join(" ")
      : ngettext(
        "All %(num)s card is in a group.",
        "All %(num)s cards are in a group.",
        table.cards.size,
      ),
  );
  setText(element("reason-words"), ngettext("Why is it missing?", "Why are they missing?", left));
  element("reason-field").hidden = !left;
  element("reason").required = Boolean(left);
  element("finish-dialog").showModal();
});
element("cancel-finish").addEventListener("click", () => element("finish-dialog").close());
// The foot is higher with longer words, as in other languages.
new ResizeObserver(([{ target }]) => {
  document.documentElement.style.setProperty("--foot", `${target.offsetHeight}px`);
}).observe(root.querySelector(".foot"));
draw();
document.querySelector(".unloaded").remove();
