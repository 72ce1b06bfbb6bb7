// participate/rank.html: the second tap of a double one hits what has taken the button's place, and means nothing.

const DOUBLE_MS = 400;
const NEAR_PX = 24;
let last = null;

export function isSecondTap({ detail, timeStamp, clientX, clientY, currentTarget }) {
  // Keys press nothing by its place.
  if (detail === 0) return false;
  const near = last && Math.hypot(clientX - last.clientX, clientY - last.clientY) < NEAR_PX;
  const second = near && timeStamp - last.timeStamp < DOUBLE_MS && currentTarget !== last.target;
  last = { timeStamp, clientX, clientY, target: currentTarget };
  return Boolean(second);
}
