"""Places where a card may be hidden: under hands, sleeves and other things, or in a lamp's glare.

A bare table has few light levels, relative to paper at the same place: one, or its pattern's.
What lies on it or shines on it has others, or an edge separates it from the table around the cards.
A pattern is narrower than a card, so a second level as wide as a card is a thing as well.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.tabletop.light import paper_level
from printables.tabletop.top_view import TopView

_LEVELS, _BRIGHTEST = 50, 60
"""Number of light levels up to the light of paper, and the highest level that is distinguished."""
_RARE, _LEAST_TONE = 0.05, 0.1
"""Share of the most frequent level's places from which a level is the table's, and the share of all
places that neighbouring levels need to be a tone of its pattern. Without hidden places, "careless"
(150 cards) has wrong groups and no doubt."""
_AROUND_MM = 150.0
"""Millimetres around read cards in which hidden cards matter to their groups."""
_RIM, _BESIDE = 1.25, 1.6
"""Growth of a known card, in its sizes, that covers its shadow and blur, and growth up to which it
is mostly table that is beside it."""
_CELL_MM = 20.0
"""Side of the squares into which hidden places are cut, and their least width: a pen is narrower
and hides no card."""
_AS_CARD = 0.8
"""Least width, as a share of a card's shorter side, of what hides a whole card, and of what is not
table although a pattern may have its tone. Without this, a dark sleeve over 2 to 4 of 12 cards on a
white table splits their group in two without a doubt in 4 of 25 photos."""
_FAINTEST, _NOISE, _LONG_MM = 0.008, 2.5, 40.0
"""Least slope of the light at the edge of a thing, in shares of paper's light to a pixel; the same
as a multiple of the bare table's median slope; and the least length of such an edge, millimetres.
Without edges, a sleeve as light as a white table splits groups without a doubt in 3 of 25 photos,
and one of 6 "careless" tables (60 cards) has wrong groups and no doubt."""

Places = NDArray[np.float64]
_Mask = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class HiddenPlaces:
    """Squares of the table that show neither the bare table nor a known card.

    Attributes
    ----------
    squares : float array, shape (squares, 4, 2)
        Corners, millimetres.
    wide : float array, shape (squares, 4, 2)
        Those where a whole card may be hidden.
    """

    squares: Places
    wide: Places

    @classmethod
    def none(cls) -> "HiddenPlaces":
        """No place."""
        return cls(np.zeros((0, 4, 2)), np.zeros((0, 4, 2)))


def find_hidden_places(top: TopView, read: Places, unread: Places, card_mm: float) -> HiddenPlaces:
    """Find places near the read cards where a card may be hidden.

    Parameters
    ----------
    top : TopView
    read, unread : float array, shape (cards, 4, 2)
        Outlines of known cards, millimetres.
    card_mm : float
        Shorter side of the cards.

    Returns
    -------
    HiddenPlaces
    """
    cards = top.from_mm(read)
    level = paper_level(top.grey, cards.astype(np.float32), top.px_per_mm)
    light = np.asarray(top.grey / np.maximum(level, 1).astype(np.float32), np.float32)
    bare, beside = _table(top, cards, top.from_mm(unread))
    width = _AS_CARD * card_mm * top.px_per_mm
    usual, pattern = _tones(light, bare, beside)
    strange = _as_wide_as(_CELL_MM * top.px_per_mm, (bare > 0) & ~usual & ~pattern)
    strange |= _as_wide_as(width, (bare > 0) & ~usual)
    if not (pattern & (bare > 0)).any():
        # edges of a pattern are as long as those of things
        strange |= _cut_off(light, bare, beside, (width, _LONG_MM * top.px_per_mm))
    return HiddenPlaces(_squares(top, strange), _squares(top, _as_wide_as(width, strange > 0)))


def _table(top: TopView, read: Places, unread: Places) -> tuple[_Mask, _Mask]:
    """Masks of the table without known cards: near the read ones, and beside one."""
    bare, beside = (np.zeros(top.grey.shape, np.uint8) for _ in range(2))
    for card in read:
        reach = round(_AROUND_MM * top.px_per_mm)
        cv2.circle(bare, np.round(card.mean(0)).astype(int).tolist(), reach, 1, -1)
        cv2.fillConvexPoly(beside, _grown(card, _BESIDE), 1)
    for card in (*read, *unread):
        cv2.fillConvexPoly(bare, _grown(card, _RIM), 0)
    bare[top.grey == 0] = 0
    return bare, beside & bare


def _grown(card: Places, by: float) -> NDArray[np.int32]:
    return np.round(card.mean(0) + by * (card - card.mean(0))).astype(np.int32)


def _tones(
    light: NDArray[np.float32], bare: _Mask, beside: _Mask
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Where the light is the table's most frequent tone beside cards, and where another of its
    tones."""
    levels = np.clip(cv2.blur(light, (3, 3)) * _LEVELS, 0, _BRIGHTEST).astype(np.uint8)
    count, near = (
        np.bincount(levels[mask > 0], minlength=_BRIGHTEST + 1) for mask in (bare, beside)
    )
    smooth = np.convolve(count, [0.25, 0.5, 0.25], "same")
    frequent = smooth >= max(_RARE * smooth.max(), 1)
    run = np.cumsum(np.diff(frequent, prepend=False, append=False)[:-1])
    total = np.bincount(run, weights=count * frequent)
    usual = frequent & (run == np.bincount(run, weights=near * frequent).argmax())
    pattern = frequent & (total[run] >= _LEAST_TONE * count.sum()) & ~usual
    return usual[levels], pattern[levels]


def _cut_off(
    light: NDArray[np.float32], bare: _Mask, beside: _Mask, sizes: tuple[float, float]
) -> _Mask:
    """Wide parts of the table that long edges separate from the table beside the cards."""
    width, length = sizes
    soft = cv2.GaussianBlur(light, (0, 0), 1.0)
    right, down = (cv2.Sobel(soft, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
    slope = cv2.magnitude(right, down)
    least = max(_FAINTEST, _NOISE * float(np.median(slope[bare > 0]))) if bare.any() else 0.0
    edges = ((slope > least) & (bare > 0)).astype(np.uint8)
    _, edge, sizes_of, _ = cv2.connectedComponentsWithStats(edges, connectivity=8)
    long = sizes_of[:, cv2.CC_STAT_WIDTH : cv2.CC_STAT_HEIGHT + 1].max(1) >= length
    long[0] = False
    rim = np.ones((5, 5), np.uint8)
    free = cv2.erode(((bare > 0) & ~long[edge]).astype(np.uint8), rim)
    count, part = cv2.connectedComponents(free, connectivity=4)
    table = np.bincount(part[(beside > 0) & (part > 0)], minlength=count).argmax()
    apart = _as_wide_as(width - len(rim) + 1, (part > 0) & (part != table))
    return np.asarray(cv2.dilate(apart, rim), np.uint8)


def _as_wide_as(width: float, mask: NDArray[np.bool_]) -> _Mask:
    """The parts of a mask that are as wide as a disk."""
    side = max(round(width), 1)
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    disk = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, disk), np.uint8)


def _squares(top: TopView, mask: _Mask) -> Places:
    """Squares that cover a mask, in millimetres."""
    side = max(round(_CELL_MM * top.px_per_mm), 1)
    shares = mask.astype(np.float32)
    part = cv2.resize(shares, None, fx=1 / side, fy=1 / side, interpolation=cv2.INTER_AREA)
    row, column = np.nonzero(part > 0.5)
    corner = np.stack([column, row], -1)[:, None] * float(side)
    return top.in_mm(corner + side * np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]]))
