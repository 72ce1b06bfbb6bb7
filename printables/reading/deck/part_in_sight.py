"""The part of a symbol that is in sight, if something covers the rest.

Another card covers what is beside a straight edge. A pen, a cable or a finger crosses a symbol, of
which both sides are in sight; and two cards may leave a corner in sight or a strip between them. So
the part is a half-plane, two of them, or what two have in common: whichever gains most, given how
well each sample fits.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from printables.cards.codes import MODULES
from printables.reading.symbols.symbol_model import SPAN, common_samples, grid, inside_symbol
from printables.tabletop.light import medians

_DIRECTIONS, _LEAST_SHARE, _LEAST_OWN = 16, 0.35, 0.15
"""Directions of edges that are tried, and least share of a symbol that is in sight, and of its
modules that are not common to all cards. At .25 of the second, the lead of a wrong card was 4.56
and 1.41 in two of 1,600 drawn symbols that something crosses, and .61 at most at .35, where 4 %
fewer are recognised. Without the third, the greatest lead of a wrong card in 6,000 was 1.27, with
it .79; 288 instead of 299 symbols in 74 photos by a third simulator are recognised. The first was
not varied in any measurement."""
_FARTHEST = 15
"""Distance of the farthest edge from a symbol's centre, in modules; its corners are 14.8 away."""
_BOX, _TRIANGLE = (11.0, 9.0), (17.0, 15.0)
"""Sides of the squares, and short sides of the triangles, in modules, in a corner of a symbol that
may be in sight beside its finder pattern. Of 800 drawn symbols that are covered in part, 526 are
recognised with these and the halves, 512 with the first of each and the halves, and 484 with the
first of each alone."""

_GAIN, _MOST_OFF, _USUAL, _LEAST_ERROR = 0.85, 3.0, 1.5, 0.08
"""What a sample within the part gains if the picture is exactly as the card says, and most that it
loses; the error by which it loses half a unit, in medians over the part, and the least such error,
as a share of the contrast. With a fixed error instead, the lead of eight more symbols in 12
careless photos by another simulator was below the limit, since the part extended over the card on
top."""

Samples = NDArray[np.float32]
Part = NDArray[np.bool_]


@lru_cache(maxsize=1)
def used() -> NDArray[np.intp]:
    """Every second sample of `grid` within the symbol, as on a chessboard."""
    row, column = np.divmod(np.arange(SPAN * SPAN), SPAN)
    return np.flatnonzero(((row + column) % 2 == 0) & inside_symbol())


@lru_cache(maxsize=1)
def points() -> Samples:
    """The positions of the samples used, in modules."""
    return grid()[used()]


def gains_of(errors: Samples, parts: Part) -> Samples:
    """Compute what samples would add to the part in sight.

    Parameters
    ----------
    errors : float array, shape (..., samples)
        By how much each differs from what is printed, as a share of the contrast.
    parts : bool array, shape (..., samples)
        The part of each symbol that is in sight probably.

    Returns
    -------
    float array, shape (..., samples)
        Less than 0 for those that do not fit.
    """
    usual = usual_error(errors, parts)[..., None]
    return np.asarray(_GAIN - np.minimum((errors / usual) ** 2 / 2, _MOST_OFF), np.float32)


def usual_error(errors: Samples, parts: Part) -> NDArray[np.float64]:
    """Estimate the error of samples in sight, shape (...); arguments as for `gains_of`."""
    middle = medians(np.where(parts, errors, np.nan))
    return np.asarray(np.maximum(_USUAL * middle, _LEAST_ERROR), float)


def best_parts(gains: Samples) -> Part:
    """Find the part of each symbol that gains most.

    Parameters
    ----------
    gains : float array, shape (symbols, samples)
        What each of the samples used adds to a part; less than 0 if it does not fit.

    Returns
    -------
    bool array, shape (symbols, samples)
        At least a third of each symbol.
    """
    planes, able = _half_planes()
    of_planes = gains @ planes.T
    first = planes[np.where(able, of_planes, -np.inf).argmax(1)]
    parts, both, either = [first], first, planes[_before_gaps(of_planes)]
    for _ in range(2):
        # the best second half-plane, then the best first one
        inner, outer = (
            planes[(rest @ planes.T).argmax(1)] for rest in (gains * both, gains * (1 - either))
        )
        parts += [both * inner, np.maximum(either, outer)]
        both, either = inner, outer
    found = np.stack(parts, 1)
    total = np.where(_is_enough(found), (found * gains[:, None]).sum(2), -np.inf)
    return np.asarray(found[np.arange(len(gains)), total.argmax(1)] > 0)


def _before_gaps(gains: NDArray[np.floating]) -> NDArray[np.intp]:
    """The half-plane on one side of the strip that loses most, of each symbol."""
    along = gains.reshape(len(gains), _DIRECTIONS, -1)
    highest = np.maximum.accumulate(along, axis=2)
    lost = (along - highest).reshape(len(gains), -1).argmin(1)
    # the strip begins where the gain was highest before its end
    symbol, direction, end = np.arange(len(gains)), *np.divmod(lost, along.shape[2])
    before = along[symbol, direction] >= highest[symbol, direction, end][:, None]
    return np.asarray(direction * along.shape[2] + before.argmax(1))


def _is_enough(parts: Samples) -> Part:
    """Whether parts of a symbol tell cards apart, shape (..., samples)."""
    own = ~common_samples()[used()]
    of_own = parts @ own / own.sum()
    return np.asarray((parts.mean(-1) >= _LEAST_SHARE) & (of_own >= _LEAST_OWN))


@lru_cache(maxsize=2)
def half_planes(directions: int) -> tuple[Samples, NDArray[np.float64]]:
    """List the parts of a symbol beside a straight edge.

    Parameters
    ----------
    directions : int
        How many directions of the edge are listed.

    Returns
    -------
    planes : float array, shape (planes, samples)
        1 inside, 0 outside; by directions and then by how far the edge is.
    outwards : float array, shape (directions, 2)
        Unit vectors across the edge, out of the part.
    """
    turns = np.arange(directions) * 2 * np.pi / directions
    outwards = np.stack([np.cos(turns), np.sin(turns)], -1)
    along = (points() - MODULES / 2) @ outwards.T
    edges = np.arange(-_FARTHEST, _FARTHEST + 1)
    planes = (along.T[:, None] <= edges[:, None]).reshape(-1, len(along)).astype(np.float32)
    return planes, outwards


@lru_cache(maxsize=1)
def _half_planes() -> tuple[Samples, Part]:
    """Half-planes of a symbol, and which of them are large enough."""
    planes, _ = half_planes(_DIRECTIONS)
    return planes, _is_enough(planes)


@lru_cache(maxsize=4)
def parts_by_finder(x: float, y: float) -> list[Part]:
    """Parts of a symbol that may be in sight if the finder pattern with this centre is, in modules:
    those in its corner, and the halves beside it."""
    corner = np.where(np.array([x, y]) < MODULES / 2, 0, MODULES)
    across, down = np.abs(points() - corner).T
    away, steps, half = np.maximum(across, down), across + down, MODULES / 2 + 1
    (large, small), (wide, narrow) = _BOX, _TRIANGLE
    parts = (away < large, steps < wide, away < small, down < half, across < half, steps < narrow)
    return list(parts)
