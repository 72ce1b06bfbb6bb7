// The page of every method: the server's clock, as this page knows it, whatever is done to the
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

  // When something was said; nothing is ever said before what was said before it, here or in
  // another tab, whose clock may be some seconds from this one.
  stamp() {
    const place = `${this.place}:said`;
    try {
      this.last = Math.max(this.last, Number(localStorage.getItem(place)));
    } catch { /* A browser that keeps nothing knows of this tab alone. */ }
    this.last = Math.max(this.last, Math.round(this.now));
    try {
      localStorage.setItem(place, this.last);
    } catch { /* Nor do other tabs know of it. */ }
    return this.last;
  }

  // The server said what time it was, in answer to what was asked at `askedMs` of the device's
  // clock.
  sync(serverMs, askedMs) {
    this.gap = this.deviceGap;
    this.offset = this.gap + serverAhead(this.place, serverMs, askedMs);
  }

  // The device slept or its clock was set: what was known about the time has to be asked anew.
  get jumped() {
    const jumped = Math.abs(this.deviceGap - this.gap) > JUMP_MS;
    this.gap = this.deviceGap;
    return jumped;
  }
}

// How far the server's clock is ahead of this one, in ms. The quickest answer so far tells it best,
// and is kept while it does not contradict the newest: then neither clock was set.
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
  } catch { /* Without a memory the newest answer has to do. */ }
  return best.ahead;
}
