// Pictures page: the chosen or dropped files, with their folders.

const HIDDEN = /(^|\/)(\.[^/]+|__MACOSX|Thumbs\.db|desktop\.ini)(\/|$)/;

// Chosen files, as { file, path }.
export const withPaths = (files) =>
  files.map((file) => ({ file, path: file.webkitRelativePath || file.name })).filter(visible);

// The dropped files, including those in folders, as { file, path }.
export async function droppedFiles(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) {
    return [...transfer.files].map((file) => ({ file, path: file.name })).filter(visible);
  }
  const found = [];
  for (const entry of entries) await walk(entry, "", found);
  return found.filter(visible);
}

async function walk(entry, above, found) {
  const path = above + entry.name;
  if (entry.isFile) {
    found.push({ file: await new Promise((take, refuse) => entry.file(take, refuse)), path });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((take, refuse) => reader.readEntries(take, refuse));
    if (!some.length) return;
    for (const inside of some) await walk(inside, `${path}/`, found);
  }
}

const visible = ({ path }) => !HIDDEN.test(path);

// The name of the set into which a file is imported: that of a .zip or .ndjson file, else the folder.
export function folderOf(path) {
  const parts = path.split("/");
  const name = parts.at(-1);
  if (/\.(ndjson|zip)$/i.test(name)) return name.replace(/\.[^.]+$/, "");
  return parts.at(-2) || "";
}

export function countByFolder(files) {
  const counts = new Map();
  for (const { path } of files) counts.set(folderOf(path), (counts.get(folderOf(path)) || 0) + 1);
  return counts;
}

// Whether the folders are a ranking task: one has the sketches, and each other folder is named after
// one of them.
export function isTask(files) {
  const folders = new Map();
  for (const { path } of files) {
    const stem = path.split("/").at(-1).replace(/\.[^.]+$/, "");
    folders.set(folderOf(path), [...folders.get(folderOf(path)) || [], stem]);
  }
  return folders.size > 1 &&
    [...folders.values()].some((stems) =>
      stems.length === folders.size - 1 && stems.every((stem) => folders.has(stem))
    );
}
