// ranking/rank.html: ignores the second tap of a double tap if it hits another button that has
// appeared in the same place.

const DOUBLE_MS = 400;
const NEAR_PX = 24;
let last = null;

export function isSecondTap({ detail, clientX, clientY, currentTarget }) {
  // A click by keyboard has no position.
  if (detail === 0) return false;
  const now = performance.now();
  const near = last && Math.hypot(clientX - last.clientX, clientY - last.clientY) < NEAR_PX;
  const second = near && now - last.at < DOUBLE_MS && currentTarget !== last.target;
  last = { at: now, clientX, clientY, target: currentTarget };
  return Boolean(second);
}
