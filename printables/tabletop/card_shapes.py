"""Fitting cards into a white patch of several cards that touch or are partly covered.

Pixels under known cards are ignored; of the others, a card covers white and no bare table. So a
rectangle of a card's size is placed greedily where it covers most white and least table, and
removed; then the next, until none fits. Its rotation is one of those of the patch's straight edges.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

_BARE = -2.0
"""Score of a pixel of bare table, against 1 for white. Chosen by trial: at -0.5 a card that is not
there is reported in "careless" (150 cards), at -6 two partly covered cards are missed in
"messenger" and "careless"."""
_LEAST_SCORE = 0.25
"""Least score of a card, as a share of its area. A fifth in sight should still be reported; at .05
a card that is not there is reported in "careless" (150 cards), at .5 all three partly covered cards
of "stacked" (60 cards) are missed."""
_MOST_CARDS = 12
"""Cards looked for in one patch; only bounds the time."""
_MOST_TURNS = 6
"""Rotations tried per patch, which bounds the time; with 1 the three partly covered cards of
"stacked" (60 cards) are missed."""
_LEAST_CONTOUR = 0.5
"""Length of a contour whose edges give a rotation, in short sides of a card. Specks give none; no
scene tried differs at .05."""
_TOLERANCE = 0.97
"""Share of a card's sides that is fitted, since scissors and bending take 1 to 2 mm; at 1 a partly
covered card is missed in "things" (60 cards)."""

Boxes = NDArray[np.float64]


def cards_in_patch(
    white: NDArray[np.uint8], known: NDArray[np.uint8], size: tuple[float, float]
) -> Boxes:
    """Fit cards into a white patch.

    Parameters
    ----------
    white : uint8 array, shape (height, width)
        Not 0 inside the patch, without the known cards; with a border of a card's length.
    known : uint8 array, shape (height, width)
        Not 0 inside known cards.
    size : (float, float)
        The card's two sides, pixels.

    Returns
    -------
    float array, shape (cards, 4, 2)
        Corners, pixels.
    """
    gain = np.where(white > 0, 1.0, np.where(known > 0, 0.0, _BARE)).astype(np.float32)
    turns = _edge_turns(white, min(size))
    found: list[NDArray[np.float64]] = []
    while len(found) < _MOST_CARDS:
        score, box = max(
            (_best_at(gain, turn, sides) for turn in turns for sides in (size, size[::-1])),
            key=lambda scored: scored[0],
        )
        if score < _LEAST_SCORE * float(np.prod(size)):
            break
        found.append(box)
        cv2.fillConvexPoly(gain, np.round(box).astype(np.int32), 0.0)
    return np.array(found).reshape(-1, 4, 2)


def _edge_turns(white: NDArray[np.uint8], short: float) -> list[float]:
    """Rotations of the patch's longest straight edges, distinct degrees in [0, 90)."""
    contours, _ = cv2.findContours(white, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    edges = []
    for contour in contours:
        if len(contour) < _LEAST_CONTOUR * short:
            continue
        outline = cv2.approxPolyDP(contour, 0.04 * short, True)[:, 0].astype(float)
        steps = np.roll(outline, -1, axis=0) - outline
        lengths = np.linalg.norm(steps, axis=1)
        turns = np.degrees(np.arctan2(steps[:, 1], steps[:, 0])) % 90
        edges += list(zip(lengths.tolist(), turns.tolist(), strict=True))
    chosen: list[float] = []
    for _, turn in sorted(edges, reverse=True):
        if all(min(abs(turn - other), 90 - abs(turn - other)) > 3 for other in chosen):
            chosen.append(turn)
        if len(chosen) == _MOST_TURNS:
            break
    return chosen or [0.0]


def _best_at(
    gain: NDArray[np.float32], turn: float, sides: tuple[float, float]
) -> tuple[float, NDArray[np.float64]]:
    """The best place of a card at a rotation: its score and its corners."""
    height, width = gain.shape
    reach = int(np.hypot(height, width)) + 2
    spin = cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0)
    spin[:, 2] += [(reach - width) / 2, (reach - height) / 2]
    turned = cv2.warpAffine(
        gain, spin, (reach, reach), flags=cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT,
        borderValue=(_BARE,),
    )  # fmt: skip
    window = tuple(max(round(side * _TOLERANCE), 3) for side in sides)
    sums = cv2.boxFilter(
        turned, cv2.CV_32F, window, normalize=False, borderType=cv2.BORDER_CONSTANT
    )
    _, score, _, (x, y) = cv2.minMaxLoc(sums)
    half = np.array(sides) / 2
    ends = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + [x, y]
    back = cv2.invertAffineTransform(spin)
    return float(score), np.asarray(ends @ back[:, :2].T + back[:, 2])
