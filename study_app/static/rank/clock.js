// participate/rank.html: time spent looking, without pauses and hidden tabs; and honest minutes left.

const GUESS_MS = 4000;
const ENOUGH = 10;
const PAUSE_AFTER_MS = 10 * 60 * 1000;

export class Clock {
  constructor(place) {
    this.place = place;
    this.active = 0;
    this.since = document.hidden ? null : performance.now();
    this.mark = 0;
    this.rested = 0;
    this.paused = false;
    try { this.known = JSON.parse(localStorage.getItem(place)) || []; } catch { this.known = []; }
    document.addEventListener("visibilitychange", () => this.run(!document.hidden && !this.paused));
  }

  get now() { return this.active + (this.since === null ? 0 : performance.now() - this.since); }

  run(running) {
    this.active = this.now;
    this.since = running ? performance.now() : null;
  }

  pause(paused) {
    this.paused = paused;
    this.run(!paused && !document.hidden);
    if (!paused) this.rested = this.now;
  }

  get pauseIsDue() { return this.now - this.rested > PAUSE_AFTER_MS; }

  begin() { this.mark = this.now; }

  // The time since the query appeared or the answer before, in ms; the next one starts here.
  answered() {
    const took = Math.round(this.now - this.mark);
    this.mark = this.now;
    this.known = [...this.known, took].slice(-200);
    try { localStorage.setItem(this.place, JSON.stringify(this.known)); } catch { /* Only the estimate suffers. */ }
    return took;
  }

  minutesFor(images) {
    const each = this.known.length < ENOUGH ? GUESS_MS : this.known.reduce((a, b) => a + Math.min(b, 60000), 0) / this.known.length;
    return Math.max(1, Math.ceil((images * each) / 60000));
  }
}

// How far the server's clock is ahead of this one, in ms. The quickest answer so far tells it best, and is kept while
// it does not contradict the newest: then neither clock was set.
export function serverAhead(place, serverMs, askedMs) {
  const now = Date.now();
  const fresh = { ahead: serverMs - (askedMs + now) / 2, within: (now - askedMs) / 2 + 1 };
  let best = fresh;
  try {
    const kept = JSON.parse(localStorage.getItem(place));
    if (kept && kept.within < fresh.within && Math.abs(kept.ahead - fresh.ahead) <= kept.within + fresh.within) best = kept;
    localStorage.setItem(place, JSON.stringify(best));
  } catch { /* Without a memory the newest answer has to do. */ }
  return best.ahead;
}
