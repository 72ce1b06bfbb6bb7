"""Symbols that are placed on single finder patterns.

A finder pattern may be any of a symbol's three, in four turns. In the right one of these twelve
poses, the paper beside its two outer sides is blank, and the format bits beside an inner side are
as on all cards. Cards beside each other mostly lie the same way, so another turn than that of the
nearest card must be clearer.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.cards.codes import MODULES
from printables.reading.symbols.decoding import are_mirror_images
from printables.reading.symbols.finder_patterns import CORNER, maps_of_turns
from printables.reading.symbols.half_symbols import SOFT_PX, Finders
from printables.reading.symbols.pose import middles_of, module_sizes, sample
from printables.reading.symbols.symbol_model import UNKNOWN, common_modules

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
_SAME = 3.0
"""Distance in modules within which poses are the same."""
_TOGETHER, _MOST_TOGETHER = 1.5, 2
"""Distance in sides of a symbol, and most symbols on single finder patterns within it, above which
the patterns are those of a print. None of 70 in 61 photos by a third simulator has another within
it; of ten sheets printed with such patterns, 25 instead of 38 places without a card are outlined on
three tables."""
_FOURTH = 3.0
"""Distance in modules from where a finder pattern would be in the fourth corner of a symbol, within
which one shows that the symbol shines through the back of a card. Not varied in any measurement."""
_LEAST_CONTRAST = 8.0
"""Contrast of a finder pattern, in grey levels, that is assumed at least."""
_LIGHT, _COVERED = 0.7, 64
"""Share of the blank paper that is darker than its light; and least value of places that known
cards cover, whose edges are drawn coarsely. Not varied in any measurement."""
_LEAST_BLANK, _HIDDEN_BITS = 0.25, 0.3
"""Least share of the blank paper in sight for it to count, and what format bits of which none is in
sight count. Not varied in any measurement."""
_AGREED = 0.1
"""What it counts for such patterns if another one is where the pose has it."""
_MOST_WRONG_OF_CUT = 0.25
"""The same as `_MOST_WRONG` for patterns that known cards cover in part. In 29 photos by a third
simulator, 29 such patterns of unread cards have less, and no other; at .35 45 and 6, at .45 51 and
8."""

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

    def errors(
        self, grey: NDArray[np.uint8], maps: Points, covered: NDArray[np.uint8] | None
    ) -> NDArray[np.float64]:
        """How much the paper and the bits beside the pattern differ from what they should be in
        poses, shape (poses, 2, 3), as a share of the contrast, where no known card covers them."""
        seen = sample(grey, maps, self.points)
        free = np.ones(seen.shape, bool)
        if covered is not None:
            free = sample(covered, maps, self.points) < _COVERED
        dark = _ranked(seen, free & self.pattern & self.dark, 0.5)
        light = _ranked(seen, free & self.blank, _LIGHT)
        level = (light - dark)[:, None]
        level = (light[:, None] - seen) / np.maximum(level, _LEAST_CONTRAST)
        wrong = np.minimum(np.abs(level - self.dark), 1)
        of_blank, blank = _mean(wrong, free & self.blank)
        of_bits, bits = _mean(wrong, free & self.bits)
        of_blank[blank < _LEAST_BLANK * self.blank.sum()] = 1
        return of_blank + _OF_FORMAT * np.where(bits > 0, of_bits, _HIDDEN_BITS)


def _ranked(
    seen: NDArray[np.float32], used: NDArray[np.bool_], share: float
) -> NDArray[np.float32]:
    """The grey level with a share of those used below it, of each pose; 0 if none is used."""
    ordered = np.sort(np.where(used, seen, np.float32(np.inf)), axis=1)
    count = used.sum(1)
    level = ordered[np.arange(len(seen)), np.maximum(share * (count - 1), 0).astype(np.intp)]
    return np.where(count > 0, level, np.float32(0))


def _mean(
    wrong: NDArray[np.float32], used: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Mean error of those used, of each pose, and their number."""
    count = used.sum(1)
    return np.asarray((wrong * used).sum(1) / np.maximum(count, 1), float), count


@lru_cache(maxsize=1)
def _corners() -> list[_Beside]:
    """The finder patterns: upper left, upper right and lower left."""
    near, far = CORNER, MODULES - CORNER
    return [_Beside.of(*middle) for middle in ((near, near), (far, near), (near, far))]


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

    @property
    def middles(self) -> Points:
        """Centre of each finder pattern, pixels, shape (symbols, 2)."""
        turned = np.einsum("nij,nj->ni", self.maps[:, :, :2], self.patterns)
        return np.asarray(turned + self.maps[:, :, 2])


def usual_turns(places: Points, read: Points) -> NDArray[np.float64]:
    """Find how the symbol nearest to each place is turned.

    Parameters
    ----------
    places : float array, shape (places, 2)
        Pixels.
    read : float array, shape (symbols, 4, 2)
        Corners of symbols that were read, pixels; at least one.

    Returns
    -------
    float array, shape (places,)
        Radians.
    """
    apart = np.linalg.norm(places[:, None] - read.mean(1), axis=2)
    along = (read[:, 1] - read[:, 0])[apart.argmin(1)]
    return np.asarray(np.arctan2(along[:, 1], along[:, 0]))


def placed_by_finders(
    grey: NDArray[np.uint8],
    module_px: float,
    finders: Finders,
    usual: NDArray[np.float64],
    covered: NDArray[np.uint8] | None = None,
) -> list[PlacedSymbols]:
    """Place symbols on single finder patterns.

    Parameters
    ----------
    grey, module_px, finders
        As for `half_symbols`.
    usual : float array, shape (patterns,)
        How the symbol nearest to each is turned, radians.
    covered : uint8 array, shape (height, width), optional
        255 on known cards that cover parts of the patterns, 0 elsewhere.

    Returns
    -------
    list of PlacedSymbols
        The best pose of each pattern, and the second best.
    """
    if not len(finders.peaks):
        return [PlacedSymbols(np.zeros((0, 2, 3)), np.zeros(0, np.intp), np.zeros(0))] * 2
    soft = np.asarray(cv2.blur(grey, (SOFT_PX, SOFT_PX)), np.uint8)
    maps, errors = [], []
    for corner in _corners():
        turned = maps_of_turns(finders.peaks, finders.turns, module_px, corner.middle)
        across, down = np.moveaxis(turned[..., 0], -1, 0)
        away = np.abs(np.angle(np.exp(1j * (np.arctan2(down, across) - usual[:, None]))))
        wrong = corner.errors(soft, turned.reshape(-1, 2, 3), covered).reshape(away.shape)
        maps.append(turned)
        errors.append(wrong + _OTHER_TURN * (away > _TURNED))
    every, wrong, rows = np.concatenate(maps, 1), np.concatenate(errors, 1), np.arange(len(maps[0]))
    if covered is not None:
        wrong -= _AGREED * _agree(every, finders.peaks, module_px)
    best = np.argsort(wrong, axis=1, kind="stable")[:, :2].T
    return [PlacedSymbols(every[rows, ways], ways, wrong[rows, ways]) for ways in best]


def placed_on_cut(placed: PlacedSymbols, module_px: float) -> PlacedSymbols:
    """Choose the clear symbols of those on patterns that known cards cover in part: one side by
    side, since both upper patterns of a symbol look alike if only their upper rows are in sight.

    Parameters
    ----------
    placed : PlacedSymbols
    module_px : float
        Size of a module, pixels.

    Returns
    -------
    PlacedSymbols
    """
    placed = placed[placed.wrong <= _MOST_WRONG_OF_CUT]
    return placed[_clearest(placed, module_px, MODULES)]


def _agree(every: Points, peaks: Points, module_px: float) -> NDArray[np.bool_]:
    """Whether two finder patterns or more are where poses have them, shape (patterns, poses)."""
    middles = np.array([corner.middle for corner in _corners()])
    places = np.einsum("npij,cj->npci", every[..., :2], middles) + every[:, :, None, :, 2]
    apart = np.linalg.norm(places[..., None, :] - peaks, axis=-1) / module_px
    return np.asarray((apart < _SAME).any(-1).sum(-1) > 1)


def shine_through(grey: NDArray[np.uint8], maps: Points, finders: Finders) -> NDArray[np.bool_]:
    """Whether symbols are mirror images, as on cards that lie face down, and do not tell where
    these lie: by their format bits, or by a finder pattern in their fourth corners.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
    maps : float array, shape (symbols, 2, 3)
        From modules to pixels.
    finders : Finders

    Returns
    -------
    bool array, shape (symbols,)
    """
    fourth = maps @ [MODULES - CORNER, MODULES - CORNER, 1.0]
    apart = np.linalg.norm(fourth[:, None] - finders.peaks, axis=2).min(1, initial=np.inf)
    return are_mirror_images(grey, maps) | (apart < _FOURTH * module_sizes(maps))


def clearly_placed(placed: PlacedSymbols, module_px: float) -> PlacedSymbols:
    """Choose the symbols that are clear, but none of several that were printed side by side.

    Parameters
    ----------
    placed : PlacedSymbols
    module_px : float
        Size of a module, pixels.

    Returns
    -------
    PlacedSymbols
    """
    placed = placed[placed.wrong <= _MOST_WRONG]
    found = placed[_clearest(placed, module_px, _SAME)]
    middles = middles_of(found.maps)
    apart = np.linalg.norm(middles[:, None] - middles, axis=2) / module_px
    return found[(apart < _TOGETHER * MODULES).sum(1) <= _MOST_TOGETHER]


def _clearest(placed: PlacedSymbols, module_px: float, same: float) -> NDArray[np.intp]:
    """The symbols with least errors, but only one within some modules, and only one where those of
    patterns side by side differ otherwise than if their cards lay side by side."""
    middles = middles_of(placed.maps)
    kept: list[int] = []
    for place in np.argsort(placed.wrong, kind="stable").tolist():
        apart = np.linalg.norm(middles[kept] - middles[place], axis=1) / module_px
        other = placed.ways[kept] != placed.ways[place]
        if not (apart < np.where(other, MODULES, same)).any():
            kept.append(place)
    return np.array(kept, np.intp)
