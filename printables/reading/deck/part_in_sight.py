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


def gains_of(errors: Samples, part: Part) -> Samples:
    """Compute what samples would add to the part in sight.

    Parameters
    ----------
    errors : float array, shape (samples,)
        By how much each differs from what is printed, as a share of the contrast.
    part : bool array, shape (samples,)
        The part that is in sight probably.

    Returns
    -------
    float array, shape (samples,)
        Less than 0 for those that do not fit.
    """
    usual = usual_error(errors, part)
    return np.asarray(_GAIN - np.minimum((errors / usual) ** 2 / 2, _MOST_OFF), np.float32)


def usual_error(errors: Samples, part: Part) -> float:
    """Estimate the error of samples in sight; arguments as for `gains_of`."""
    return max(_USUAL * float(np.median(errors[part])), _LEAST_ERROR)


def best_part(gain: Samples) -> Part:
    """Find the part of a symbol that gains most.

    Parameters
    ----------
    gain : float array, shape (samples,)
        What each of the samples used adds to a part; less than 0 if it does not fit.

    Returns
    -------
    bool array, shape (samples,)
        At least a third of the symbol.
    """
    planes, able = _half_planes()
    gains = planes @ gain
    first = planes[int(np.where(able, gains, -np.inf).argmax())]
    parts, both, either = [first], first, planes[_before_gap(gains)]
    for _ in range(2):
        # the best second half-plane, then the best first one
        gains = planes @ np.stack([gain * both, gain * (1 - either)], -1)
        inner, outer = planes[gains.argmax(0)]
        parts += [both * inner, np.maximum(either, outer)]
        both, either = inner, outer
    enough = [part for part in parts if _is_enough(part)]
    return np.asarray(max(enough, key=lambda part: float(part @ gain)) > 0)


def _before_gap(gains: NDArray[np.floating]) -> int:
    """The half-plane on one side of the strip that loses most."""
    along = gains.reshape(_DIRECTIONS, -1)
    lost = along - np.maximum.accumulate(along, axis=1)
    direction, end = np.unravel_index(int(lost.argmin()), lost.shape)
    return int(direction) * along.shape[1] + int(along[direction, : end + 1].argmax())


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
