// Record page: groups recorded by photo, scanner, camera or hand, until every card is in one.

import { rove } from "../modules/roving.js";
import { get } from "../modules/server.js";
import { counted } from "../modules/words.js";
import { LiveCamera } from "./camera.js";
import { Photos } from "./photo.js";
import { Groups } from "./groups.js";
import { Phones } from "./phones.js";
import { Scanner } from "./scanner.js";
import { Table } from "./table.js";
import { Toolbar } from "./toolbar.js";
import { beep, say, tell } from "./words.js";

const element = (id) => document.getElementById(id);
const root = element("record");
const parse = (id) => JSON.parse(element(id).textContent);

const FEW = 8;
const MANY_MISSING = 60;

let drawn;

// However much changes at once, the page is drawn once a frame.
function draw() {
  drawn ||= requestAnimationFrame(() => {
    drawn = null;
    drawNow();
  });
}

function drawNow() {
  groups.draw();
  photos.view.draw();
  toolbar.draw();
  const left = table.missing.length;
  root.classList.toggle("closed", !table.open);
  root.classList.toggle("complete", !left);
  element("missing").classList.toggle("dark", Boolean(table.lit?.size) || camera.isOn);
  say(element("count"), `${table.cards.size - left} of ${table.cards.size}`);
  say(element("left-over"), left ? `· ${left} missing` : "· complete");
  const { calm, words } = table.saved;
  say(element("saved"), `· ${words}`);
  element("saved").className = calm ? "" : "warn";
  element("missing-title").hidden =
    element("missing-hint").hidden =
    element("missing").hidden =
      !left;
  for (const place of document.querySelectorAll("[data-current]")) {
    say(place, table.numberOf(table.current));
  }
  const undoable = table.undoable;
  element("undo").disabled = !undoable;
  element("undo").title = undoable ? takesBack(undoable) : "";
  element("sign-in").hidden = !table.needsSignIn;
  fewMissing();
  // One next step at a time: the photo's own, then the table's.
  const looking = !element("proposal").hidden;
  element("finish").classList.toggle("primary", !left && !looking);
  document.querySelector(".camera-button").classList.toggle("primary", left > 0 && !looking);
}

// The first missing cards stand in the foot as well, wherever the page is scrolled to.
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

function takesBack({ kind, cards }) {
  if (kind === "describe") return "Takes back a name or note";
  return kind === "set_aside" || !cards
    ? "Takes the photo up again"
    : `Takes back ${counted(cards, "card")}`;
}

const numberOf = (id) => table.cards.get(id).card;

// Put a card into the current group, whichever way it came; says whether it went there, null where
// there is nothing to say.
function take(id, how) {
  const lies = table.placed.get(id);
  if (lies === undefined) {
    table.place(id, how);
    groups.point(id);
    return true;
  }
  if (lies === table.current) {
    if (how === "camera") return null;
    tell(`Card ${numberOf(id)} is already in this group.`, {
      card: table.cards.get(id).thumbnail,
      calm: true,
    });
    return false;
  }
  liesElsewhere([{ card: id, number: table.numberOf(lies) }], table.current);
  return false;
}

function liesElsewhere(found, key) {
  const cards = found.map(({ card }) => card);
  const words = found.length === 1
    ? `Card ${numberOf(cards[0])} is already in group ${
      found[0].number
    }. A card can be in only one group.`
    : `${counted(found.length, "card")} are already in other groups: ${
      found.slice(0, 8).map(({ card, number }) => `${numberOf(card)} in ${number}`).join(", ")
    }${found.length > 8 ? ", …" : ""}.`;
  const move = () =>
    table.act("move", [{ key, cards }], { reason: "found again in another group" });
  tell(words, {
    card: table.cards.get(cards[0]).thumbnail,
    actions: [[`Move ${found.length === 1 ? "it" : "them"} to group ${table.numberOf(key)}`, move]],
    leave: found.length === 1 ? "Keep it there" : "Keep them there",
  });
}

function startHeader(number) {
  table.startHeader(number);
  const group = table.numberOf(table.current);
  const why = group === number ? "" : `: group ${number} already exists`;
  tell(`Cards now go into group ${group}${why}.`, { calm: group === number });
}

// What the server says of a code: a card of this table, a header card, or why not.
function heed(verdict, how) {
  if (verdict.header) {
    startHeader(verdict.header);
    return true;
  }
  if (verdict.refused) {
    tell(verdict.refused, { card: verdict.picture });
    return false;
  }
  return take(verdict.stimulus, how);
}

// A line from the scanner or the number keys: a known code is taken at once, without asking the
// server.
async function line(text, digits, scanned) {
  if (!table.open) return;
  const how = scanned ? "scanner" : "hand";
  const code = digits ?? text;
  const card = table.byCode.get(code) ??
    (code.length <= 5 ? table.byNumber.get(Number(code)) : undefined);
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
    beep(heed(verdict, how));
  } catch (refusal) {
    beep(false);
    tell(refusal.status ? refusal.message : `Can't identify ${text} offline. Scan it again later.`);
  }
}

const table = new Table(root.dataset, parse("deck"), parse("table"), {
  changed: draw,
  refused: (sentence, cards) =>
    tell(
      `Not recorded${
        cards.length
          ? ` (${
            cards.length > 9
              ? counted(cards.length, "card")
              : `card ${cards.map(numberOf).join(", ")}`
          })`
          : ""
      }: ${sentence}`,
    ),
  elsewhere: liesElsewhere,
});
const groups = new Groups(table, { missing: element("missing"), groups: element("groups") });
const photos = new Photos(table, element("proposal"));
photos.resume();
const toolbar = new Toolbar(table, groups, draw);
const camera = new LiveCamera(table.address, element("camera"), element("live"), {
  take: (found) => heed(found, "camera"),
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
  const waiting = table.queue.waiting + photos.waiting;
  if (waiting) {
    tell(`${counted(waiting, "step is", "steps are")} not saved yet. Wait a moment, then finish.`);
    return;
  }
  const open = photos.view.open.length;
  if (open) {
    tell(
      `${
        counted(open, "photo is", "photos are")
      } not confirmed. Confirm the groups, or discard the photos.`,
      {
        actions: [[
          open === 1 ? "Show the photo" : "Show the photos",
          () => photos.view.lookAtOpen(),
        ]],
        leave: "Cancel",
      },
    );
    return;
  }
  say(
    element("finish-words"),
    left
      ? `${counted(left, "card")} of ${table.cards.size} ${
        left === 1 ? "is" : "are"
      } not in a group and will be counted as not placed.`
      : `All ${table.cards.size} cards are in a group.`,
  );
  say(element("reason-words"), left === 1 ? "Why is it missing?" : "Why are they missing?");
  element("reason-field").hidden = !left;
  element("reason").required = Boolean(left);
  element("finish-dialog").showModal();
});
element("not-yet").addEventListener("click", () => element("finish-dialog").close());
draw();
