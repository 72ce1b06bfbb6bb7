"""How much of a card or of its symbol is dark, which tells what was lost to overexposure."""

import numpy as np
from numpy.typing import NDArray

from printables.tabletop.card_edges import grey_at

_STEPS = 32
"""Points along each side at which a place is sampled."""
_RIM = 0.04
"""Width of the rim that is left out, in sides: the table beside a card's edge."""
_DARK, _PAPER = 0.65, 0.9
"""Grey level below which a point is dark, as a share of paper's, and the quantile of a place's grey
levels that is paper's."""

Places = NDArray[np.float64]


def dark_shares(grey: NDArray[np.uint8], places: Places) -> NDArray[np.float64]:
    """Measure which share of each place is dark, compared with its own paper.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        The photo.
    places : float array, shape (places, 4, 2)
        Corners of cards or symbols, pixels.

    Returns
    -------
    float array, shape (places,)
    """
    steps = np.linspace(_RIM, 1 - _RIM, _STEPS)
    u, v = (part.ravel()[:, None] for part in np.meshgrid(steps, steps))
    top = places[:, [0]] * (1 - u) + places[:, [1]] * u
    bottom = places[:, [3]] * (1 - u) + places[:, [2]] * u
    points = np.moveaxis(top * (1 - v) + bottom * v, -1, 0)
    light = np.asarray(grey_at(grey, points))
    paper = np.quantile(light, _PAPER, axis=1, keepdims=True)
    return np.asarray((light < _DARK * paper).mean(1))
