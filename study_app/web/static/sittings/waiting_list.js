// Recording page: the photos and videos that wait for the server: a line for the one that is being
// sent or read, and one that opens the names of the others.

import { ngettext } from "../modules/texts.js";
import { setText } from "./words.js";

const make = (tag, properties = {}) => Object.assign(document.createElement(tag), properties);

export class WaitingList {
  constructor(box) {
    this.box = box;
    // The line of each file, by id.
    this.lines = new Map();
    this.first = make("ul");
    this.rest = make("ul", { tabIndex: 0 });
    this.summary = make("summary");
    this.more = make("details");
    this.more.append(this.summary, this.rest);
    box.append(this.first);
  }

  has(id) {
    return this.lines.has(id);
  }

  add(id, name) {
    const line = make("li", { textContent: name });
    this.lines.set(id, line);
    this.rest.append(line);
    this.#count();
  }

  // The line of the file that is sent or read now.
  begin(id) {
    const line = this.lines.get(id);
    line.className = "busy";
    this.first.append(line);
    this.#count();
    return line;
  }

  remove(id) {
    this.lines.get(id).remove();
    this.lines.delete(id);
    this.#count();
  }

  #count() {
    const count = this.rest.childElementCount;
    if (count) {
      setText(
        this.summary,
        ngettext("%(num)s more file is waiting", "%(num)s more files are waiting", count),
      );
      if (!this.more.isConnected) this.box.append(this.more);
      return;
    }
    if (this.more.contains(document.activeElement)) this.box.focus({ preventScroll: true });
    this.more.remove();
  }
}
