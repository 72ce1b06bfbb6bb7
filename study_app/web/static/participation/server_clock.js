// The page of every method: an estimate of the server's clock that does not depend on changes to the
// device's clock.

const JUMP_MS = 2000;

export class ServerClock {
  constructor(place) {
    this.place = place;
    this.last = 0;
    this.gap = this.deviceGap;
  }

  get deviceGap() {
    return Date.now() - performance.now();
  }

  get now() {
    return this.offset + performance.now();
  }

  // The time of an answer; never before the previous answer, in this tab or in another one, whose
  // estimate may differ by some seconds.
  stamp() {
    const place = `${this.place}:said`;
    try {
      this.last = Math.max(this.last, Number(localStorage.getItem(place)));
    } catch { /* No storage: only this tab's answers are known. */ }
    this.last = Math.max(this.last, Math.round(this.now));
    try {
      localStorage.setItem(place, this.last);
    } catch { /* No storage: other tabs do not see it. */ }
    return this.last;
  }

  // The server's time, in an answer to a request that was sent at `askedMs` by the device's clock.
  sync(serverMs, askedMs) {
    this.gap = this.deviceGap;
    this.offset = this.gap + serverAhead(this.place, serverMs, askedMs);
  }

  // Whether the device slept or its clock was set, so that the server's time must be asked again.
  get jumped() {
    const jumped = Math.abs(this.deviceGap - this.gap) > JUMP_MS;
    this.gap = this.deviceGap;
    return jumped;
  }
}

// How far the server's clock is ahead of this one, in ms. The estimate of the fastest answer is the
// most precise; it is used until the newest answer contradicts it because a clock was set.
function serverAhead(place, serverMs, askedMs) {
  const now = Date.now();
  const fresh = { ahead: serverMs - (askedMs + now) / 2, within: (now - askedMs) / 2 + 1 };
  let best = fresh;
  try {
    const kept = JSON.parse(localStorage.getItem(place));
    if (
      kept && kept.within < fresh.within &&
      Math.abs(kept.ahead - fresh.ahead) <= kept.within + fresh.within
    ) best = kept;
    localStorage.setItem(place, JSON.stringify(best));
  } catch { /* No storage: use the newest answer. */ }
  return best.ahead;
}
