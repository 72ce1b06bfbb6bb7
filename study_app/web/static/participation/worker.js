// The service worker of a participant's address or link, for use offline. Pictures come from the cache
// once they are in it; everything else comes from the network if possible, else from the cache.

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
    event.respondWith(networkFirst(request, `${base}rank`, `${base}offline`));
  } else if (pathname === `${base}plan` || pathname.startsWith("/static/")) {
    event.respondWith(networkFirst(request, pathname));
  }
});

async function picture(request) {
  const cache = await caches.open(NAME);
  const url = new URL(request.url);
  // Retries of a picture have this parameter.
  url.searchParams.delete("again");
  const cached = await cache.match(url.href);
  if (cached) return cached;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(url.href, answer.clone());
  return answer;
}

async function networkFirst(request, ...places) {
  try {
    return await fetch(request);
  } catch (fault) {
    const cache = await caches.open(NAME);
    for (const place of places) {
      const cached = await cache.match(place);
      if (cached) return cached;
    }
    throw fault;
  }
}
