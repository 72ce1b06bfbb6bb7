"""Finding places where a card may be hidden: under hands, sleeves and other objects, or by glare.

The table beside the cards is a sample of its brightness (relative to paper) and of its texture: the
variation of the brightness gradient, horizontally and vertically, caused by grain, a pattern or
noise. An object on the table differs in brightness or texture, or an edge separates it from the
table around the cards.

The numbers below were chosen on 248 rendered photos of 4 megapixels with an object over some cards
(`tests/bench/bench_hidden.py`).
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.tabletop.light import paper_level
from printables.tabletop.top_view import TopView

_WINDOW_MM = 22.0
"""Side, in millimetres, of the square window in which brightness and texture are measured."""
_FAINT_LIGHT, _FAINT_SLOPE = 0.25, 0.006
"""Added to brightness (as a share of paper's) and to texture (the same per pixel) before taking
logarithms, so that differences below the noise count little."""
_LIGHT, _TEXTURE = (0.2, 5.0, 0.6), (0.5, 4.0, 1.0)
"""Difference of logarithms above which a place is not the table: the second number times the
distance of the nearer quartile from the median of the table beside cards, but at least the first
number and at most the third.
"""
_LEAST_SEEN, _PLAIN = 0.15, 0.008
"""Least share of a window that must be bare table; and the texture (share of paper's brightness per
pixel) from which a table is patterned, so that long edges may belong to the pattern."""
_SAMPLED = 20_000
"""Most pixels beside cards from which the table's brightness and texture are estimated. Only saves
time."""
_BY_EDGES = 0.15
"""Share of the boundary of an area that must be long edges for it to be an object; the rest may be
cards or the photo's edge."""
_AROUND_MM = 150.0
"""Distance from a read card, in millimetres, within which a hidden card could belong to its group.
"""
_RIM, _BESIDE = 1.25, 1.6
"""Scales of a known card: the smaller covers its shadow and blur; between the two there is mostly
bare table."""
_LEVEL, _DARKEST, _TILE_MM = 0.08, 0.1, 60.0
"""Step between levels of brightness, in logarithms; what is added to the brightness before, since
less is noise; and side, in millimetres, of the tiles of the table whose levels are compared."""
_SOME, _SEVERAL, _MOST_UNUSUAL = 0.03, 0.15, 0.5
"""Share of a tile from which it has a level; share of the tiles from which the table has it; and
share of a window from which other levels are not the table's. With a fourth of the tiles, on plain
tables too, 54 instead of 51 of 161 photos are in doubt needlessly."""
_CELL_MM = 20.0
"""Side, in millimetres, of the squares that approximate hidden places, and least width of such a
place: a pen is narrower and hides no card."""
_AS_CARD = 0.8
"""Least width of a place that may hide a whole card, as a share of a card's shorter side."""
_FAINTEST, _NOISE, _LONG_MM = 0.008, 2.5, 40.0
"""Least gradient at the edge of an object, as a share of paper's brightness per pixel; the same as
a multiple of the bare table's median gradient; and least length of such an edge in millimetres.
"""

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
    """

    squares: Places
    wide: Places

    @classmethod
    def none(cls) -> "HiddenPlaces":
        """An empty result."""
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
    if not len(read):
        return HiddenPlaces.none()
    top = top.near(read, _AROUND_MM + 2 * _WINDOW_MM)
    cards = top.from_mm(read)
    level = paper_level(top.grey, cards.astype(np.float32), top.px_per_mm)
    light = np.asarray(cv2.divide(top.grey, np.maximum(level, 1), dtype=cv2.CV_32F), np.float32)
    known = [*cards, *top.from_mm(unread)]
    bare, beside = _table(top, cards, known)
    width = _AS_CARD * card_mm * top.px_per_mm
    window, tile = _WINDOW_MM * top.px_per_mm, _TILE_MM * top.px_per_mm
    unusual, plain = _unlike_table(light, bare, beside, window)
    if not plain:
        unusual |= _unusual_levels(light, bare, window, tile)
    hidden = _opened_by_disk(_CELL_MM * top.px_per_mm, unusual)
    if plain:
        # on a patterned table, edges of the pattern are as long as those of objects
        hidden |= _enclosed_by_edges(light, bare, beside, (width, _LONG_MM * top.px_per_mm))
    # an object that covers a part of a known card is wider than its part beside the card
    over = hidden.copy()
    for card in known:
        cv2.fillConvexPoly(over, _scaled(card, _RIM), 1)
    wide = _opened_by_disk(width, over > 0) & hidden
    return HiddenPlaces(_squares(top, hidden), _squares(top, wide))


def _table(top: TopView, read: Places, known: list[Places]) -> tuple[_Mask, _Mask]:
    """Masks of the bare table: near read cards, and close beside one."""
    bare, beside = (np.zeros(top.grey.shape, np.uint8) for _ in range(2))
    for card in read:
        reach = round(_AROUND_MM * top.px_per_mm)
        cv2.circle(bare, np.round(card.mean(0)).astype(int).tolist(), reach, 1, -1)
        cv2.fillConvexPoly(beside, _scaled(card, _BESIDE), 1)
    for card in known:
        cv2.fillConvexPoly(bare, _scaled(card, _RIM), 0)
    # brightness and gradients are undefined at the photo's edge
    bare[cv2.erode(top.grey, np.ones((7, 7), np.uint8)) == 0] = 0
    return bare, beside & bare


def _scaled(card: Places, by: float) -> NDArray[np.int32]:
    """A card's corners, scaled around its centre, in whole pixels."""
    return np.round(card.mean(0) + by * (card - card.mean(0))).astype(np.int32)


@dataclass(frozen=True, eq=False)
class _Windows:
    """Statistics in a square window around each pixel, over its bare table only.

    Attributes
    ----------
    side : int
        Side of the window, pixels.
    bare : float32 array, shape (height, width)
        1 on bare table that is not at a card's edge, 0 elsewhere.
    count : float32 array, shape (height, width)
        Share of the window that is bare table.
    near : bool array, shape (height, width)
        Pixels beside cards.
    """

    side: int
    bare: NDArray[np.float32]
    count: NDArray[np.float32]
    near: NDArray[np.bool_]

    @classmethod
    def of(cls, bare: _Mask, beside: _Mask, side: float) -> "_Windows":
        """Windows of about this side, from masks of the table."""
        odd = 2 * round(side / 2) + 1
        inner = cv2.erode(bare, np.ones((5, 5), np.uint8)).astype(np.float32)
        count = np.asarray(cv2.boxFilter(inner, -1, (odd, odd)), np.float32)
        return cls(odd, inner, count, (beside > 0) & (count > _LEAST_SEEN))

    def mean(self, picture: NDArray[np.float32]) -> NDArray[np.float32]:
        """Mean in each window."""
        whole = cv2.boxFilter(picture * self.bare, -1, (self.side, self.side))
        return np.asarray(whole / np.maximum(self.count, 1e-3), np.float32)

    def spread(self, picture: NDArray[np.float32]) -> NDArray[np.float32]:
        """Standard deviation in each window."""
        return np.sqrt(np.maximum(self.mean(picture * picture) - self.mean(picture) ** 2, 0))

    def deviation(
        self, measured: NDArray[np.float32], faint: float, limits: tuple[float, float, float]
    ) -> NDArray[np.float32]:
        """Difference from the table beside cards; above 1 or below -1 where it is another
        surface."""
        logs = np.log(measured + np.float32(faint))
        beside = logs[self.near]
        some = beside[:: max(len(beside) // _SAMPLED, 1)]
        low, usual, high = np.quantile(some, [0.25, 0.5, 0.75])
        least, share, most = limits
        # an object beside cards widens the distribution on one side only
        own = share * min(high - usual, usual - low)
        return np.where(self.count > _LEAST_SEEN, (logs - usual) / min(max(least, own), most), 0)


def _unlike_table(
    light: NDArray[np.float32], bare: _Mask, beside: _Mask, side: float
) -> tuple[NDArray[np.bool_], bool]:
    """Where brightness or texture differ from the table beside cards, and whether it is plain."""
    soft = cv2.GaussianBlur(light, (0, 0), 0.8)
    slopes = [np.asarray(way, np.float32) for way in _slopes(soft)]
    small, large = (_Windows.of(bare, beside, times * side) for times in (1, 2))
    if not small.near.any() or not large.near.any():
        return np.zeros(light.shape, bool), True
    textures = [small.spread(slope) for slope in slopes]
    plain = all(np.median(texture[small.near]) < _PLAIN for texture in textures)
    other = np.abs(small.deviation(small.mean(np.asarray(soft)), _FAINT_LIGHT, _LIGHT)) > 1
    rougher = np.zeros(light.shape, bool)
    for slope, texture in zip(slopes, textures, strict=True):
        off = small.deviation(texture, _FAINT_SLOPE, _TEXTURE)
        rougher |= off > 1
        other |= (off < -1) | (large.deviation(large.spread(slope), _FAINT_SLOPE, _TEXTURE) < -1)
    # a window is rough as soon as it contains an object's edge, but lighter or smoother only if
    # half of it is on the object
    hidden = np.zeros(light.shape, bool)
    for unusual, share in ((rougher, 1.0), (other, 0.5)):
        reach = (2 * round(share * small.side / 2) + 1,) * 2
        within = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, reach)
        hidden |= cv2.erode((unusual | (bare == 0)).astype(np.uint8), within) > 0
    return hidden & (bare > 0), plain


def _unusual_levels(
    light: NDArray[np.float32], bare: _Mask, window: float, tile: float
) -> NDArray[np.bool_]:
    """Where the brightness is none of those that a pattern repeats all over the table."""
    soft = np.asarray(cv2.GaussianBlur(light, (0, 0), 0.8))
    level = np.round(np.log(soft + np.float32(_DARKEST)) / _LEVEL).astype(np.intp)
    level -= level.min()
    side = max(round(tile), 1)
    row, column = (np.arange(length) // side for length in level.shape)
    part = row[:, None] * (column[-1] + 1) + column
    tiles = np.zeros((int(part[-1, -1]) + 1, int(level.max()) + 1))
    np.add.at(tiles, (part[bare > 0], level[bare > 0]), 1)
    tiles = tiles[tiles.sum(1) > side * side / 4]
    if not len(tiles):
        return np.zeros(light.shape, bool)
    shared = (tiles > _SOME * tiles.sum(1, keepdims=True)).mean(0) >= _SEVERAL
    # lamps and shadows shift levels a little
    usual = np.convolve(shared, [1, 1, 1], "same") > 0
    unusual = ((~usual[level]) & (bare > 0)).astype(np.float32)
    box = (2 * round(window / 2) + 1,) * 2
    other, seen = (cv2.boxFilter(mask, cv2.CV_32F, box) for mask in (unusual, bare))
    return np.asarray((other > _MOST_UNUSUAL * np.maximum(seen, 0.05)) & (bare > 0))


def _slopes(light: cv2.typing.MatLike) -> list[cv2.typing.MatLike]:
    """Horizontal and vertical gradient of the brightness, per pixel."""
    return [cv2.Sobel(light, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1))]


def _enclosed_by_edges(
    light: NDArray[np.float32], bare: _Mask, beside: _Mask, sizes: tuple[float, float]
) -> _Mask:
    """Wide areas that long edges separate from the table beside the cards."""
    width, length = sizes
    soft = cv2.GaussianBlur(light, (0, 0), 1.0)
    slope = cv2.magnitude(*_slopes(soft))
    least = max(_FAINTEST, _NOISE * float(np.median(slope[bare > 0]))) if bare.any() else 0.0
    edges = ((slope > least) & (bare > 0)).astype(np.uint8)
    _, edge, sizes_of, _ = cv2.connectedComponentsWithStats(edges, connectivity=8)
    long = sizes_of[:, cv2.CC_STAT_WIDTH : cv2.CC_STAT_HEIGHT + 1].max(1) >= length
    long[0] = False
    rim = np.ones((5, 5), np.uint8)
    free = cv2.erode(((bare > 0) & ~long[edge]).astype(np.uint8), rim)
    count, part = cv2.connectedComponents(free, connectivity=4)
    table = np.bincount(part[(beside > 0) & (part > 0)], minlength=count).argmax()
    # bare table may also be separated by cards and by the photo's edge
    grown = cv2.dilate(part.astype(np.uint16), np.ones((9, 9), np.uint8))
    outside = (part == 0) & (grown > 0)
    around = np.bincount(grown[outside], minlength=count)
    by_edges = np.bincount(grown[outside & long[edge]], minlength=count)
    other = (by_edges > _BY_EDGES * around) & (np.arange(count) > 0) & (np.arange(count) != table)
    apart = _opened_by_disk(width - len(rim) + 1, other[part])
    return np.asarray(cv2.dilate(apart, rim), np.uint8)


def _opened_by_disk(width: float, mask: NDArray[np.bool_]) -> _Mask:
    """The parts of a mask into which a disk of this width fits (morphological opening)."""
    side = max(round(width), 1)
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    disk = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    # zero padding, so that half a disk at the picture's edge does not count
    opened = cv2.morphologyEx(
        closed, cv2.MORPH_OPEN, disk, borderType=cv2.BORDER_CONSTANT, borderValue=0
    )
    return np.asarray(opened, np.uint8)


def _squares(top: TopView, mask: _Mask) -> Places:
    """Squares that cover a mask, shape (squares, 4, 2), in millimetres."""
    side = max(round(_CELL_MM * top.px_per_mm), 1)
    shares = mask.astype(np.float32)
    part = cv2.resize(shares, None, fx=1 / side, fy=1 / side, interpolation=cv2.INTER_AREA)
    row, column = np.nonzero(part > 0.5)
    corner = np.stack([column, row], -1)[:, None] * float(side)
    return top.in_mm(corner + side * np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]]))
