"""Paper that was cut inexactly by hand, and bent paper.

Lengths are in millimetres. A card's coordinates start at the upper left corner of its cut lines, x
to the right and y down; heights are above the table.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

_TERMS = 5
"""Number of powers, from 0, in each variable of the polynomials."""
_LIGHT = 0.55
"""Strength of the shading: change of light per unit of slope towards the light."""


@dataclass(frozen=True)
class Bend:
    """A card bent like part of a wide cylinder.

    Attributes
    ----------
    height_mm : float
        Height of the ends above the table. If negative, the ends are on the table, and this is the
        height of the middle with a minus sign.
    direction_deg : float
        Direction from end to end, clockwise from the card's x axis.
    reach_mm : float
        Distance from the card's centre to its ends.
    """

    height_mm: float
    direction_deg: float
    reach_mm: float

    @property
    def across(self) -> Points:
        """The direction from end to end as a unit vector, shape (2,)."""
        turn = np.deg2rad(self.direction_deg)
        return np.array([np.cos(turn), np.sin(turn)])

    def lift(self, points: Points) -> tuple[Points, Points]:
        """Bend points of the card.

        Parameters
        ----------
        points : float array, shape (n, 2)
            Relative to the card's centre.

        Returns
        -------
        points : float array, shape (n, 2)
            Relative to the card's centre.
        height : float array, shape (n,)
        """
        along = points @ self.across
        share = along / self.reach_mm
        # paper does not stretch, so a bent card covers less of the table
        short = 2 * self.height_mm**2 * share**3 / (3 * self.reach_mm)
        height = abs(self.height_mm) * (share**2 if self.height_mm > 0 else 1 - share**2)
        return points - short[:, None] * self.across, np.asarray(height)

    def shade(self, points: Points, light_deg: float) -> Points:
        """Compute the light on points of the card, as a share of that on flat paper.

        Parameters
        ----------
        points : float array, shape (n, 2)
            Relative to the card's centre.
        light_deg : float
            Direction that the light comes from, clockwise from the card's x axis.

        Returns
        -------
        float array, shape (n,)
        """
        slope = 2 * self.height_mm * (points @ self.across) / self.reach_mm**2
        facing = np.cos(np.deg2rad(light_deg - self.direction_deg))
        return np.asarray(np.clip(1 - _LIGHT * facing * slope, 0.5, 1.25))


def cut_inexactly(
    size_mm: tuple[float, float],
    off_mm: tuple[float, float],
    off_deg: tuple[float, float],
    rng: np.random.Generator,
) -> Points:
    """Cut a card inexactly: each edge is shifted and rotated against its cut line.

    Parameters
    ----------
    size_mm : (float, float)
        Width and height between the cut lines.
    off_mm : (float, float)
        Least and greatest distance of an edge's middle from its cut line, to either side.
    off_deg : (float, float)
        Least and greatest angle between an edge and its cut line, either way.
    rng : numpy Generator

    Returns
    -------
    float array, shape (4, 2)
        Corners, clockwise from the upper left, in the card's millimetres.
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
    directions = np.stack(
        [
            unit[:, 0] * np.cos(turn) - unit[:, 1] * np.sin(turn),
            unit[:, 0] * np.sin(turn) + unit[:, 1] * np.cos(turn),
        ],
        1,
    )
    return np.stack([_crossing(middles, directions, (edge - 1) % 4, edge) for edge in range(4)])


def _crossing(middles: Points, directions: Points, first: int, second: int) -> Points:
    """Intersection of two edges, each given by a point and a direction."""
    both = np.stack([directions[first], -directions[second]], 1)
    far = np.linalg.solve(both, middles[second] - middles[first])
    return np.asarray(middles[first] + far[0] * directions[first])


def fit_smooth(origin: Points, target: Points, reach: float) -> Points:
    """Fit a polynomial that maps points to others, by least squares.

    Parameters
    ----------
    origin, target : float array, shape (n, 2)
        Relative to the card's centre.
    reach : float
        Length by which coordinates are divided, so that their powers are about 1.

    Returns
    -------
    float array, shape (5, 5, 2)
        Coefficients for the powers 0 to 4 of y and x; see `evaluate_smooth`.
    """
    x, y = (np.vander(origin[:, axis] / reach, _TERMS, increasing=True) for axis in (0, 1))
    terms = (y[:, :, None] * x[:, None]).reshape(len(origin), -1)
    return np.asarray(np.linalg.lstsq(terms, target, rcond=None)[0]).reshape(_TERMS, _TERMS, 2)


def evaluate_smooth(coefficients: Points, xs: Points, ys: Points, reach: float) -> Points:
    """Evaluate a polynomial of `fit_smooth` on a grid.

    Parameters
    ----------
    coefficients : float array, shape (5, 5, 2)
    xs, ys : float array, shape (columns,) and (rows,)
    reach : float
        As for `fit_smooth`.

    Returns
    -------
    float array, shape (rows, columns, 2)
    """
    x, y = (np.vander(values / reach, _TERMS, increasing=True) for values in (xs, ys))
    return np.stack([y @ coefficients[..., axis] @ x.T for axis in (0, 1)], -1)
