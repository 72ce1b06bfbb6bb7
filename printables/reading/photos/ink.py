"""How much of a card or of its symbol is dark or clipped, which tells what overexposure or glare
covers."""

import numpy as np
from numpy.typing import NDArray

from printables.tabletop.light import grey_at

_STEPS, _FEW_STEPS = 32, 12
"""Points along each side at which a place is sampled for its print, and for glare."""
_RIM = 0.04
"""Width of the rim that is left out, in sides: the table beside a card's edge."""
_DARK, _PAPER = 0.65, 0.9
"""Grey level below which a point is dark, as a share of paper's, and the quantile of a place's grey
levels that is paper's."""
_CLIPPED = 250
"""Grey level, of 255, from which a point counts as clipped (overexposed). No photo tried
differs from 125 to 254, "overexposed" and "glare" (150 cards) among them."""
_MORE_CLIPPED, _COMPARED = 0.3, 40
"""Share of a place's points that must be clipped beyond that of most read cards for glare to lie on
it; and most read cards that are compared, which only saves time."""

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
    light = _light_within(grey, places, _STEPS)
    rank = int(_PAPER * light.shape[1])
    # takes a fraction of the time of `np.quantile`
    paper = np.partition(light, rank, axis=1)[:, [rank]]
    return np.asarray((light < _DARK * paper).mean(1))


def has_glare(grey: NDArray[np.uint8], places: Places, read: Places) -> NDArray[np.bool_]:
    """Test which places a lamp's glare covers, rather than that the whole photo is overexposed.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        The photo.
    places, read : float array, shape (cards, 4, 2)
        Corners of the places, and of the cards that were read, pixels.

    Returns
    -------
    bool array, shape (places,)
    """
    some = read[:: max(len(read) // _COMPARED, 1)] if len(places) else read[:0]
    usual = float(np.median(clipped_shares(grey, some))) if len(some) else 0.0
    return np.asarray(clipped_shares(grey, places) >= usual + _MORE_CLIPPED)


def clipped_shares(grey: NDArray[np.uint8], places: Places) -> NDArray[np.float64]:
    """Measure which share of each place is clipped.

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
    light = _light_within(grey, places, _FEW_STEPS)
    return np.asarray((light >= _CLIPPED).mean(1))


def _light_within(grey: NDArray[np.uint8], places: Places, steps: int) -> NDArray[np.uint8]:
    """Grey levels at evenly spaced points within each place, shape (places, points)."""
    along = np.linspace(_RIM, 1 - _RIM, steps, dtype=np.float32)
    u, v = (part.ravel() for part in np.meshgrid(along, along))
    shares = np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v])
    points = places.transpose(2, 0, 1).astype(np.float32) @ shares
    return np.asarray(grey_at(grey, points))
