"""Paper cut inexactly by hand, and bent.

Lengths are in millimetres; a card's coordinates start at the upper left corner of its cut lines, x
to the right and y down, and height is above the table.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

_TERMS = 5
_LIGHT = 0.55


@dataclass(frozen=True)
class Bend:
    """A card bent as part of a wide cylinder.

    Attributes
    ----------
    height_mm : float
        Height of the ends above the table; if negative, of the middle, with the ends on the table.
    direction_deg : float
        Direction of the bend, clockwise from the card's x.
    reach_mm : float
        Distance from the card's middle to its ends.
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
        """Position and height of points relative to the card's middle, shape (n, 2)."""
        along = points @ self.across
        share = along / self.reach_mm
        # paper does not stretch, so bending makes the card shorter
        short = 2 * self.height_mm**2 * share**3 / (3 * self.reach_mm)
        height = abs(self.height_mm) * (share**2 if self.height_mm > 0 else 1 - share**2)
        return points - short[:, None] * self.across, np.asarray(height)

    def shade(self, points: Points, light_deg: float) -> Points:
        """Light at points relative to the card's middle, as a share of that on flat paper.

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
    """Corners of a card whose four edges were cut inexactly.

    Parameters
    ----------
    size_mm : (width, height)
        Size between the cut lines.
    off_mm : (least, most)
        Distance of each edge's middle from its line, to either side.
    off_deg : (least, most)
        Angle of each edge to its line, either way.
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
    """Intersection of two edges, each given by a point and a direction."""
    both = np.stack([ways[first], -ways[second]], 1)
    far = np.linalg.solve(both, middles[second] - middles[first])
    return np.asarray(middles[first] + far[0] * ways[first])


def fit_smooth(origin: Points, target: Points, reach: float) -> Points:
    """Coefficients of the polynomial that maps points near the middle to others.

    Parameters
    ----------
    origin, target : float array, shape (n, 2)
    reach : float
        Scale that keeps powers close to 1.

    Returns
    -------
    float array, shape (5, 5, 2)
        For the powers 0 to 4 of y and x; see `evaluate_smooth`.
    """
    x, y = (np.vander(origin[:, axis] / reach, _TERMS, increasing=True) for axis in (0, 1))
    terms = (y[:, :, None] * x[:, None]).reshape(len(origin), -1)
    return np.asarray(np.linalg.lstsq(terms, target, rcond=None)[0]).reshape(_TERMS, _TERMS, 2)


def evaluate_smooth(coefficients: Points, xs: Points, ys: Points, reach: float) -> Points:
    """The polynomial on a grid of columns `xs` and rows `ys`, shape (rows, columns, 2)."""
    x, y = (np.vander(values / reach, _TERMS, increasing=True) for values in (xs, ys))
    return np.stack([y @ coefficients[..., axis] @ x.T for axis in (0, 1)], -1)
