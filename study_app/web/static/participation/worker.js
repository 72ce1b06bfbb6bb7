// A participant's pages without a network: the service worker of one own address. Pictures come from
// this browser once they are here; everything else comes from the server while it answers.

const base = new URL(self.registration.scope).pathname;
const NAME = `take-part:${base}`;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (pathname.startsWith(`${base}pictures/`)) event.respondWith(picture(request));
  else if (request.mode === "navigate" && [base, `${base}rank`].includes(pathname)) {
    event.respondWith(orKept(request, `${base}rank`));
  } else if (pathname === `${base}plan` || pathname.startsWith("/static/")) {
    event.respondWith(orKept(request, pathname));
  }
});

async function picture(request) {
  const cache = await caches.open(NAME);
  const url = new URL(request.url);
  // Another try for the same picture.
  url.searchParams.delete("again");
  const cached = await cache.match(url.href);
  if (cached) return cached;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(url.href, answer.clone());
  return answer;
}

async function orKept(request, place) {
  try {
    return await fetch(request);
  } catch (fault) {
    const cached = await (await caches.open(NAME)).match(place);
    if (cached) return cached;
    throw fault;
  }
}
