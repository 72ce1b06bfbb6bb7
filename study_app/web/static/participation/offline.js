// The page of every method: keeps what it needs in this browser, so that it opens without a network
// (over HTTPS or on this computer; elsewhere browsers don't allow it).

const PAUSE_MS = 300;

export class Offline {
  constructor(base, worker) {
    this.base = base;
    this.possible = Boolean(worker) && window.isSecureContext && "serviceWorker" in navigator;
    if (this.possible) navigator.serviceWorker.register(worker, { scope: base }).catch(() => {});
  }

  open() {
    return caches.open(`take-part:${this.base}`);
  }

  // The page with its parts, and pictures, one after the other; once.
  async keep(pictures) {
    if (!this.possible || this.keeping) return;
    this.keeping = true;
    const parts = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)
      .filter((path) => path.startsWith("/static/"));
    const cache = await this.open();
    for (const address of [window.location.pathname, ...new Set(parts), ...pictures]) {
      try {
        if (!await cache.match(address)) await cache.add(address);
      } catch { /* What is missing is fetched when it is needed. */ }
    }
    document.documentElement.dataset.offline = "ready";
  }

  // The list as it stands now, with everything that was answered; written a moment later.
  keepPlan(plan) {
    if (!this.possible) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      const kept = JSON.stringify({ ...plan(), kept_ms: Date.now() });
      const headers = { "Content-Type": "application/json" };
      try {
        await (await this.open()).put(`${this.base}plan`, new Response(kept, { headers }));
      } catch { /* A full disk: the page goes on without it. */ }
    }, PAUSE_MS);
  }
}

// A list that was kept is as old as that: the clock has gone on since.
export function brought(plan) {
  if (!plan.kept_ms) return plan;
  const age = Math.max(0, Date.now() - plan.kept_ms);
  plan.now_ms += age;
  if (plan.seconds_left !== null) {
    plan.seconds_left = Math.max(0, plan.seconds_left - age / 1000);
  }
  return plan;
}
