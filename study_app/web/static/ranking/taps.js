// ranking/rank.html: the second tap of a double one hits what has taken the button's place, and
// means nothing.

const DOUBLE_MS = 400;
const NEAR_PX = 24;
let last = null;

export function isSecondTap({ detail, clientX, clientY, currentTarget }) {
  // Keys press nothing by its place.
  if (detail === 0) return false;
  const now = performance.now();
  const near = last && Math.hypot(clientX - last.clientX, clientY - last.clientY) < NEAR_PX;
  const second = near && now - last.at < DOUBLE_MS && currentTarget !== last.target;
  last = { at: now, clientX, clientY, target: currentTarget };
  return Boolean(second);
}
