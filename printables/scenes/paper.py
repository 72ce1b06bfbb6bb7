"""Paper as people handle it: cut by hand beside the line, and bent.

Lengths are millimetres; a card's own run from the upper left corner of the card as it was to be
cut, x to the right and y down, and height rises from the table towards the camera.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

_TERMS = 5
_LIGHT = 0.55


@dataclass(frozen=True)
class Bend:
    """A card that is part of a wide cylinder.

    Attributes
    ----------
    height_mm : float
        How far the ends are off the table; negative where the middle is, and the ends lie.
    direction_deg : float
        Across which the card is bent, clockwise from the card's x.
    reach_mm : float
        From the card's middle to the end that is so high.
    """

    height_mm: float
    direction_deg: float
    reach_mm: float

    @property
    def across(self) -> Points:
        """The direction as a vector, shape (2,)."""
        turn = np.deg2rad(self.direction_deg)
        return np.array([np.cos(turn), np.sin(turn)])

    def lift(self, points: Points) -> tuple[Points, Points]:
        """Where points about the card's middle, shape (n, 2), come to lie, and how high."""
        along = points @ self.across
        share = along / self.reach_mm
        # the paper is not stretched: what rises is missing on the way
        short = 2 * self.height_mm**2 * share**3 / (3 * self.reach_mm)
        height = abs(self.height_mm) * (share**2 if self.height_mm > 0 else 1 - share**2)
        return points - short[:, None] * self.across, np.asarray(height)

    def shade(self, points: Points, light_deg: float) -> Points:
        """Light on points about the card's middle, as a share of that on flat paper.

        The light comes from one side, `light_deg` clockwise from the card's x.
        """
        slope = 2 * self.height_mm * (points @ self.across) / self.reach_mm**2
        facing = np.cos(np.deg2rad(light_deg - self.direction_deg))
        return np.asarray(np.clip(1 - _LIGHT * facing * slope, 0.5, 1.25))


def hand_cut(
    size_mm: tuple[float, float],
    off_mm: tuple[float, float],
    off_deg: tuple[float, float],
    rng: np.random.Generator,
) -> Points:
    """Corners of a card whose four edges were each cut beside the line.

    Parameters
    ----------
    size_mm : (width, height)
        As it was to be cut.
    off_mm : (least, most)
        How far each edge's middle is off its line, to either side.
    off_deg : (least, most)
        How far each edge is turned, either way.
    rng : numpy Generator

    Returns
    -------
    float array, shape (4, 2)
        Clockwise from the upper left, in the card's millimetres.
    """
    width, height = size_mm
    right = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    along = np.roll(right, -1, axis=0) - right
    middles = right + along / 2
    unit = along / np.linalg.norm(along, axis=1, keepdims=True)
    outward = np.stack([unit[:, 1], -unit[:, 0]], 1)
    signs = rng.choice([-1.0, 1.0], (2, 4))
    middles = middles + outward * (signs[0] * rng.uniform(*off_mm, 4))[:, None]
    turn = np.deg2rad(signs[1] * rng.uniform(*off_deg, 4))
    ways = np.stack(
        [
            unit[:, 0] * np.cos(turn) - unit[:, 1] * np.sin(turn),
            unit[:, 0] * np.sin(turn) + unit[:, 1] * np.cos(turn),
        ],
        1,
    )
    return np.stack([_crossing(middles, ways, (edge - 1) % 4, edge) for edge in range(4)])


def _crossing(middles: Points, ways: Points, first: int, second: int) -> Points:
    """Where two edges meet, each given by a point and a direction."""
    both = np.stack([ways[first], -ways[second]], 1)
    far = np.linalg.solve(both, middles[second] - middles[first])
    return np.asarray(middles[first] + far[0] * ways[first])


def fit_smooth(origin: Points, target: Points, reach: float) -> Points:
    """Coefficients of the polynomial that carries points near the middle to others.

    Parameters
    ----------
    origin, target : float array, shape (n, 2)
    reach : float
        Scale that keeps powers near 1.

    Returns
    -------
    float array, shape (5, 5, 2)
        Of the powers 0 to 4 of y and x, for `evaluate_smooth`.
    """
    x, y = (np.vander(origin[:, axis] / reach, _TERMS, increasing=True) for axis in (0, 1))
    terms = (y[:, :, None] * x[:, None]).reshape(len(origin), -1)
    return np.asarray(np.linalg.lstsq(terms, target, rcond=None)[0]).reshape(_TERMS, _TERMS, 2)


def evaluate_smooth(coefficients: Points, xs: Points, ys: Points, reach: float) -> Points:
    """The polynomial on a grid of columns `xs` and rows `ys`, shape (rows, columns, 2)."""
    x, y = (np.vander(values / reach, _TERMS, increasing=True) for values in (xs, ys))
    return np.stack([y @ coefficients[..., axis] @ x.T for axis in (0, 1)], -1)
