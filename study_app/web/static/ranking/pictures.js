// ranking/rank.html: loads the pictures of a query, several at a time, with retries, and reports
// those that could not be loaded.

const AT_ONCE = 8;
const PAUSES_MS = [700, 2000, 5000];

export class Pictures {
  constructor(base) {
    this.base = base;
    this.shown = new Map();
    this.turn = 0;
  }

  address(image, large = false) {
    return `${this.base}pictures/${image}${large ? "?large" : ""}`;
  }
  begin() {
    this.shown.clear();
  }
  isThere(image) {
    return this.shown.has(image);
  }
  since(image) {
    return performance.now() - (this.shown.get(image) ?? performance.now());
  }

  // Load pictures; `ready` or `failed` is called for each. A later call replaces this one.
  async load(images, { ready, failed }) {
    this.turn += 1;
    const turn = this.turn;
    const rest = [...images];
    const work = async () => {
      while (rest.length && turn === this.turn) {
        const image = rest.shift();
        const came = await this.fetch(image, turn);
        if (turn !== this.turn) return;
        if (came) {
          // A picture that is loaded again was already visible before.
          if (!this.shown.has(image)) this.shown.set(image, performance.now());
          ready(image);
        } else failed(image);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return turn === this.turn;
  }

  // Load the pictures of the next query into the browser's cache while nothing else is loading.
  async prefetch(images) {
    const turn = this.turn;
    for (const image of images) {
      if (turn !== this.turn) return;
      await once(this.address(image));
    }
  }

  async fetch(image, turn) {
    for (let attempt = 0; attempt <= PAUSES_MS.length; attempt += 1) {
      const again = attempt ? `?again=${attempt}` : "";
      if (await once(this.address(image) + again)) {
        this.working = { ...this.working, [image]: this.address(image) + again };
        return true;
      }
      if (turn !== this.turn || attempt === PAUSES_MS.length) return false;
      if (!navigator.onLine) {
        await new Promise((resolve) => {
          window.addEventListener("online", resolve, { once: true });
        });
      }
      await new Promise((resolve) => {
        setTimeout(resolve, PAUSES_MS[attempt]);
      });
    }
    return false;
  }

  // The address that worked, since the browser may have cached the failure of another one.
  source(image) {
    return this.working?.[image] ?? this.address(image);
  }
}

async function once(address) {
  const picture = new Image();
  picture.src = address;
  try {
    await picture.decode();
    return true;
  } catch {
    return false;
  }
}
