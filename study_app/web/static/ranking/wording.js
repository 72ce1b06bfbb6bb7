// ranking/rank.html: labels of images for screen readers, in the grid and in the review.

import { gettext } from "../modules/texts.js";

// NOTE: on an image
export const notLoaded = () => gettext("did not load");

// The label of the image at a position in the grid, from 0; `score` is null if it has none.
export function imageWords(at, score, failed) {
  const number = at + 1;
  if (failed) return gettext("Image %(number)s, did not load", { number });
  if (score === null) return gettext("Image %(number)s, not scored", { number });
  return gettext("Image %(number)s, score %(score)s", { number, score: Math.round(score) });
}

// The announcement of a score that was just given.
export const given = (at, value) =>
  gettext("Image %(number)s, score %(score)s.", { number: at + 1, score: Math.round(value) });
