// The page of every method, participation/traces.js: caches what it needs, so that it opens offline (over HTTPS or on
// localhost; elsewhere browsers don't allow it).

const PAUSE_MS = 300;
const BEGUN = "rank:begun:";

export class Offline {
  constructor(base, worker) {
    this.base = base;
    this.possible = Boolean(worker) && window.isSecureContext && "serviceWorker" in navigator;
    if (this.possible) navigator.serviceWorker.register(worker, { scope: base }).catch(() => {});
  }

  open() {
    return caches.open(`take-part:${this.base}`);
  }

  // Cache the page, its scripts and styles, and the pictures, one by one; only once.
  async keep(pictures) {
    if (!this.possible || this.keeping) return;
    this.keeping = true;
    const parts = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)
      .filter((path) => path.startsWith("/static/"));
    const cache = await this.open();
    for (const address of [window.location.pathname, ...new Set(parts), ...pictures]) {
      try {
        if (!await cache.match(address)) await cache.add(address);
      } catch { /* Fetched when it is needed. */ }
    }
    try {
      await Promise.all(linksTo(this.base).map(keepLink));
    } catch { /* The participant's own page opens offline. */ }
    document.documentElement.dataset.offline = "ready";
  }

  // Cache the current list with all answers, after a short delay.
  keepPlan(plan) {
    if (!this.possible) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      const kept = JSON.stringify({ ...plan(), kept_ms: Date.now() });
      const headers = { "Content-Type": "application/json" };
      try {
        await (await this.open()).put(`${this.base}plan`, new Response(kept, { headers }));
      } catch { /* The disk is full: the page works without it. */ }
    }, PAUSE_MS);
  }
}

// Addresses of the links through which the participant with this address started in this browser.
export function linksTo(base) {
  const token = base.split("/").at(-2);
  return Object.keys(localStorage)
    .filter((name) => name.startsWith(BEGUN) && localStorage.getItem(name) === token)
    .map((name) => base.replace(token, name.slice(BEGUN.length)));
}

// Make a page offline that leads from a link to the task; see participation/offline.html.
async function keepLink(base) {
  await navigator.serviceWorker.register(`${base}worker.js`, { scope: base });
  const cache = await caches.open(`take-part:${base}`);
  const answer = await fetch(`${base}offline?lang=${document.documentElement.lang}`);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.clone().text(), "text/html");
  const parts = [...page.querySelectorAll("link[rel=stylesheet], script[src]")];
  await cache.addAll(parts.map((part) => part.getAttribute("href") ?? part.getAttribute("src")));
  await cache.put(`${base}offline`, answer);
}

// Delete what is cached for an address.
export async function forgetOffline(base) {
  await caches.delete(`take-part:${base}`);
  await (await navigator.serviceWorker.getRegistration(base))?.unregister();
}

// Correct the times of a cached list by its age.
export function withAge(plan) {
  if (!plan.kept_ms) return plan;
  const age = Math.max(0, Date.now() - plan.kept_ms);
  plan.now_ms += age;
  if (plan.seconds_left !== null) {
    plan.seconds_left = Math.max(0, plan.seconds_left - age / 1000);
  }
  return plan;
}
