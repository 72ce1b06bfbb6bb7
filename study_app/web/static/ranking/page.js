// ranking/rank.html: connects the parts of the page: the participant's list, the grid, the scale, the
// review, and the outbox.

import { gettext, ngettext } from "../modules/texts.js";
import { Answers } from "./answers.js";
import { Clock } from "../participation/clock.js";
import { LargeView, PauseView } from "./dialogs.js";
import { Grid } from "./grid.js";
import { Keys } from "./keys.js";
import { Limit } from "../participation/limit.js";
import { Offline } from "../participation/offline.js";
import { listen } from "./listening.js";
import { Review } from "./review.js";
import { Pace } from "./pace.js";
import { Pictures } from "./pictures.js";
import { askForPlan, begin } from "./plan.js";
import { Ranking, withWaiting } from "./ranking.js";
import { Room } from "./room.js";
import { Scale } from "./scale.js";
import { StatusLine } from "./status.js";
import { given, imageWords } from "./wording.js";

const LONGEST_MS = 2 ** 31 - 1;
const find = (id) => document.getElementById(id);
const workspace = find("workspace");
const base = workspace.dataset.base;

// A page can stay open for longer than the largest duration that the server stores.
const capped = (ms) => Math.min(LONGEST_MS, Math.round(ms));

class Page {
  constructor(plan, server) {
    this.server = server;
    this.outbox = new Answers(base, server, plan.restored);
    this.ranking = new Ranking(withWaiting(plan, this.outbox.entries()));
    this.pictures = new Pictures(base);
    this.clock = new Clock();
    this.pace = new Pace(`rank:pace:${base}`, plan.pace);
    this.limit = new Limit(server);
    this.offline = new Offline(base, workspace.dataset.worker);
    this.plan = plan;
    this.limit.set(plan);
    this.status = new StatusLine(find, this);
    this.room = new Room(workspace.querySelector(".query"), document.querySelector(".bar"));
    this.build(plan.task);
    this.reviewing = false;
    this.complaint = "";
    listen(this, find, workspace);
    this.outbox.sendNow();
    this.tick();
    this.enter();
    setInterval(() => this.tick(), 1000);
  }

  build(task) {
    this.grid = new Grid(find("grid"), this.pictures, {
      choose: (at) => this.choose(at),
      enlarge: () => this.enlarge(),
    });
    this.scale = new Scale(find("scale"), task, (value) => this.give(this.ranking.image, value));
    this.columns = new Review(find("columns"), this.pictures, {
      give: (image, value) => this.give(image, value),
      choose: (image) => this.chooseImage(image),
      visibleRange: () => this.room.visibleRange(),
    });
    this.large = new LargeView(find("large-view"), this.pictures, find("scale"), {
      step: (by) => this.step(by),
      key: (event) => this.keys.score(event),
      closed: () => this.focusChosen(),
    });
    this.rest = new PauseView(find("pause-view"), this);
    this.keys = new Keys(this, [workspace, document.querySelector(".bar")]);
    find("first-key").textContent = this.scale.firstKey();
    find("last-key").textContent = this.scale.lastKey();
    find("slider-keys").hidden = Boolean(task.points);
    find("ten-key").hidden = !(task.points >= 10);
    find("eleven-key").hidden = !(task.points >= 11);
  }

  // Show the next query, or the end if there is none.
  enter() {
    this.reviewing = false;
    if (this.ranking.over) {
      this.status.show();
      return;
    }
    const { query } = this.ranking;
    this.outbox.add({ kind: "entered", position: query.position });
    this.status.announceKind();
    this.grid.fill(query.images);
    query.images.forEach((image, at) => this.grid.show(at, image, this.ranking));
    this.arrange();
    this.pictures.begin();
    this.choose(this.ranking.focus);
    this.load();
    this.clock.begin();
    if (this.clock.pauseIsDue) {
      this.rest.show(
        gettext(
          "You have been scoring for ten minutes. Rest your eyes for a moment before the next sketch.",
        ),
      );
    }
  }

  async load() {
    const { ranking } = this;
    const { query } = ranking;
    const isNew = !this.pictures.isThere(query.sketch);
    ranking.failed.clear();
    query.images.forEach((image, at) => this.grid.show(at, image, ranking));
    const shown = (image) => {
      ranking.failed.delete(image);
      if (image === query.sketch) {
        find("sketch").querySelector("img").src = this.pictures.source(image);
        if (isNew) this.clock.begin();
        this.showScale();
      }
      this.showImage(image);
    };
    const failed = (image) => {
      ranking.failed.add(image);
      if (image !== query.sketch && !ranking.isScored(image)) {
        this.outbox.add({
          kind: "not_loaded",
          position: query.position,
          image,
          shown_position: query.images.indexOf(image) + 1,
        });
      }
      this.showImage(image);
    };
    const ahead = [...query.images.slice(ranking.focus), ...query.images.slice(0, ranking.focus)];
    const wanted = [query.sketch, ...ahead].filter((image, at, all) => all.indexOf(image) === at);
    if (!await this.pictures.load(wanted, { ready: shown, failed })) return;
    workspace.setAttribute("aria-busy", "false");
    this.offline.keepPlan(() => this.currentPlan());
    this.offline.keep(this.ranking.pictures().map((image) => this.pictures.address(image)));
    const next = ranking.queries[ranking.index + 1];
    if (next) this.pictures.prefetch([next.sketch, ...next.images]);
  }

  // The participant's list with all answers given on this page.
  currentPlan() {
    const { now } = this.server;
    return {
      ...this.plan,
      queries: this.ranking.queries,
      now_ms: Math.round(now),
      seconds_left: this.limit.secondsAt(now),
    };
  }

  // The pressed button disappears, so the focus returns to the image.
  loadAgain() {
    this.load();
    this.focusChosen();
  }

  showImage(image) {
    if (this.ranking.over) return;
    const at = this.ranking.query.images.indexOf(image);
    if (at >= 0) this.grid.show(at, image, this.ranking);
    if (at === this.ranking.focus) this.showScale();
    this.status.show();
  }

  choose(at, focused = true) {
    this.ranking.focus = at;
    this.room.measure();
    if (!this.reviewing) this.grid.choose(at, focused && !this.large.open);
    this.showScale();
    if (this.large.open) this.enlarge();
  }

  focusChosen() {
    if (this.ranking.over) return;
    if (this.reviewing) this.columns.go(this.columns.cardOf(this.ranking.image));
    else this.grid.choose(this.ranking.focus, true);
  }

  chooseImage(image) {
    this.choose(this.ranking.query.images.indexOf(image));
    const card = this.columns.cardOf(image);
    if (card) this.columns.mark(card);
  }

  showScale() {
    if (this.ranking.over) return;
    const { image } = this.ranking;
    this.scale.show(this.ranking.score(image));
    this.scale.enable(this.canScore(image));
  }

  // An image can be scored only while it and the sketch are both shown.
  canScore(image) {
    return this.pictures.isThere(image) && this.pictures.isThere(this.ranking.query.sketch);
  }

  give(image, value) {
    const { ranking, clock } = this;
    if (!this.canScore(image)) {
      this.status.announce(gettext("Wait for the image to load."));
      return;
    }
    if (value === null) {
      this.status.announce(gettext("Move the slider first, then save the score."));
      return;
    }
    const at = ranking.query.images.indexOf(image);
    const first = !ranking.isScored(image);
    const took = clock.answered(first);
    if (first) this.pace.scored(took);
    ranking.give(image, value);
    this.outbox.add({
      kind: "score",
      position: ranking.query.position,
      image,
      value,
      shown_position: at + 1,
      in_review: this.reviewing,
      shown_ms: capped(this.pictures.since(image)),
      response_ms: capped(took),
    });
    this.grid.show(at, image, ranking);
    if (this.reviewing) this.correct(at, image, value);
    else this.chooseNext(at, value);
  }

  correct(at, image, value) {
    this.status.announce(given(at, value));
    this.ranking.focus = at;
    this.columns.show(this.ranking, image, !this.large.open);
    this.showScale();
  }

  chooseNext(at, value) {
    const next = this.ranking.nextUnscored(at);
    const then = next < 0
      ? gettext("All images have a score. Review them and submit.")
      : gettext("Now image %(number)s.", { number: next + 1 });
    this.status.announce(`${given(at, value)} ${then}`);
    this.choose(next < 0 ? at : next);
    if (next < 0 && !this.large.open) find("to-review").focus();
  }

  goToUnscored() {
    if (this.reviewing) this.review(false);
    const next = this.ranking.nextUnscored(this.ranking.focus);
    if (next < 0) this.status.announce(gettext("All loaded images have a score."));
    else this.choose(next);
  }

  step(by) {
    const { images } = this.ranking.query;
    this.choose(Math.min(images.length - 1, Math.max(0, this.ranking.focus + by)));
  }

  enlarge() {
    const { query, image, focus } = this.ranking;
    if (!this.pictures.isThere(image)) {
      this.status.announce(gettext("Wait for the image to load."));
      return;
    }
    const score = this.ranking.isScored(image) ? this.ranking.score(image) : null;
    this.large.show(query.sketch, image, imageWords(focus, score, false));
  }

  review(on) {
    const left = this.ranking.left();
    if (on && left > 0) {
      this.status.announce(
        ngettext("%(num)s image has no score yet.", "%(num)s images have no score yet.", left),
      );
      this.goToUnscored();
      return;
    }
    this.reviewing = on;
    this.arrange();
    this.status.show();
    if (!on) {
      this.choose(this.ranking.focus);
      return;
    }
    // Start with the best image, at the top of the page.
    const [best] = this.ranking.byScore();
    if (best !== undefined) this.choose(this.ranking.query.images.indexOf(best));
    this.columns.show(this.ranking, best, true);
  }

  arrange() {
    find("images").hidden = this.reviewing;
    find("review").hidden = !this.reviewing;
    for (const id of ["back", "submit"]) find(id).hidden = !this.reviewing;
    window.scrollTo(0, 0);
  }

  submit() {
    this.pace.reviewed(this.clock.besides);
    this.outbox.add({ kind: "submitted", position: this.ranking.query.position });
    this.ranking.submit();
    this.enter();
  }

  refused({ entry, reason }) {
    if (entry.kind === "submitted") window.location.reload();
    else if (["submitted", "time_up"].includes(reason) || entry.kind === "time_up") this.refresh();
    else this.complaint = gettext("A score was not accepted: %(reason)s", { reason });
  }

  // Get the current state from the server: another tab or device may have continued, and the server
  // decides about the time.
  async refresh() {
    if (this.ranking.over && !this.limit.isOver) return;
    try {
      const plan = await askForPlan(base, this.server);
      this.limit.set(plan);
      this.outbox.state = plan.state;
      if (this.ranking.isOtherList(plan)) window.location.reload();
      else if (this.ranking.merge(plan, this.outbox.places())) this.enter();
      else this.showAgain();
      this.showScale();
      this.tick();
    } catch { /* No network: nothing newer. */ }
  }

  showAgain() {
    this.ranking.query.images.forEach((image, at) => this.grid.show(at, image, this.ranking));
    if (this.reviewing) this.columns.show(this.ranking, this.ranking.image, false);
  }

  tick() {
    if (this.server.jumped) this.refresh();
    if (this.limit.isOver && !this.ranking.over) this.timeIsUp();
    this.status.show();
  }

  // Submit the query if all its images have scores; otherwise it stays unfinished.
  timeIsUp() {
    if (this.ranking.left() === 0) {
      this.outbox.add({ kind: "submitted", position: this.ranking.query.position });
    }
    this.ranking.end();
    this.timeUp = true;
    for (const view of [this.large.dialog, this.rest.dialog]) view.close();
    this.outbox.add({ kind: "time_up", position: 0 });
  }
}

begin(base, find("trouble"), (plan, server) => new Page(plan, server));
