// Pictures page: uploads chosen or dropped files in pieces, shows the progress, and imports them.

import { onChosen } from "../modules/chosen.js";
import { send } from "../modules/server.js";
import { countByFolder, droppedFiles, isTask, withPaths } from "./files.js";
import { gettext, ngettext } from "../modules/texts.js";

const PIECE_BYTES = 8 * 1024 * 1024;
const FILES_AT_ONCE = 60;
const TRIES = 4;

const section = document.querySelector("#import");
const drop = section.querySelector("#drop");
const form = section.querySelector("#choice");
const sending = section.querySelector("#sending");
const refusal = section.querySelector("#refusal");
let files = [];

const show = (part) =>
  [drop, form, sending].forEach((one) => {
    one.hidden = one !== part;
  });
const say = (message) => {
  refusal.textContent = message;
  refusal.hidden = !message;
};
const size = (bytes) =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

function choose(found) {
  say("");
  files = found;
  if (!files.length) {
    say(gettext("No files found. Choose pictures, a .zip or an .ndjson file."));
    return;
  }
  const folders = countByFolder(files);
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  const packed = files.some(({ path }) => /\.zip$/i.test(path));
  const several = folders.size > 1 || packed;
  form.querySelector("#chosen").textContent = ngettext(
    "%(num)s file, %(size)s",
    "%(num)s files, %(size)s",
    files.length,
    { size: size(bytes) },
  );
  form.querySelector("#per-folder").hidden = !several;
  form.querySelector("#folders").textContent = packed
    ? gettext("%(names)s; those inside the .zip too", { names: words(folders) })
    : words(folders);
  form.querySelector("#as-task").hidden = !several;
  form.elements.into.value = isTask(files) ? "task" : several ? "folders" : "one";
  showTask();
  form.elements.set_name.value = folders.size === 1 ? [...folders.keys()][0] : "";
  form.querySelector("#start").textContent = ngettext(
    "Import %(num)s file",
    "Import %(num)s files",
    files.length,
  );
  show(form);
  form.querySelector("#start").focus();
}

// Ask for a task's name and scale if a task is imported.
function showTask() {
  const asked = form.elements.into.value === "task";
  form.querySelector("#task").hidden = !asked;
  for (const part of ["#duplicates", "#sample"]) form.querySelector(part).hidden = asked;
  form.elements.most_similar_end.required = asked;
  form.elements.task_name.required = asked;
}

function words(folders) {
  const names = [...folders.keys()].map((name) => name || gettext("Pictures")).sort(
    new Intl.Collator("en", { numeric: true }).compare,
  );
  return names.length > 8
    ? gettext("%(names)s and %(more)s more", {
      names: names.slice(0, 8).join(", "),
      more: names.length - 8,
    })
    : names.join(", ");
}

function* pieces() {
  for (const [number, { file, path }] of files.entries()) {
    let offset = 0;
    do {
      const blob = file.slice(offset, offset + PIECE_BYTES);
      yield { number, name: path, offset, blob };
      offset += PIECE_BYTES;
    } while (offset < file.size);
  }
}

function* loads() {
  let load = [], bytes = 0;
  for (const piece of pieces()) {
    if (load.length && (bytes + piece.blob.size > PIECE_BYTES || load.length >= FILES_AT_ONCE)) {
      yield load;
      load = [];
      bytes = 0;
    }
    load.push(piece);
    bytes += piece.blob.size;
  }
  if (load.length) yield load;
}

async function sendLoad(address, load) {
  const body = new FormData();
  body.append(
    "about",
    JSON.stringify(load.map(({ number, name, offset }) => ({ number, name, offset }))),
  );
  for (const { blob } of load) body.append("pieces", blob, "piece");
  for (let attempt = 1;; attempt += 1) {
    try {
      return await send(address, body);
    } catch (fault) {
      if (fault.status || attempt === TRIES) throw fault;
      await new Promise((resume) => setTimeout(resume, 1000 * attempt));
    }
  }
}

async function start() {
  const into = form.elements.into.value;
  const chosen = {
    set_name: into === "one" ? form.elements.set_name.value.trim() : null,
    duplicates: form.elements.duplicates.value,
    sample: form.elements.sample.value.trim(),
    seed: form.elements.seed.value.trim(),
  };
  if (into === "task") {
    chosen.task = {
      name: form.elements.task_name.value.trim(),
      most_similar_end: form.elements.most_similar_end.value,
    };
  }
  if (into === "one" && !chosen.set_name) {
    say(gettext("Give the set a name."));
    form.elements.set_name.focus();
    return;
  }
  say("");
  show(sending);
  window.addEventListener("beforeunload", warn);
  try {
    const room = await send(section.dataset.uploads);
    await sendAll(room.pieces);
    const answer = await send(room.finish, chosen);
    window.removeEventListener("beforeunload", warn);
    location.assign(answer.page);
  } catch (fault) {
    window.removeEventListener("beforeunload", warn);
    say(
      fault.status ? fault.message : gettext(
        "The connection was lost during the upload. Import the files again; duplicates are skipped.",
      ),
    );
    show(form);
  }
}

async function sendAll(address) {
  const bar = sending.querySelector("progress");
  const status = sending.querySelector("[role=status]");
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  let sent = 0;
  bar.max = total || 1;
  for (const load of loads()) {
    status.textContent = gettext("Sent %(sent)s of %(total)s", {
      sent: size(sent),
      total: size(total),
    });
    await sendLoad(address, load);
    sent += load.reduce((sum, { blob }) => sum + blob.size, 0);
    bar.value = sent;
  }
}

const warn = (event) => event.preventDefault();

for (const input of section.querySelectorAll("input[type=file]")) {
  onChosen(input, (files) => choose(withPaths(files)));
}
form.addEventListener("submit", (event) => {
  event.preventDefault();
  start();
});
form.addEventListener("change", showTask);
form.elements.set_name.addEventListener("input", () => {
  form.elements.into.value = "one";
  showTask();
});
form.querySelector("#cancel-import").addEventListener("click", () => {
  say("");
  show(drop);
});
for (const kind of ["dragenter", "dragover"]) {
  section.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
}
section.addEventListener("dragleave", () => drop.classList.remove("over"));
section.addEventListener("drop", async (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  choose(await droppedFiles(event.dataTransfer));
});
