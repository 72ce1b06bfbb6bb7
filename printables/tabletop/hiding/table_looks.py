"""Telling things on the table from a pattern of the table, veins of marble and shadows.

A flowered cloth, marble, and a table in the light of a window differ from place to place as much as
a thing differs from a plain table. But what belongs to the table is also beside cards elsewhere,
while a thing has colours and levels of brightness of its own. Windows as wide as a card are
compared by the distributions of their brightness, colours and gradients.

The numbers below were chosen on 153 photos by a second simulator and of our own, and 480 of
`tests/bench/bench_hidden.py`, and varied on those 200 of 783 photos (150 more of that bench) in
which groups may be in doubt and one to six cards have no outline. 119 right groupings of these are
in doubt, and no grouping is wrong without a warning unless this is said.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from printables.tabletop.bare_table import gradients

_SHARES = np.linspace(0.05, 0.95, 10)
"""Quantiles by which distributions are compared."""
_COLOUR = 2.0
"""How many times more than a difference of logarithms of brightness a difference of colours counts,
as a share of the mean of the channels. Without colours, 115 right groupings are in doubt, but 19
instead of 7 of 46 sleeves look like the table for the most part."""
_UNLIKE = 0.12
"""Least mean difference of quantiles between a thing and the table. In seven photos of flowered
cloths, marble and shadows, three quarters of the places that differ from the table beside cards
have less; all of 19 hands, cups and phones have .27 or more. At .06, 121 right groupings are in
doubt, at .2 114."""
_OF_RIM = 0.25
"""Least share of the rim of an area enclosed by edges that is unlike the table elsewhere. At .5,
117 right groupings are in doubt, at .1 120. If gradients do not count, one grouping (seed 310121)
is wrong without a warning."""
_FAINT_LIGHT, _FAINT_SLOPE = 0.1, 0.006
"""Added to brightness and to gradients before taking logarithms, as in `bare_table`. Not varied in
any measurement."""
_ELSEWHERE_MM, _BESIDE_MM = 150.0, 45.0
"""Least distance of the places compared, in millimetres, and greatest distance of those that belong
to the table from a card that nothing covers. At 250 of the first, 120 right groupings are in doubt,
at 90 of the second 117."""
_SIMILAR, _FEWEST = 0.02, 3
"""Share of the places beside cards, and fewest of them, that must look like a place. At .06 of the
first, 121 right groupings are in doubt; none differs at .005. The second was not varied."""
_LEAST_SEEN = 0.35
"""Least share of a window that must be outside known cards. No photo differs at .2."""
_MOST = 400
"""Most places beside cards that others are compared with. Only saves time."""

_Mask = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class TableLooks:
    """What the table looks like beside cards.

    Attributes
    ----------
    channels : float32 array, shape (4, height, width)
        Brightness, two colours, and gradient.
    bare : uint8 array, shape (height, width)
        Mask of the area outside known cards.
    windows : int array, shape (windows, 2)
        Rows and columns of the middles of windows.
    beside : bool array, shape (windows,)
        Which of these are beside cards.
    side : int
        Of a window, in pixels.
    px_per_mm : float
        Pixels per millimetre.
    """

    channels: NDArray[np.float32]
    bare: _Mask
    windows: NDArray[np.intp]
    beside: NDArray[np.bool_]
    side: int
    px_per_mm: float

    @classmethod
    def of(
        cls,
        light: NDArray[np.float32],
        colour: NDArray[np.uint8],
        masks: tuple[_Mask, _Mask],
        card_mm: float,
        px_per_mm: float,
    ) -> "TableLooks":
        """Measure a top view.

        Parameters
        ----------
        light : float32 array, shape (height, width)
            Brightness, as a share of paper's.
        colour : uint8 array, shape (any, any, 3)
            The same view in colour, at any resolution.
        masks : tuple of uint8 arrays, shape (height, width)
            The area outside known cards, and the cards that nothing covers.
        card_mm : float
            Shorter side of a card.
        px_per_mm : float
            Pixels per millimetre of `light`.
        """
        bare, clear = masks
        slope = cv2.magnitude(*gradients(cv2.GaussianBlur(light, (0, 0), 1.0)))
        channels = [
            np.log(light + np.float32(_FAINT_LIGHT)),
            *(_COLOUR * channel for channel in colour_channels(colour, light.shape)),
            np.log(slope + np.float32(_FAINT_SLOPE)),
        ]
        side = max(round(card_mm * px_per_mm), 6)
        share = cv2.boxFilter((bare > 0).astype(np.float32), -1, (side, side))
        step, half = max(side // 2, 1), side // 2
        inner = np.s_[half : -half - 1 : step, half : -half - 1 : step]
        grid = np.zeros(bare.shape, bool)
        grid[inner] = share[inner] >= _LEAST_SEEN
        apart = cv2.distanceTransform((clear == 0).astype(np.uint8), cv2.DIST_L2, 3)
        near = apart <= _BESIDE_MM * px_per_mm
        return cls(np.stack(channels), bare, np.argwhere(grid), near[grid], side, px_per_mm)

    def things(self, places: _Mask) -> _Mask:
        """The parts of a mask of places that do not look like the table elsewhere.

        Parameters
        ----------
        places : uint8 array, shape (height, width)
        """
        window = np.ones((self.side,) * 2, np.uint8)
        asked = cv2.dilate(places, window)[tuple(self.windows.T)] > 0
        unlike = np.zeros_like(places)
        unlike[tuple(self.windows[asked][self._unlike(asked, 3)].T)] = 1
        return np.asarray(cv2.bitwise_and(places, cv2.dilate(unlike, window)), np.uint8)

    def enclosed_things(self, places: _Mask) -> _Mask:
        """Those areas of a mask whose edges do not look like the table elsewhere.

        Parameters
        ----------
        places : uint8 array, shape (height, width)
        """
        near = np.ones((5, 5), np.uint8)
        count, parts = cv2.connectedComponents(places)
        rim = cv2.dilate(places - cv2.erode(places, np.ones((3, 3), np.uint8)), near)
        at = tuple(self.windows.T)
        asked = rim[at] > 0
        part = cv2.dilate(parts.astype(np.uint16), near)[at][asked]
        around = np.bincount(part, minlength=count)
        unlike = np.bincount(part[self._unlike(asked, 4)], minlength=count)
        keep = unlike >= _OF_RIM * around
        return np.asarray(places & keep[parts], np.uint8)

    def _unlike(self, asked: NDArray[np.bool_], channels: int) -> NDArray[np.bool_]:
        """Which of some windows look like too few others beside cards elsewhere."""
        places, table = self.windows[asked], self.windows[self.beside]
        table = table[:: max(-(-len(table) // _MOST), 1)]
        most = max(_FEWEST, int(_SIMILAR * len(table)))
        if not len(places) or most >= len(table):
            return np.ones(len(places), bool)
        mine, others = self._quantiles(places), self._quantiles(table)
        apart = np.max([cdist(mine[n], others[n], "cityblock") for n in range(channels)], axis=0)
        apart[cdist(places, table) < _ELSEWHERE_MM * self.px_per_mm] = np.inf
        return np.asarray(np.partition(apart, most, axis=1)[:, most] > _UNLIKE * len(_SHARES))

    def _quantiles(self, windows: NDArray[np.intp]) -> NDArray[np.float32]:
        """Of every second pixel outside known cards, shape (4, windows, quantiles)."""
        steps = slice(-(self.side // 2), self.side // 2 + 1, 2)
        down, across = (part.ravel() for part in np.mgrid[steps, steps])
        at = windows[:, :1] + down, windows[:, 1:] + across
        seen = self.bare[at] > 0
        ranked = np.sort(np.where(seen, self.channels[(slice(None), *at)], np.float32(np.inf)))
        count = seen.sum(1)[:, None]
        rank = np.minimum((_SHARES * count).astype(int), count - 1)
        return np.take_along_axis(ranked, rank[None], -1)


def colour_channels(colour: NDArray[np.uint8], shape: tuple[int, ...]) -> list[NDArray[np.float32]]:
    """Compute the two colours of a picture: differences of its channels as shares of their mean.

    Parameters
    ----------
    colour : uint8 array, shape (any, any, 3)
        Blue, green and red.
    shape : tuple of int
        Height and width of the result.

    Returns
    -------
    list of float32 arrays, shape (height, width)
        Of blue and of red less green.
    """
    small = cv2.resize(colour, shape[::-1], interpolation=cv2.INTER_AREA)
    blue, green, red = cv2.split(small.astype(np.float32))
    mean = np.maximum((blue + green + red) / 3, 8)
    return [np.asarray(part / mean, np.float32) for part in (blue - green, red - green)]
