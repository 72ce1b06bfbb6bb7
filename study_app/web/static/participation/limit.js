// The page of every method: the time limit of a task: the time left, when to warn, and whether it is
// over.

const WARN_MINUTES = 2;

export class Limit {
  constructor(server) {
    this.server = server;
    this.ends = null;
  }

  set(plan) {
    this.ends = plan.seconds_left === null ? null : plan.now_ms + plan.seconds_left * 1000;
  }

  get isSet() {
    return this.ends !== null;
  }
  get isOver() {
    return this.isSet && this.server.now >= this.ends;
  }
  secondsAt(now) {
    return this.isSet ? (this.ends - now) / 1000 : null;
  }
  get minutes() {
    return Math.max(0, Math.ceil((this.ends - this.server.now) / 60000));
  }

  get isClose() {
    return this.isSet && this.minutes <= WARN_MINUTES;
  }
}
