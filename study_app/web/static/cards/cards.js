// Cards page: the preview of the sheets, which is updated on every change, and printing as a job.

import { follow } from "../modules/jobs.js";
import { get, send } from "../modules/server.js";
import { showLocal } from "../modules/times.js";
import { gettext } from "../modules/texts.js";

const PAUSE_MS = 150;

const form = document.querySelector("#sheet");
const part = (name) => document.querySelector(`#${name}`);
const sheets = document.querySelector(".sheets");
let number = 1;
let waiting = 0;
let asked = 0;

function reveal() {
  const { paper, qr, parts } = form.elements;
  part("custom").hidden = paper.value !== "custom";
  part("duplex").hidden = qr.value !== "back";
  part("part").hidden = !parts.checked;
}

async function preview() {
  const mine = ++asked;
  const query = new URLSearchParams(new FormData(form));
  query.set("page", number);
  part("paper").setAttribute("aria-busy", "true");
  try {
    const answer = await get(`${form.dataset.preview}?${query}`);
    if (mine === asked) show(answer);
  } catch (refusal) {
    if (mine !== asked) return;
    // Show no sheet if it can't be printed, not even the previous one.
    part("paper").replaceChildren();
    part("paper").setAttribute("aria-busy", "false");
    sheets.classList.add("unprintable");
    for (const name of ["page", "sentence"]) part(name).textContent = "";
    part("notes").hidden = part("before").disabled = part("after").disabled = true;
    refuse(refusal.message);
  }
}

function show(answer) {
  const drawn = new DOMParser().parseFromString(answer.svg, "image/svg+xml").documentElement;
  part("paper").replaceChildren(document.importNode(drawn, true));
  part("paper").setAttribute("aria-busy", "false");
  sheets.classList.remove("unprintable");
  part("paper").style.setProperty("--sheet-width", drawn.viewBox.baseVal.width);
  number = answer.page;
  part("page").textContent = gettext("Page %(page)s of %(pages)s", {
    page: answer.page,
    pages: answer.pages,
  });
  part("before").disabled = answer.page === 1;
  part("after").disabled = answer.page === answer.pages;
  part("sentence").textContent = answer.sentence;
  part("notes").replaceChildren(
    ...answer.notes.map((note) =>
      Object.assign(document.createElement("li"), { textContent: note })
    ),
  );
  part("notes").hidden = !answer.notes.length;
  part("refusal").hidden = true;
  part("print").disabled = false;
}

function refuse(sentence) {
  part("refusal").textContent = sentence;
  part("refusal").hidden = false;
  part("print").disabled = true;
}

function change() {
  reveal();
  clearTimeout(waiting);
  waiting = setTimeout(preview, PAUSE_MS);
}

function turn(pages) {
  number += pages;
  preview();
}

async function print() {
  part("print").disabled = true;
  try {
    const answer = await send(form.dataset.print, new FormData(form));
    [part("pdf").href, part("csv").href] = answer.files;
    watch(answer.job);
  } catch (refusal) {
    refuse(refusal.message);
  }
}

// Without a connection or a session, the list stays as it is until the page is reloaded.
async function listDecks() {
  const page = await fetch(location.href).then((answer) => answer.text(), () => "");
  const fresh = new DOMParser().parseFromString(page, "text/html").querySelector("#printed");
  if (!fresh) return;
  showLocal(fresh);
  part("printed").replaceWith(fresh);
}

function watch(address) {
  const job = part("job");
  job.replaceChildren();
  job.dataset.job = address;
  job.hidden = false;
  part("files").hidden = true;
  follow(job);
}

part("job").addEventListener("job:end", ({ detail }) => {
  part("print").disabled = false;
  if (detail.state !== "done") return;
  part("job").hidden = true;
  part("made").textContent = detail.message;
  part("files").hidden = false;
  part("pdf").focus();
  listDecks();
});
form.addEventListener("input", change);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  print();
});
part("before").addEventListener("click", () => turn(-1));
part("after").addEventListener("click", () => turn(1));
part("actual").addEventListener("click", ({ currentTarget }) => {
  const actual = part("paper").classList.toggle("actual");
  currentTarget.setAttribute("aria-pressed", actual);
  currentTarget.textContent = actual ? gettext("Fit to the window") : gettext("Actual size");
});
part("all")?.addEventListener("click", () => {
  for (const box of form.querySelectorAll("[name=set_ids]:not(:disabled)")) box.checked = true;
  change();
});
reveal();
preview();
if (part("job").dataset.running) watch(part("job").dataset.running);
