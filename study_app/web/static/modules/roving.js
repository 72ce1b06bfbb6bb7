// Pages with many tiles: they are one Tab stop (roving tabindex); the arrow keys move between them.

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The index of the nearest of `places` ([x, y]) in the direction of an arrow key; -1 for none.
export function nearest(here, places, key) {
  const [right, down] = DIRECTIONS[key];
  let best = -1;
  let least = Infinity;
  places.forEach(([x, y], index) => {
    const [across, along] = [x - here[0], y - here[1]];
    const ahead = across * right + along * down;
    const far = ahead + 2 * Math.abs(across * down) + 2 * Math.abs(along * right);
    if (ahead > 1 && far < least) [best, least] = [index, far];
  });
  return best;
}

export const isArrow = (key) => key in DIRECTIONS;

const middle = (element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
};

// Make the tiles that match `selector` one Tab stop. If the focused tile is removed, its neighbour
// gets the focus.
export function rove(box, selector) {
  let held = null;
  const tiles = () => [...box.querySelectorAll(selector)];
  const stopAt = (tile) => {
    for (const other of tiles()) other.tabIndex = other === tile ? 0 : -1;
  };
  const settle = () => {
    const all = tiles();
    if (held && !box.contains(held.tile)) {
      const next = all[Math.min(held.at, all.length - 1)];
      held = null;
      if (next && document.activeElement === document.body) next.focus({ preventScroll: true });
    }
    const stops = all.filter((tile) => tile.tabIndex === 0);
    if (stops.length !== 1 && all.length) stopAt(stops[0] ?? all[0]);
  };
  new MutationObserver(settle).observe(box, { childList: true, subtree: true });
  box.addEventListener("focusin", ({ target }) => {
    const tile = target.closest(selector);
    if (!tile) return;
    stopAt(tile);
    held = { tile, at: tiles().indexOf(tile) };
  });
  box.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget) held = null;
  });
  box.addEventListener("keydown", (event) => {
    const tile = event.target.closest(selector);
    if (!tile || !isArrow(event.key)) return;
    event.preventDefault();
    const all = tiles();
    all[nearest(middle(tile), all.map(middle), event.key)]?.focus();
  });
  settle();
}
