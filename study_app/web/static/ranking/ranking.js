// ranking/rank.html: the state of one participation, without user interface and network.

export class Ranking {
  constructor(plan) {
    this.task = plan.task;
    this.queries = plan.queries;
    this.restored = plan.restored;
    this.failed = new Set();
    const first = this.queries.findIndex((query) => !query.submitted);
    this.index = first < 0 ? this.queries.length : first;
    this.focus = this.start(plan.here);
  }

  get query() {
    return this.queries[this.index];
  }
  get over() {
    return this.index >= this.queries.length;
  }
  get image() {
    return this.query.images[this.focus];
  }

  // Where to continue: the first image without a score after the last answer.
  start(here) {
    if (this.over) return 0;
    const last = here && here.position === this.query.position
      ? this.query.images.indexOf(here.image)
      : -1;
    const next = this.nextUnscored(last);
    return next < 0 ? Math.max(0, last) : next;
  }

  score(image) {
    return this.query.scores[image];
  }
  isScored(image, query = this.query) {
    return query.scores[image] !== undefined && query.scores[image] !== null;
  }
  isFailed(image) {
    return this.failed.has(image) && !this.isScored(image);
  }

  give(image, value) {
    this.query.scores[image] = value;
  }

  nextUnscored(after) {
    const { images } = this.query;
    for (let step = 1; step <= images.length; step += 1) {
      const at = (after + step) % images.length;
      if (!this.isScored(images[at]) && !this.isFailed(images[at])) return at;
    }
    return -1;
  }

  left(query = this.query) {
    const failed = query === this.query
      ? query.images.filter((image) => this.isFailed(image)).length
      : 0;
    return query.images.filter((image) => !this.isScored(image, query)).length - failed;
  }

  get unsubmitted() {
    return this.queries.filter((query) => !query.submitted);
  }

  // Every picture in the list, once.
  pictures() {
    return [...new Set(this.queries.flatMap(({ sketch, images }) => [sketch, ...images]))];
  }

  leftAltogether() {
    return this.unsubmitted.reduce((sum, query) => sum + this.left(query), 0);
  }

  // End the list: the time is up.
  end() {
    this.index = this.queries.length;
  }

  submit() {
    this.query.submitted = true;
    this.failed.clear();
    this.index = this.queries.findIndex((query) => !query.submitted);
    if (this.index < 0) this.index = this.queries.length;
    this.focus = this.start(null);
  }

  // Whether this list is that of a later part, which another tab or device has started, or that of a
  // restored backup.
  isOtherList(plan) {
    const known = new Set(this.queries.map(({ position }) => position));
    return plan.restored !== this.restored ||
      plan.queries.some(({ position }) => !known.has(position));
  }

  // Merge what another tab or device has saved; entries that this page has yet to send have priority.
  merge(plan, waiting) {
    for (const query of plan.queries) {
      const mine = this.queries.find((other) => other.position === query.position);
      mine.submitted = mine.submitted || query.submitted;
      for (const [image, value] of Object.entries(query.scores)) {
        if (!waiting.has(`${query.position}/${image}`)) mine.scores[image] = value;
      }
    }
    const moved = this.over || this.query.submitted;
    if (moved) {
      this.index = this.queries.findIndex((query) => !query.submitted);
      if (this.index < 0) this.index = this.queries.length;
      this.focus = this.start(plan.here);
    }
    return moved;
  }

  // The steps of the scale from best to worst; a slider has ten bins.
  steps() {
    const { points, best } = this.task;
    const steps = points
      ? Array.from(
        { length: points },
        (_, at) => ({ value: at + 1, low: at + 1, high: at + 1, name: `${at + 1}` }),
      )
      : Array.from(
        { length: 10 },
        (_, at) => ({
          value: at * 10 + 5,
          low: at * 10,
          high: at * 10 + 10,
          name: `${at * 10}–${at * 10 + 10}`,
        }),
      );
    return best === "low" ? steps : steps.reverse();
  }

  stepOf(value) {
    const { points } = this.task;
    const low = points ? value : Math.min(90, Math.floor(value / 10) * 10);
    return this.steps().findIndex((step) => step.low === low);
  }

  // The scored images, from best to worst.
  byScore() {
    const scored = this.query.images.filter((image) => this.isScored(image)).sort((a, b) =>
      this.score(a) - this.score(b)
    );
    return this.task.best === "low" ? scored : scored.reverse();
  }

  // The score of an image that was dropped in a step of a slider between two others: the mean of
  // their scores, or of a score and the end of the step. On a points scale it is that of the step.
  between(step, before, after) {
    if (this.task.points) return step.value;
    const [first, last] = this.task.best === "low" ? [step.low, step.high] : [step.high, step.low];
    return ((before === undefined ? first : this.score(before)) +
      (after === undefined ? last : this.score(after))) / 2;
  }

  // The score of an image that is moved to a neighbouring step by a key: on a slider, its score plus
  // the distance of the steps.
  shifted(image, step) {
    if (this.task.points) return step.value;
    const shifted = this.score(image) + step.low - this.steps()[this.stepOf(this.score(image))].low;
    return step.high === 100 ? shifted : Math.min(shifted, step.high - 0.1);
  }

  endLabel(step) {
    const { points, low_label: low, high_label: high } = this.task;
    if (step.low === (points ? 1 : 0)) return low;
    return step.high === (points || 100) ? high : "";
  }
}

// After a reload, apply the entries that wait in this browser to the list from the server.
export function withWaiting(plan, entries) {
  for (const entry of entries) {
    const query = plan.queries.find((other) => other.position === entry.position);
    // Entries of an earlier part, which another device has ended.
    if (!query) continue;
    if (entry.kind === "score") {
      query.scores[entry.image] = entry.value;
      if (!entry.in_review) plan.here = { position: entry.position, image: entry.image };
    }
    if (entry.kind === "submitted") query.submitted = true;
  }
  return plan;
}
