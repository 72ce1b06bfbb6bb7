"""What covers symbols that were recognised by the part in sight.

The card of such a symbol is known, so the picture tells from which straight edge on it is not in
sight. If what is there is as light as paper, it is probably another card, of which this is an edge.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from printables.cards.codes import MODULES
from printables.reading.deck.part_in_sight import (
    Part,
    Samples,
    gains_of,
    half_planes,
    points,
    used,
    usual_error,
)
from printables.reading.symbols.alignment import BLURS, FAINTEST, best_blur, linear_model
from printables.reading.symbols.pose import maps_from_corners, sample
from printables.reading.symbols.symbol_model import blurred_samples
from printables.tabletop.edges.covering_cards import CoveredCard
from printables.tabletop.plane import map_points

_DIRECTIONS, _STARTS, _ROUNDS = 48, 4, 3
"""Directions of edges that are tried, halves of a symbol from which the part in sight is found,
beside the whole, and how often it is determined. With the whole alone, two ordinary cards fewer are
outlined in 156 photos by a third simulator. The others were not varied in any measurement."""
_LEAST_SHARE, _LEAST_LOSS, _LIGHT = 0.1, 0.9, 0.82
"""Least share of a symbol that is covered, what its samples lose at least in the mean if they were
in sight (see `part_in_sight`), and least light of what covers it, as a share of paper's. With .7
and .8 of the last two, no outline in 180 photos by that simulator differs."""
_FEWEST = 60
"""Fewest samples in sight. Not varied in any measurement."""

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SymbolsInPart:
    """Symbols that were recognised by the part in sight.

    Attributes
    ----------
    places : int array, shape (symbols,)
        Of their cards, among the cards read.
    corners : float array, shape (symbols, 4, 2)
        Pixels.
    modules : float array, shape (symbols, 21, 21)
        1 dark, 0 light.
    """

    places: NDArray[np.intp]
    corners: Points
    modules: NDArray[np.float32]


def find_covers(
    grey: NDArray[np.uint8], to_table: Points, symbols: SymbolsInPart
) -> list[CoveredCard]:
    """Find the edges of paper that covers symbols.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        The photo.
    to_table : float array, shape (3, 3)
        Homography from the photo's pixels to millimetres.
    symbols : SymbolsInPart

    Returns
    -------
    list of CoveredCard
        One for each symbol that such an edge crosses.
    """
    maps, found = maps_from_corners(symbols.corners), []
    chosen = best_blur(grey, maps, BLURS, np.inf) if len(maps) else np.zeros(0, np.intp)
    for place, at, modules, blur in zip(symbols.places, maps, symbols.modules, chosen, strict=True):
        drawn = linear_model(blurred_samples(modules, BLURS[blur]))[used(), :4]
        seen = sample(grey, at[None], points())[0]
        part, direction = _in_sight(drawn, seen)
        if _is_covered_by_paper(drawn, seen, part):
            edge = _edge(part, direction) @ at[:, :2].T + at[:, 2]
            covered = points()[~part] @ at[:, :2].T + at[:, 2]
            on_table = map_points(to_table, edge), map_points(to_table, covered)
            found.append(CoveredCard(int(place), *on_table))
    return found


def _in_sight(drawn: Samples, seen: Samples) -> tuple[Part, NDArray[np.float64]]:
    """The likeliest part of a symbol in sight, beside a straight edge, and the direction out of it;
    all of the symbol if too little is."""
    planes, directions = half_planes(_DIRECTIONS)
    found, most, each = (np.ones(len(seen), bool), np.zeros(2)), -np.inf, len(planes) // _DIRECTIONS
    halves = planes[each // 2 :: each * _DIRECTIONS // _STARTS] > 0
    for part in (found[0], *halves):
        for _ in range(_ROUNDS):
            best = int((planes @ gains_of(_errors(drawn, seen, part), part)).argmax())
            part = planes[best] > 0
            if part.sum() < _FEWEST:
                break
        else:
            # by normal errors in it, and any grey level beside it
            likely = -part.sum() * np.log(usual_error(_errors(drawn, seen, part), part))
            if likely > most:
                found, most = (part, directions[best // each]), likely
    return found


def _fitted(drawn: Samples, seen: Samples, part: Part) -> Samples:
    """Light and contrast of a symbol, from its part in sight."""
    return np.asarray(np.linalg.lstsq(drawn[part], seen[part], rcond=None)[0], np.float32)


def _errors(drawn: Samples, seen: Samples, part: Part) -> Samples:
    """By how much samples differ from what the part in sight says, as shares of the contrast."""
    terms = _fitted(drawn, seen, part)
    return np.asarray(np.abs(seen - drawn @ terms) / max(-float(terms[3]), FAINTEST))


def _is_covered_by_paper(drawn: Samples, seen: Samples, part: Part) -> bool:
    """Whether something as light as paper covers the rest of a symbol."""
    if (~part).mean() < _LEAST_SHARE:
        return False
    lost = -gains_of(_errors(drawn, seen, part), part)[~part].mean()
    white = drawn[:, :3] @ _fitted(drawn, seen, part)[:3]
    light = np.median((seen / np.maximum(white, 1))[~part])
    return bool(lost >= _LEAST_LOSS and light >= _LIGHT)


def _edge(part: Part, direction: NDArray[np.float64]) -> Points:
    """The ends of the edge across a symbol, in modules; the part in sight is on the left of it."""
    middle, across = np.full(2, MODULES / 2), np.array([-direction[1], direction[0]])
    off = float(((points()[part] - middle) @ direction).max())
    beside = (points()[~part] - middle) @ across
    ends = [middle + off * direction + end * across for end in (beside.max(), beside.min())]
    return np.array(ends)
