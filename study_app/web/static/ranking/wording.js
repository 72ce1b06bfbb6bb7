// ranking/rank.html: what an image is called to those who hear the page, in the grid and the review.

import { gettext } from "../modules/texts.js";

// NOTE: on an image
export const notLoaded = () => gettext("did not load");

// The image at a place of the grid, from 0; `score` is null without one.
export function imageWords(at, score, failed) {
  const number = at + 1;
  if (failed) return gettext("Image %(number)s, did not load", { number });
  if (score === null) return gettext("Image %(number)s, not scored", { number });
  return gettext("Image %(number)s, score %(score)s", { number, score: Math.round(score) });
}

// What was just done to it.
export const given = (at, value) =>
  gettext("Image %(number)s, score %(score)s.", { number: at + 1, score: Math.round(value) });
