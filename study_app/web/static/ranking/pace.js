// ranking/rank.html: estimates the minutes left, from the time that this participant takes for an
// image and for the review of a query.

const IMAGE = { name: "images", others: "image", enough: 10, longest: 60 * 1000, kept: 200 };
const REVIEW = { name: "reviews", others: "review", enough: 1, longest: 5 * 60 * 1000, kept: 50 };

export class Pace {
  // Until enough is known about this participant, `pace` is used: the mean of earlier participants,
  // or a default.
  constructor(place, pace) {
    this.place = place;
    this.others = pace;
    this.known = { images: [], reviews: [] };
    try {
      Object.assign(this.known, JSON.parse(localStorage.getItem(place)));
    } catch { /* Nothing is known yet. */ }
  }

  scored(ms) {
    this.learn(IMAGE, ms);
  }
  reviewed(ms) {
    this.learn(REVIEW, ms);
  }

  learn(step, ms) {
    this.known[step.name] = [...this.known[step.name], Math.min(ms, step.longest)].slice(
      -step.kept,
    );
    try {
      localStorage.setItem(this.place, JSON.stringify(this.known));
    } catch { /* No storage: the estimate is less exact after a reload. */ }
  }

  mean(step) {
    const known = this.known[step.name];
    return known.length < step.enough
      ? this.others[step.others]
      : known.reduce((a, b) => a + b, 0) / known.length;
  }

  // `reviews` is the number of queries to submit; `spent` is the time spent on the current review, in
  // ms.
  minutesFor(images, reviews, spent) {
    const review = this.mean(REVIEW);
    const ms = images * this.mean(IMAGE) + reviews * review - Math.min(spent, review);
    return Math.max(1, Math.ceil(ms / 60000));
  }
}
