// The page of every method: measures active time, without pauses and hidden tabs.

const PAUSE_AFTER_MS = 10 * 60 * 1000;

export class Clock {
  constructor() {
    this.active = 0;
    this.since = document.hidden ? null : performance.now();
    this.rested = 0;
    this.paused = false;
    this.begin();
    document.addEventListener("visibilitychange", () => this.run(!document.hidden && !this.paused));
  }

  get now() {
    return this.active + (this.since === null ? 0 : performance.now() - this.since);
  }

  run(running) {
    this.active = this.now;
    this.since = running ? performance.now() : null;
  }

  pause(paused) {
    this.paused = paused;
    this.run(!paused && !document.hidden);
    if (!paused) this.rested = this.now;
  }

  get pauseIsDue() {
    return this.now - this.rested > PAUSE_AFTER_MS;
  }

  // The trial is visible from now on.
  begin() {
    this.mark = this.now;
    this.begun = this.now;
    this.answering = 0;
  }

  // The time in ms since the trial appeared or since the previous answer; the next one starts now.
  answered(first) {
    const took = Math.round(this.now - this.mark);
    this.mark = this.now;
    if (first) this.answering += took;
    return took;
  }

  // The time of this trial that was not spent on first answers, in ms.
  get besides() {
    return Math.round(this.now - this.begun - this.answering);
  }
}
