"""Cards of whose symbols hardly more than a finder pattern is in sight.

A finder pattern may be any of a symbol's three, in four turns. In the right one of these twelve
poses, the paper beside its two outer sides is blank, and the format bits beside an inner side are
as on all cards. Cards beside each other mostly lie the same way, so another turn than that of the
nearest card must be clearer. Such a symbol cannot be recognised, but tells where an unread card
lies, also where paper does not: above a card that was read, and below another.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.cards.card import CardLayout
from printables.cards.codes import MODULES
from printables.reading.symbols.finder_patterns import CORNER, maps_of_turns
from printables.reading.symbols.half_symbols import SOFT_PX, Finders
from printables.reading.symbols.pose import are_on_symbols, middles_of, sample
from printables.reading.symbols.symbol_model import UNKNOWN, common_modules
from printables.tabletop.grouping import card_outlines
from printables.tabletop.outlines import is_same_card
from printables.tabletop.plane import map_points

_BLANK, _FORMAT = 3, 5
"""Modules of blank paper that are compared beside a symbol, and distance of the format bits from
the middle of a finder pattern."""
_OF_FORMAT, _OTHER_TURN, _TURNED = 0.5, 0.3, 0.6
"""Weight of the errors of format bits, beside those of blank paper; what another turn than the
nearest card's counts, and from how many radians. In 63 photos by a third simulator, 133 of 143
patterns of unread cards are placed right, 6 a few modules beside, and 4 wrong; without the second,
87 right."""
_MOST_WRONG = 0.45
"""Greatest sum of these, as a share of the contrast. In those photos, two of the wrong ones and
nearly all of the right ones are below."""
_OTHER_CARD = 0.2
"""Distance between the centres of two cards, as a share of their shorter side, up to which they are
the same. Not varied in any measurement."""
_ON_CARD = 0.1
"""Share of a symbol that an unread card covers, from which a single finder pattern may be that
card's: a pattern is a ninth of a symbol."""
_SAME = 3.0
"""Distance in modules within which poses are the same."""
_TOGETHER, _MOST_TOGETHER = 1.5, 2
"""Distance in sides of a symbol, and most symbols on single finder patterns within it, above which
the patterns are those of a print. None of 70 in 61 photos by a third simulator has another within
it; of ten sheets printed with such patterns, 25 instead of 38 places without a card are outlined on
three tables."""
_LEAST_CONTRAST = 8.0
"""Contrast of a finder pattern, in grey levels, that is assumed at least."""

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Beside:
    """What is beside and in one of the finder patterns.

    Attributes
    ----------
    middle : tuple of float
        Of the pattern, modules.
    points : float32 array, shape (points, 2)
        Middles of the modules that are compared.
    dark : bool array, shape (points,)
    pattern, blank, bits : bool arrays, shape (points,)
        Which of them are in the pattern, on paper beside the symbol, and format bits.
    """

    middle: tuple[float, float]
    points: NDArray[np.float32]
    dark: NDArray[np.bool_]
    pattern: NDArray[np.bool_]
    blank: NDArray[np.bool_]
    bits: NDArray[np.bool_]

    @classmethod
    def of(cls, x: float, y: float) -> "_Beside":
        """Those of the finder pattern with this middle."""
        modules = np.pad(common_modules(), _BLANK, constant_values=0)
        row, column = np.nonzero(modules != UNKNOWN)
        points = np.stack([column, row], -1) - _BLANK + 0.5
        away = np.abs(points - [x, y]).max(1)
        blank = ((points < 0) | (points > MODULES)).any(1) & (away < CORNER + _BLANK)
        pattern, bits = away < CORNER, ~blank & (away == _FORMAT)
        used = pattern | blank | bits
        marks = (mark[used] for mark in (modules[row, column] == 1, pattern, blank, bits))
        return cls((x, y), points[used].astype(np.float32), *marks)

    def errors(self, grey: NDArray[np.uint8], maps: Points) -> NDArray[np.float64]:
        """How much the paper and the bits beside the pattern differ from what they should be in
        poses, shape (poses, 2, 3), as a share of the contrast."""
        seen = sample(grey, maps, self.points)
        dark = np.median(seen[:, self.pattern & self.dark], axis=1, keepdims=True)
        light = np.quantile(seen[:, self.blank], 0.7, axis=1, keepdims=True)
        level = (light - seen) / np.maximum(light - dark, _LEAST_CONTRAST)
        wrong = np.minimum(np.abs(level - self.dark), 1)
        of_bits = wrong[:, self.bits].mean(1)
        return np.asarray(wrong[:, self.blank].mean(1) + _OF_FORMAT * of_bits, float)


@lru_cache(maxsize=1)
def _corners() -> list[_Beside]:
    """The finder patterns: upper left, upper right and lower left."""
    near, far = CORNER, MODULES - CORNER
    return [_Beside.of(*middle) for middle in ((near, near), (far, near), (near, far))]


@dataclass(frozen=True, eq=False)
class Glimpse:
    """A symbol of which hardly more than a finder pattern is in sight.

    Attributes
    ----------
    corners : float array, shape (4, 2)
        Pixels.
    is_sure : bool
        Whether two finder patterns show where it is, rather than one.
    """

    corners: Points
    is_sure: bool


@dataclass(frozen=True, eq=False)
class PlacedSymbols:
    """Symbols that were placed on single finder patterns.

    Attributes
    ----------
    maps : float array, shape (symbols, 2, 3)
        Affine maps from modules to pixels.
    ways : int array, shape (symbols,)
        Which of the three finder patterns each is, and in which of four turns.
    wrong : float array, shape (symbols,)
        Errors beside the pattern, see `_MOST_WRONG`.
    """

    maps: Points
    ways: NDArray[np.intp]
    wrong: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.maps)

    def __getitem__(self, chosen: NDArray[np.generic]) -> "PlacedSymbols":
        return PlacedSymbols(self.maps[chosen], self.ways[chosen], self.wrong[chosen])

    @property
    def patterns(self) -> Points:
        """Centre of the finder pattern in each symbol, modules, shape (symbols, 2)."""
        return np.array([corner.middle for corner in _corners()])[self.ways // 4]


def glimpsed_cards(
    glimpses: Sequence[Glimpse], to_table: Points, read: Points, layout: CardLayout, others: Points
) -> Points:
    """Compute the outlines of cards whose symbols were glimpsed.

    Parameters
    ----------
    glimpses : sequence of Glimpse
    to_table : float array, shape (3, 3)
        Homography from the photo's pixels to millimetres.
    read : float array, shape (read, 4, 2)
        Corners of the symbols read, pixels.
    layout : CardLayout
    others : float array, shape (cards, 4, 2)
        Outlines of other unread cards, millimetres.

    Returns
    -------
    float array, shape (cards, 4, 2)
        Outlines, millimetres; none of the others.
    """
    seen = np.array([glimpse.corners for glimpse in glimpses]).reshape(-1, 4, 2)
    symbols = map_points(to_table, seen)
    fresh = ~are_on_symbols(symbols.mean(1), map_points(to_table, read))
    known, apart = others, _OTHER_CARD * min(layout.width_mm, layout.height_mm)
    cards = card_outlines(symbols, layout)
    for place in np.flatnonzero(fresh).tolist():
        glimpse, symbol, card = glimpses[place], symbols[place], cards[place]
        new = (np.linalg.norm(known.mean(1) - card.mean(0), axis=1) > apart).all()
        if new and (glimpse.is_sure or not is_same_card(symbol, others, _ON_CARD)):
            known = np.concatenate([known, card[None]])
    return known[len(others) :]


def placed_by_finders(
    grey: NDArray[np.uint8], module_px: float, finders: Finders, read: Points
) -> list[PlacedSymbols]:
    """Place symbols on single finder patterns.

    Parameters
    ----------
    grey, module_px, finders
        As for `half_symbols`.
    read : float array, shape (symbols, 4, 2)
        Corners of symbols that were read, pixels; at least one.

    Returns
    -------
    list of PlacedSymbols
        The best pose of each pattern, and the second best.
    """
    if not len(finders.peaks):
        return [PlacedSymbols(np.zeros((0, 2, 3)), np.zeros(0, np.intp), np.zeros(0))] * 2
    soft = np.asarray(cv2.blur(grey, (SOFT_PX, SOFT_PX)), np.uint8)
    apart = np.linalg.norm(finders.peaks[:, None] - read.mean(1), axis=2)
    along = (read[:, 1] - read[:, 0])[apart.argmin(1)]
    usual = np.arctan2(along[:, 1], along[:, 0])
    maps, errors = [], []
    for corner in _corners():
        turned = maps_of_turns(finders.peaks, finders.turns, module_px, corner.middle)
        across, down = np.moveaxis(turned[..., 0], -1, 0)
        away = np.abs(np.angle(np.exp(1j * (np.arctan2(down, across) - usual[:, None]))))
        wrong = corner.errors(soft, turned.reshape(-1, 2, 3)).reshape(away.shape)
        maps.append(turned)
        errors.append(wrong + _OTHER_TURN * (away > _TURNED))
    every, wrong, rows = np.concatenate(maps, 1), np.concatenate(errors, 1), np.arange(len(maps[0]))
    best = np.argsort(wrong, axis=1, kind="stable")[:, :2].T
    return [PlacedSymbols(every[rows, ways], ways, wrong[rows, ways]) for ways in best]


def clearly_placed(placed: PlacedSymbols, module_px: float) -> Points:
    """Choose the symbols that are clear, but only one where those of patterns side by side differ
    otherwise than if their cards lay side by side.

    Parameters
    ----------
    placed : PlacedSymbols
    module_px : float
        Size of a module, pixels.

    Returns
    -------
    float array, shape (found, 2, 3)
        Affine maps from modules to pixels.
    """
    middles = middles_of(placed.maps)
    kept: list[int] = []
    for place in np.argsort(placed.wrong, kind="stable").tolist():
        if placed.wrong[place] > _MOST_WRONG:
            break
        apart = np.linalg.norm(middles[kept] - middles[place], axis=1) / module_px
        other = placed.ways[kept] != placed.ways[place]
        if not (apart < np.where(other, MODULES, _SAME)).any():
            kept.append(place)
    found = placed.maps[np.array(kept, np.intp)]
    apart = np.linalg.norm(middles[kept][:, None] - middles[kept], axis=2) / module_px
    return found[(apart < _TOGETHER * MODULES).sum(1) <= _MOST_TOGETHER]
