// ranking/rank.html: loads a query's pictures a few at a time, tries again, and says which did not
// come.

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

  // Load these; `ready` and `failed` are called for each. A later call takes the place of this one.
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
          // Loading again, after the network was gone, is not the first time that it is seen.
          if (!this.shown.has(image)) this.shown.set(image, performance.now());
          ready(image);
        } else failed(image);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return turn === this.turn;
  }

  // Bring pictures of the next query into the browser's cache while nothing else is needed.
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

  // The address that worked: the one that failed may be remembered as failing by the browser.
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
