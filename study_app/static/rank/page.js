// participate/rank.html: brings the parts together: the list, the grid, the scale, looking over, and what is sent.

import { get } from "../modules/server.js";
import { Clock, serverAhead } from "./clock.js";
import { LargeView, PauseView } from "./dialogs.js";
import { Grid } from "./grid.js";
import { LookOver } from "./lookover.js";
import { Outbox } from "./outbox.js";
import { Pictures } from "./pictures.js";
import { Ranking } from "./ranking.js";
import { Scale } from "./scale.js";
import { StatusLine } from "./status.js";

const find = (id) => document.getElementById(id);
const desk = find("desk");
const base = desk.dataset.base;

class Page {
  constructor(plan, ahead) {
    this.outbox = new Outbox(base, ahead);
    this.ranking = new Ranking(withWaiting(plan, this.outbox.entries()));
    this.pictures = new Pictures(base);
    this.clock = new Clock(`rank:times:${base}`);
    this.status = new StatusLine(find, this);
    this.ends = plan.seconds_left === null ? null : Date.now() + plan.seconds_left * 1000;
    this.grid = new Grid(find("grid"), this.pictures, { choose: (at) => this.choose(at), look: () => this.look() });
    this.scale = new Scale(find("scale"), plan.task, (value) => this.give(this.ranking.image, value));
    this.columns = new LookOver(find("columns"), this.pictures, {
      give: (image, value) => this.give(image, value),
      choose: (image) => this.chooseImage(image),
      look: () => this.look(),
    });
    this.large = new LargeView(find("large-view"), this.pictures, find("scale"), { step: (by) => this.step(by), key: (event) => this.scoreKey(event), closed: () => this.focusChosen() });
    this.rest = new PauseView(find("pause-view"), this.clock, this.outbox);
    this.lookingOver = false;
    this.listen();
    find("last-key").textContent = this.scale.lastKey();
    this.outbox.hurry();
    this.enter();
    setInterval(() => this.tick(), 1000);
  }

  listen() {
    find("next").addEventListener("click", () => this.goToUnscored());
    find("large").addEventListener("click", () => this.look());
    find("sketch").addEventListener("click", () => this.look());
    find("pause").addEventListener("click", () => this.rest.show());
    find("retry").addEventListener("click", () => this.load());
    find("over").addEventListener("click", () => this.lookOver(true));
    find("back").addEventListener("click", () => this.lookOver(false));
    find("hand-in").addEventListener("click", () => this.handIn());
    for (const part of [desk, document.querySelector(".bar")]) part.addEventListener("keydown", (event) => { if (this.key(event)) event.preventDefault(); });
    this.outbox.addEventListener("change", () => this.status.show());
    this.outbox.addEventListener("recovered", () => { if (this.ranking.failed.size) this.load(); });
    this.outbox.addEventListener("refused", ({ detail }) => this.refused(detail));
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.refresh(); });
  }

  // Show the query that is next, or leave when there is none.
  enter() {
    this.lookingOver = false;
    if (this.ranking.over) { this.status.show(); return; }
    const { query } = this.ranking;
    this.outbox.add({ kind: "entered", position: query.position });
    find("kind").hidden = query.kind !== "practice";
    this.grid.fill(query.images);
    query.images.forEach((image, at) => this.grid.show(at, image, this.ranking));
    this.arrange();
    this.pictures.begin();
    this.choose(this.ranking.focus);
    this.load();
    this.clock.begin();
    if (this.clock.pauseIsDue) this.rest.show("You have looked at images for ten minutes. Rest your eyes for a moment before the next query.");
  }

  async load() {
    const { ranking } = this;
    const { query } = ranking;
    ranking.failed.clear();
    query.images.forEach((image, at) => this.grid.show(at, image, ranking));
    const shown = (image) => {
      ranking.failed.delete(image);
      if (image === query.sketch) {
        find("sketch").querySelector("img").src = this.pictures.source(image);
        this.clock.begin();
        this.showScale();
      }
      this.showImage(image);
    };
    const failed = (image) => {
      ranking.failed.add(image);
      if (image !== query.sketch && !ranking.isScored(image)) this.outbox.add({ kind: "not_loaded", position: query.position, image, shown_position: query.images.indexOf(image) + 1 });
      this.showImage(image);
    };
    const ahead = [...query.images.slice(ranking.focus), ...query.images.slice(0, ranking.focus)];
    const wanted = [query.sketch, ...ahead].filter((image, at, all) => all.indexOf(image) === at);
    if (!await this.pictures.load(wanted, { ready: shown, failed })) return;
    desk.setAttribute("aria-busy", "false");
    const next = ranking.queries[ranking.index + 1];
    if (next) this.pictures.prefetch([next.sketch, ...next.images]);
  }

  showImage(image) {
    const at = this.ranking.query.images.indexOf(image);
    if (at >= 0) this.grid.show(at, image, this.ranking);
    if (at === this.ranking.focus) this.showScale();
    this.status.show();
  }

  choose(at, focused = true) {
    this.ranking.focus = at;
    if (!this.lookingOver) this.grid.choose(at, focused && !this.large.open);
    this.showScale();
    if (this.large.open) this.look();
  }

  focusChosen() {
    if (this.ranking.over) return;
    if (this.lookingOver) this.columns.go(this.columns.cardOf(this.ranking.image));
    else this.grid.choose(this.ranking.focus, true);
  }

  chooseImage(image) {
    this.choose(this.ranking.query.images.indexOf(image));
    const card = this.columns.cardOf(image);
    if (card) this.columns.mark(card);
  }

  showScale() {
    const { image } = this.ranking;
    this.scale.show(this.ranking.score(image));
    this.scale.enable(this.canScore(image));
  }

  // Nobody scores what they cannot see: neither the image nor, without it, the sketch may be missing.
  canScore(image) { return this.pictures.isThere(image) && this.pictures.isThere(this.ranking.query.sketch); }

  give(image, value) {
    const { ranking } = this;
    if (!this.canScore(image)) { this.status.say("This image cannot be scored before it is there."); return; }
    const at = ranking.query.images.indexOf(image);
    ranking.give(image, value);
    this.outbox.add({
      kind: "score", position: ranking.query.position, image, value, shown_position: at + 1, looking_over: this.lookingOver,
      shown_ms: Math.round(this.pictures.since(image)), response_ms: this.clock.answered(),
    });
    this.grid.show(at, image, ranking);
    if (this.lookingOver) {
      this.status.say(`Image ${at + 1}, score ${value}.`);
      ranking.focus = at;
      this.columns.show(ranking, image, !this.large.open);
      this.showScale();
      this.status.show();
      return;
    }
    this.status.show();
    this.goOn(at, value);
  }

  goOn(at, value) {
    const next = this.ranking.nextUnscored(at);
    this.status.say(next < 0 ? `Image ${at + 1}, score ${value}. Every image has a score: look over them and hand in.` : `Image ${at + 1}, score ${value}. Now image ${next + 1}.`);
    if (next >= 0) this.choose(next);
    else { this.choose(at); if (!this.large.open) find("over").focus(); }
  }

  goToUnscored() {
    if (this.lookingOver) this.lookOver(false);
    const next = this.ranking.nextUnscored(this.ranking.focus);
    if (next < 0) this.status.say("Every image that loaded has a score."); else this.choose(next);
  }

  step(by) {
    const { images } = this.ranking.query;
    this.choose(Math.min(images.length - 1, Math.max(0, this.ranking.focus + by)));
  }

  look() {
    const { query, image, focus } = this.ranking;
    if (!this.pictures.isThere(image)) { this.status.say("This image is not there to be looked at."); return; }
    const score = this.ranking.isScored(image) ? `score ${Math.round(this.ranking.score(image))}` : "not scored";
    this.large.show(query.sketch, image, `Image ${focus + 1}, ${score}`);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || this.ranking.over) return false;
    const onImage = event.target.closest(".stimulus");
    if (!onImage && !event.target.closest(".bar button")) return false;
    if (onImage && this.scoreKey(event)) return true;
    const act = { n: () => this.goToUnscored(), o: () => this.lookOver(!this.lookingOver), " ": onImage && (() => this.look()) }[event.key.toLowerCase()];
    act?.();
    return Boolean(act);
  }

  scoreKey(event) {
    const nudged = this.scale.nudge(event.key);
    if (nudged !== null) { this.scale.show(nudged); return true; }
    if (event.key === "Enter" && !this.ranking.task.points && event.target.closest(".stimulus")) { this.give(this.ranking.image, Number(this.scale.range.value)); return true; }
    const value = this.scale.valueOf(event.key);
    if (value === null) return false;
    if (!event.repeat) this.give(this.ranking.image, value);
    return true;
  }

  lookOver(looking) {
    if (looking && this.ranking.left() > 0) { this.status.say(`${this.ranking.left()} images have no score yet.`); this.goToUnscored(); return; }
    this.lookingOver = looking;
    this.arrange();
    if (looking) this.columns.show(this.ranking, this.ranking.image, true);
    else this.choose(this.ranking.focus);
    this.status.show();
  }

  arrange() {
    find("images").hidden = this.lookingOver;
    find("looking-over").hidden = !this.lookingOver;
    for (const id of ["back", "hand-in"]) find(id).hidden = !this.lookingOver;
    window.scrollTo(0, 0);
  }

  handIn() {
    this.outbox.add({ kind: "handed_in", position: this.ranking.query.position });
    this.ranking.handIn();
    this.enter();
  }

  refused({ entry, reason }) {
    if (entry.kind === "handed_in") window.location.reload();
    else if (reason === "handed_in") this.refresh();
    else this.status.trouble(`A score was not taken: ${reason}.`);
  }

  // Another tab or device may have gone on meanwhile.
  async refresh() {
    if (this.ranking.over) return;
    try {
      const plan = await get(`${base}plan`);
      if (this.ranking.merge(plan, this.outbox.places())) this.enter();
      else this.ranking.query.images.forEach((image, at) => this.grid.show(at, image, this.ranking));
      this.showScale();
      this.status.show();
    } catch { /* Without network there is nothing newer. */ }
  }

  tick() {
    if (this.ends !== null && Date.now() >= this.ends && !this.ranking.over) {
      this.ranking.index = this.ranking.queries.length;
      this.outbox.add({ kind: "time_up", position: 0 });
      this.ends = null;
    }
    this.status.show();
  }
}

// After a reload, what still waits in this browser stands over what the server knows.
function withWaiting(plan, entries) {
  for (const entry of entries) {
    const query = plan.queries.find((other) => other.position === entry.position);
    if (entry.kind === "score") {
      query.scores[entry.image] = entry.value;
      if (!entry.looking_over) plan.here = { position: entry.position, image: entry.image };
    }
    if (entry.kind === "handed_in") query.handed_in = true;
  }
  return plan;
}

const asked = Date.now();
get(`${base}plan`).then((plan) => new Page(plan, serverAhead(`rank:clock:${base}`, plan.now_ms, asked)), (refusal) => {
  find("trouble").hidden = false;
  find("trouble").textContent = `${refusal.message} Reload this page to try again.`;
});
