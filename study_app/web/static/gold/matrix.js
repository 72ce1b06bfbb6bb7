// Gold standard of a set: the similarity matrix, and the two sketches at the pointer or cursor, by
// mouse, keyboard and touch.

import { get } from "../modules/server.js";
import { paint } from "./paint.js";
import { gettext } from "../modules/texts.js";

const PAGE = 10;
const STEPS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-PAGE, 0],
  PageDown: [PAGE, 0],
};

class Matrix {
  constructor(section, { participants, stimuli, groups }) {
    Object.assign(this, { participants, stimuli, groups });
    this.square = section.querySelector(".square");
    this.across = section.querySelector(".across");
    this.down = section.querySelector(".down");
    this.first = section.querySelector("#first");
    this.second = section.querySelector("#second");
    this.counts = section.querySelector("#pair-counts");
    this.who = section.querySelector("#who");
    paint(section.querySelector("canvas"), groups, stimuli.length);
    this.listen();
    const row = this.mostDisputed();
    this.show(row, this.within(row + 1));
  }

  // The first pair shown: the neighbours on which participants disagree most.
  mostDisputed() {
    const evenness = (row) => {
      const { together, apart } = this.count(row, row + 1);
      return Math.min(together.length, apart.length);
    };
    const neighbours = this.stimuli.slice(1).map((_, row) => evenness(row));
    return Math.max(0, neighbours.indexOf(Math.max(...neighbours)));
  }

  listen() {
    const follow = (event) => {
      const box = this.square.getBoundingClientRect();
      this.show(
        this.at(event.clientY - box.top, box.height),
        this.at(event.clientX - box.left, box.width),
      );
    };
    this.square.addEventListener("pointermove", follow);
    this.square.addEventListener("pointerdown", follow);
    this.square.addEventListener("focus", () => this.show(this.row, this.column));
    this.square.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (!step) return;
      event.preventDefault();
      this.show(this.within(this.row + step[0]), this.within(this.column + step[1]));
    });
  }

  at(pixels, size) {
    return this.within(Math.floor((pixels / size) * this.stimuli.length));
  }

  within(index) {
    return Math.max(0, Math.min(this.stimuli.length - 1, index));
  }

  show(row, column) {
    [this.row, this.column] = [row, column];
    const share = (index) => `${(100 * (index + 0.5)) / this.stimuli.length}%`;
    this.across.style.setProperty("top", share(row));
    this.down.style.setProperty("left", share(column));
    this.square.classList.add("pointed");
    this.picture(this.first, row);
    this.picture(this.second, column);
    this.say(row, column);
  }

  picture(image, index) {
    const { name, picture } = this.stimuli[index];
    if (image.getAttribute("src") !== picture) image.src = picture;
    image.alt = name;
    image.nextElementSibling.textContent = name;
  }

  // The participants who put two sketches into one group, and those who did not.
  count(row, column) {
    const together = [], apart = [];
    this.groups.forEach((groups, person) => {
      if (groups[row] < 0 || groups[column] < 0) return;
      (groups[row] === groups[column] ? together : apart).push(this.participants[person]);
    });
    return { together, apart };
  }

  say(row, column) {
    const { together, apart } = this.count(row, column);
    const both = together.length + apart.length;
    if (row === column) {
      this.counts.textContent = gettext("The same sketch, placed by %(both)s.", { both });
    } else if (!both) this.counts.textContent = gettext("No participant placed both.");
    else {this.counts.textContent = gettext("%(together)s of %(both)s put them together.", {
        together: together.length,
        both,
      });}
    const lines = row === column
      ? []
      : [[gettext("Together"), together], [gettext("Apart"), apart]].filter(([, people]) =>
        people.length
      );
    this.who.replaceChildren(...lines.map(([word, people]) => {
      const line = document.createElement("li");
      line.textContent = `${word}: ${people.join(", ")}`;
      return line;
    }));
  }
}

const section = document.querySelector("[data-matrix]");
// Load all columns in parts; each part has some columns of every participant's groups.
async function whole(address) {
  const matrix = await get(address);
  for (let part = matrix; part.next !== null;) {
    part = await get(`${address}?from=${part.next}&mark=${matrix.mark}`);
    matrix.stimuli = matrix.stimuli.concat(part.stimuli);
    matrix.groups = matrix.groups.map((groups, person) => groups.concat(part.groups[person]));
  }
  return matrix;
}

whole(section.dataset.matrix).then(
  (answer) => {
    section.matrix = new Matrix(section, answer);
  },
  (refusal) => {
    section.querySelector("#pair-counts").textContent = refusal.message;
  },
);
