"""Finding places where a card may be hidden: under hands, sleeves and other objects, or by glare.

An object on the table differs from it in brightness or texture (see `bare_table`), an edge
separates it from the table around the cards, or, where the table's pattern has edges of its own, it
has another colour.

The numbers below were chosen on 248 rendered photos of 4 megapixels with an object over some cards
(`tests/bench/bench_hidden.py`), with a top view of twice the resolution. At half of it as many
groupings of 124 photos are wrong (all of them in doubt), and 50 instead of 49 right ones are in
doubt.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.tabletop.bare_table import (
    WINDOW_MM,
    gradients,
    of_other_colour,
    unlike_table,
)
from printables.tabletop.doubts import ROUGH_MM
from printables.tabletop.hiding.openings import filled, opened_by_card, opened_by_disk
from printables.tabletop.hiding.table_looks import TableLooks, colour_channels
from printables.tabletop.light import paper_level
from printables.tabletop.top_view import TopView

_BY_EDGES = 0.15
"""Share of the boundary of an area that must be long edges for it to be an object; the rest may be
cards or the photo's edge. At .5, one right grouping fewer is in doubt in the 18 photos of
`bare_table`; no photo differs at .05."""
_AROUND_MM = 150.0
"""Distance from a read card, in millimetres, within which a hidden card could belong to its group.
At 80, one right grouping fewer of 40 photos (`bench_hidden --first 80000 --photos 40`) is in doubt;
none differs at 300."""
_RIM, _BESIDE = 1.25, 1.6
"""Scales of a known card: the smaller covers its shadow and blur; between the two there is mostly
bare table. At 1.1 of the first, one more right grouping of the 40 photos is in doubt, at 1.45 one
fewer, and at 2 of the second as well; none differs at 1.4."""
_CELL_MM = 20.0
"""Side, in millimetres, of the squares that approximate hidden places, and least width of such a
place: a pen is narrower and hides no card. At 10, one more right grouping of the 40 photos is in
doubt; at 35, one grouping (seed 80032) is wrong without a warning."""
_AS_CARD = 0.8
"""Least width of a place that may hide a whole card, as a share of a card's shorter side. None
of the 40 photos differs at .5 or 1.1."""
_FAINTEST, _NOISE, _LONG_MM = 0.008, 2.5, 40.0
"""Least gradient at the edge of an object, as a share of paper's brightness per pixel; the same as
a multiple of the bare table's median gradient; and least length of such an edge in millimetres. At
.03 of the first, 6 of the second, and 15 or 90 of the third, one right grouping of these photos
fewer is in doubt; no photo differs at .002 or 1."""
_MOST_HIDDEN = 12
"""Most cards that a thing may hide; a sheet of A4 has the area of 20 default cards without gaps. If
more are missing, most of them are on another photo. Of 120 photos (`bench_hidden --first 98100`,
`98200` and `98300`, 40 each), one right grouping more is in doubt at 16, and three at 20."""
_STEEP, _SOFT, _GRADUAL = 0.75, 0.01, 0.3
"""Quantile of the steepest gradients beside the rim of an area, and greatest such gradient of mere
light, as a share of paper's brightness per millimetre and, per pixel, of the area's difference from
the table around it. Of 49 ordinary photos of `docs/reference/measurements.md` whose groups are
right, 14 are in doubt, at .9 of the first or .15 of the third 16, and at .005 of the second 17, as
without the rule. At .5 of the first, one grouping of 100 photos of `bench_hidden` (seed 98126) is
wrong without a warning; at .02 of the second and .6 of the third none is."""
_GRADUAL_COLOUR = 0.2
"""The last for colours: a lamp's reflection on wood has none of the wood's. A sharp edge has .35,
the reflection on which this number was chosen .14."""
_IN_SIGHT = 0.5
"""Least share of the rim of mere light that is beside bare table: elsewhere an edge would not be
seen. Patches of light in those photos have .6 or more. Not varied in any measurement."""
_BRIGHT, _MOST_BRIGHT = 235, 0.05
"""Grey level from which a card may be as light as the table in a lamp's glare, and greatest share
of such pixels in mere light. In the same photos one right grouping more is in doubt at 220, none
fewer without the limit. The second was not varied in any measurement."""
_WHOLE = 0.85
"""Size of the rectangle that must fit into a place that hides a whole card, as a share of the
card's: a mug just as wide as a card's diagonal is found a few millimetres smaller. In the 200
photos of `table_looks`, 120 instead of 119 right groupings are in doubt at .8; at 1.1, one grouping
(seed 320065) is wrong without a warning. In 110 more photos, of things as light as the table, three
instead of one are at .95, and 23 instead of 25 of 97 right ones are in doubt."""
_BEYOND_MM = 20.0
"""Length by which a whole card may extend beyond such a place, in millimetres: its squares are as
wide, and the rims of cards do not belong to it. At
40, 121 of these groupings are in doubt; at 10, the same one is wrong without a warning."""
_SAMPLED = 4
"""One in how many rows and columns of the bare table is used for its median gradient. Only saves
time."""

Places = NDArray[np.float64]
_Mask = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class HiddenPlaces:
    """Squares that cover the places showing neither the bare table nor a known card.

    Attributes
    ----------
    squares : float array, shape (squares, 4, 2)
        Corners, millimetres.
    wide : float array, shape (squares, 4, 2)
        Those of places wide enough to hide a whole card.
    beyond_mm : float
        Length by which a hidden card may extend beyond them, millimetres.
    """

    squares: Places
    wide: Places
    beyond_mm: float = 0.0

    @classmethod
    def none(cls) -> "HiddenPlaces":
        """An empty result."""
        return cls(np.zeros((0, 4, 2)), np.zeros((0, 4, 2)))


@dataclass(frozen=True, eq=False)
class CloserLook:
    """What a closer look at hidden places needs, which takes time.

    Attributes
    ----------
    colours : function
        The colours of a top view. On a patterned table, they show things that are as light as it.
    in_doubt : function, optional
        Whether places that may hide a whole card, and the length in millimetres by which it may
        extend beyond them, leave groups in doubt. If they do, only those are found that look unlike
        the table elsewhere, and they are wide if a whole card fits there. If many cards are
        missing, it should not be given: what hides them may be found in part only.
    """

    colours: Callable[[TopView], NDArray[np.uint8]]
    in_doubt: Callable[[Places, float], object] | None = None


def find_hidden_places(
    top: TopView,
    read: Places,
    unread: Places,
    card_mm: float,
    clear: NDArray[np.bool_],
    closer: CloserLook | None = None,
) -> HiddenPlaces:
    """Find places near the read cards where a card may be hidden.

    Parameters
    ----------
    top : TopView
    read, unread : float array, shape (cards, 4, 2)
        Outlines of known cards, millimetres.
    card_mm : float
        Shorter side of the cards.
    clear : bool array, shape (cards,)
        Which of `read` nothing covers: close beside them is the bare table, not an object.
    closer : CloserLook, optional
        Without it, places are found by their brightness and their edges only.

    Returns
    -------
    HiddenPlaces
    """
    if not len(read):
        return HiddenPlaces.none()
    # half the resolution takes a quarter of the time
    top = top.near(read, _AROUND_MM + 2 * WINDOW_MM).halved()
    cards = top.from_mm(read)
    level = paper_level(top.grey, cards.astype(np.float32), top.px_per_mm)
    light = np.divide(top.grey, level, dtype=np.float32)
    known = np.concatenate([cards, top.from_mm(unread)])
    masks = _table(top, cards, known, clear if clear.any() else ~clear)
    width = _AS_CARD * card_mm * top.px_per_mm
    unusual, plain = unlike_table(light, *masks[:2], top.px_per_mm)
    hidden = opened_by_disk(_CELL_MM * top.px_per_mm, unusual.astype(np.uint8))
    enclosed = np.zeros_like(hidden)
    if plain:
        # on a patterned table, edges of the pattern are as long as those of objects
        enclosed = _enclosed_by_edges(light, *masks[:2], (width, _LONG_MM * top.px_per_mm))
    elif closer is not None:
        hidden |= _of_other_colours(closer.colours(top), top, *masks[:2])
    mere = _mere_light(light, top, hidden | enclosed, masks[0], (_SOFT, _GRADUAL))
    hidden[mere] = enclosed[mere] = 0
    # an object that covers a part of a known card is wider than its part beside the card
    rims = filled(hidden.shape, _scaled(known, _RIM))
    wide = opened_by_disk(width, hidden | enclosed | rims)
    sides = np.linalg.norm(np.diff(read[0, :3], axis=0), axis=1)
    found = _places(top, hidden | enclosed, wide, sides.max() / 2 + ROUGH_MM)
    if closer is None or closer.in_doubt is None:
        return found
    if not closer.in_doubt(found.wide, found.beyond_mm):
        return found
    looks = TableLooks.of(light, closer.colours(top), masks[::2], card_mm, top.px_per_mm)
    hidden = opened_by_disk(_CELL_MM * top.px_per_mm, looks.things(hidden))
    hidden |= looks.enclosed_things(enclosed)
    rims[filled(hidden.shape, cards[clear]) > 0] = 0
    wide = opened_by_card(_WHOLE * top.px_per_mm * sides, hidden | rims)
    return _places(top, hidden, wide, _BEYOND_MM)


def mostly_hidden_groups(labels: NDArray[np.intp], beside: list[int], missing: int) -> list[int]:
    """Find groups that may be one since a thing may hide as many cards as are read of each.

    Parameters
    ----------
    labels : int array, shape (cards,)
        Group of each card.
    beside : list of int
        The groups beside places that may hide a card.
    missing : int
        Number of cards that are neither read nor outlined.

    Returns
    -------
    list of int
        The groups beside such places with at most as many cards as are missing; all groups if only
        one is beside them; empty if none is in doubt.
    """
    found, counts = np.unique(labels, return_counts=True)
    if len(found) < 2 or not 0 < missing <= _MOST_HIDDEN:
        return []
    read = dict(zip(found.tolist(), counts.tolist(), strict=True))
    small = [group for group in beside if read[group] <= missing]
    if len(small) > 1:
        return small
    return found.tolist() if small and len(beside) == 1 else []


def _table(
    top: TopView, read: Places, known: Places, clear: NDArray[np.bool_]
) -> tuple[_Mask, _Mask, _Mask]:
    """Masks of the bare table near read cards and close beside those that nothing covers, and of
    these cards."""
    bare = np.zeros(top.grey.shape, np.uint8)
    reach = round(_AROUND_MM * top.px_per_mm)
    for middle in np.round(read.mean(1)).astype(int).tolist():
        cv2.circle(bare, middle, reach, 1, -1)
    beside = filled(bare.shape, _scaled(read[clear], _BESIDE))
    bare[filled(bare.shape, _scaled(known, _RIM)) > 0] = 0
    # brightness and gradients are undefined at the photo's edge
    bare[cv2.erode(top.grey, np.ones((7, 7), np.uint8)) == 0] = 0
    return bare, beside & bare, filled(bare.shape, read[clear])


def _scaled(cards: Places, by: float) -> NDArray[np.int32]:
    """Cards' corners, scaled around their centres, in whole pixels."""
    middles = cards.mean(1, keepdims=True)
    return np.round(middles + by * (cards - middles)).astype(np.int32)


def _enclosed_by_edges(
    light: NDArray[np.float32], bare: _Mask, beside: _Mask, sizes: tuple[float, float]
) -> _Mask:
    """Wide areas that long edges separate from the table beside the cards."""
    width, length = sizes
    soft = cv2.GaussianBlur(light, (0, 0), 1.0)
    slope = cv2.magnitude(*gradients(soft))
    some = slope[::_SAMPLED, ::_SAMPLED][bare[::_SAMPLED, ::_SAMPLED] > 0]
    least = max(_FAINTEST, _NOISE * float(np.median(some))) if len(some) else 0.0
    edges = ((slope > least) & (bare > 0)).astype(np.uint8)
    _, edge, sizes_of, _ = cv2.connectedComponentsWithStats(edges, connectivity=8)
    long = sizes_of[:, cv2.CC_STAT_WIDTH : cv2.CC_STAT_HEIGHT + 1].max(1) >= length
    # few pixels are edges
    places = np.flatnonzero(edges)
    long_edges = np.zeros(bare.shape, bool)
    long_edges.ravel()[places] = long[edge.ravel()[places]]
    rim = np.ones((5, 5), np.uint8)
    free = cv2.erode(((bare > 0) & ~long_edges).astype(np.uint8), rim)
    count, part, extents, _ = cv2.connectedComponentsWithStats(free, connectivity=4)
    table = np.bincount(part[(beside > 0) & (part > 0)], minlength=count).argmax()
    wide = extents[:, cv2.CC_STAT_WIDTH : cv2.CC_STAT_HEIGHT + 1].min(1) > width - len(rim)
    wide[[0, table]] = False
    if not wide.any():
        return np.zeros_like(bare)
    # bare table may also be separated by cards and by the photo's edge
    grown = cv2.dilate(part.astype(np.uint16), np.ones((9, 9), np.uint8))
    outside = (part == 0) & (grown > 0)
    around = np.bincount(grown[outside], minlength=count)
    by_edges = np.bincount(grown[outside & long_edges], minlength=count)
    other = (by_edges > _BY_EDGES * around) & wide
    apart = opened_by_disk(width - len(rim) + 1, other[part].astype(np.uint8))
    return np.asarray(cv2.dilate(apart, rim), np.uint8)


def _of_other_colours(colour: NDArray[np.uint8], top: TopView, bare: _Mask, beside: _Mask) -> _Mask:
    """Places that have another colour than the table, and not from a lamp."""
    found = np.zeros_like(bare)
    for channel in colour_channels(colour, bare.shape):
        other = of_other_colour(channel, bare, beside, top.px_per_mm).astype(np.uint8)
        other = opened_by_disk(_CELL_MM * top.px_per_mm, other)
        other[_mere_light(channel, top, other, bare, (np.inf, _GRADUAL_COLOUR))] = 0
        found |= other
    return found


def _mere_light(
    light: NDArray[np.float32],
    top: TopView,
    hidden: _Mask,
    bare: _Mask,
    steepest: tuple[float, float],
) -> NDArray[np.bool_]:
    """Those of the hidden areas that a lamp or a shadow makes lighter or darker than the table.

    They have no edges steeper than `steepest` (as `_SOFT` and `_GRADUAL`), and a card in them would
    be in sight unless the photo is overexposed there.
    """
    soft, gradual = steepest
    reach = max(round(WINDOW_MM / 2 * top.px_per_mm), 1)
    window = np.ones((2 * reach + 1,) * 2, np.uint8)
    slope = cv2.magnitude(*gradients(cv2.GaussianBlur(light, (0, 0), 1.0))) * bare
    slopes = cv2.dilate(slope, window)
    found = np.zeros(hidden.shape, bool)
    count, parts, sizes, _ = cv2.connectedComponentsWithStats(hidden, connectivity=8)
    for number in range(1, count):
        left, over, across, down, _ = sizes[number]
        near = np.s_[
            max(over - 3 * reach, 0) : over + down + 3 * reach,
            max(left - 3 * reach, 0) : left + across + 3 * reach,
        ]
        own = (parts[near] == number).astype(np.uint8)
        beside = cv2.dilate(own, window)
        around = (cv2.dilate(beside, window) > beside) & (bare[near] > hidden[near])
        inside, rim = (own & bare[near]) > 0, own > cv2.erode(own, np.ones((3, 3), np.uint8))
        # beside known cards and the photo's edge, an edge would not be seen
        in_sight = rim & (cv2.dilate(bare[near] & ~own & 1, np.ones((5, 5), np.uint8)) > 0)
        seen = around.any() and inside.any() and in_sight.sum() >= _IN_SIGHT * rim.sum()
        if not seen:
            continue
        step = max(float(np.quantile(slopes[near][part], _STEEP)) for part in (rim, in_sight))
        apart = abs(float(np.median(light[near][inside]) - np.median(light[near][around])))
        clipped = float((top.grey[near][inside] >= _BRIGHT).mean())
        if step <= min(soft / top.px_per_mm, gradual * apart) and clipped <= _MOST_BRIGHT:
            found[near] |= own > 0
    return found


def _places(top: TopView, hidden: _Mask, wide: _Mask, beyond_mm: float) -> HiddenPlaces:
    """The squares that cover hidden places, and those that may hide a whole card."""
    return HiddenPlaces(_squares(top, hidden), _squares(top, wide & hidden), float(beyond_mm))


def _squares(top: TopView, mask: _Mask) -> Places:
    """Squares that cover a mask, shape (squares, 4, 2), in millimetres."""
    side = max(round(_CELL_MM * top.px_per_mm), 1)
    shares = mask.astype(np.float32)
    part = cv2.resize(shares, None, fx=1 / side, fy=1 / side, interpolation=cv2.INTER_AREA)
    row, column = np.nonzero(part > 0.5)
    corner = np.stack([column, row], -1)[:, None] * float(side)
    return top.in_mm(corner + side * np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]]))
