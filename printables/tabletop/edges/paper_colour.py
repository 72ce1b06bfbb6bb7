"""Darkening what has another colour than paper in a top view of the table.

A white cloth, marble and light wood are as light as paper, but hardly ever of the same white. The
read cards show what paper looks like in this light, so that it has no colour where they are; what
else is light shows the colour of the table. Both are differences of a channel from the mean of all
three, as shares of that mean: a shadow does not change them.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.tabletop.edges.paper_view import Boxes, PaperView, Picture
from printables.tabletop.light import grey_at, medians, paper_level
from printables.tabletop.top_view import TopView

_LIGHT, _LEAST_LIGHT = 0.7, 0.1
"""Least brightness of light places, as a share of paper's, and least share of them in the bare
table for colours to be used. The second only saves time: without it, 993 instead of 994 of 1,223
unread cards in 89 photos by a second simulator are outlined, and 87 instead of 90 places without a
card. At .6 and .2, 982 cards are, and 86 such places."""
_GAIN, _MOST = 4.0, 0.6
"""By how much places are darkened for each unit of colour beyond the noise of paper, and at most.
In the photos of `_LIGHT`, 858 cards and 101 places without a card are outlined without colours.
With another resolution of the colours, 931 and 71 are without `_TABLE`; at 3 of the first 933 and
70, at 6 918 and 82, at .4 of the second 933 and 72."""
_NOISE = 0.9
"""Quantile of the colour of read cards' paper that is noise. In the photos of `_LIGHT` about as
many cards and places are outlined at .98."""
_TABLE, _STEEPEST = 0.15, 12.0
"""By how much the usual colour of the light table is darkened, and greatest gain, since noise is
darkened with it. With the resolution of `_GAIN`, 969 cards and 73 places without a card are
outlined, at .1 of the first 945 and 61, at .25 951 and 92; at 6 of the second 951 and 73, at 25 968
and 77."""
_OF_TABLE = 0.7
"""Share of the usual colour of the table from which a place is table rather than paper. In the
photos of `_LIGHT`, 1000 cards and 50 places without a card are outlined, at .3 987 and 45, without
the comparison 995 and 83."""
_BEYOND_NOISE = 2.0
"""How many standard deviations of paper's colour the table's must be away from it: else only noise
is darkened. In six photos of our own ("careless", 150 cards) 28 instead of 24 of 31 unread cards
are outlined; in the photos of `_LIGHT`, 983 instead of 985 are, and 87 instead of 88 places."""
_AS_LIGHT = 0.88
"""Least brightness, as a share of paper's, of the table whose usual colour is measured: darker
places show edges already. With the resolution of `_GAIN`, 979 cards and 75 places without a card
are outlined, at .8 969 and 73, at .7 951 and 68."""
_WITHIN_MM, _MARGIN = 60.0, 1.1
"""Distance from cards, in millimetres, within which the table's usual colour is measured, and scale
of known cards that it is measured outside of. Not varied in any measurement."""
_EVERY, _FEWEST = 4, 100
"""One in how many rows and columns of the view this colour is measured from, and fewest pixels of
these; both only bound time and chance."""
_PAPER = 0.85
"""Least brightness of a place on a card without ink, as a share of paper's. Not varied in any
measurement."""
_LEAST_LEVEL = 0.15
"""Least level of paper in a channel, as a share of the lightest channel's, for the channel to be
used: in coloured light the others are mostly noise of the JPEG. In five photos by a second
simulator, 29 instead of 4 of 64 unread cards are outlined in the light of sodium lamps, and 32
instead of 6 of 62 in green light; at .3, as many. In white light it makes no difference."""
_ROWS = 24
"""Rows of the view that are darkened at once: as many as fit the processor's cache."""
_ON_PAPER = np.linspace(0.1, 0.9, 12, dtype=np.float32)
"""Places across a card where paper's noise is measured, as shares of its sides."""


def has_light_places(view: PaperView) -> bool:
    """Whether parts of the bare table are nearly as light as paper.

    Parameters
    ----------
    view : PaperView

    Returns
    -------
    bool
    """
    light = cv2.bitwise_and(cv2.inRange(view.light, _LIGHT, 1e9), view.free)
    return cv2.countNonZero(light) >= _LEAST_LIGHT * cv2.countNonZero(view.free)


def darken_other_colours(top: TopView, colour: NDArray[np.uint8], known: Boxes) -> TopView:
    """Darken what has another colour than the paper of known cards.

    Parameters
    ----------
    top : TopView
    colour : uint8 array, shape (height, width, 3)
        The same view in colour, or with fewer pixels.
    known : float array, shape (cards, 4, 2)
        Outlines of known cards, millimetres.

    Returns
    -------
    TopView
    """
    scale = colour.shape[1] / top.grey.shape[1]
    cards = ((top.from_mm(known) + 0.5) * scale - 0.5).astype(np.float32)
    density = top.px_per_mm * scale
    levels = [paper_level(part, cards, density) for part in np.moveaxis(colour, 2, 0)]
    used = _used_channels(levels, cards)
    if len(used) < 2:
        return top
    level = cv2.merge([levels[channel] for channel in used])
    if len(used) < len(levels):
        colour = np.ascontiguousarray(colour[:, :, used])
    places = _on_paper(cards, colour.shape)
    paper = _Shares.of(colour[places], level[places]).lighter_than(_PAPER)
    if not len(paper.mean):
        return top
    noise = float(np.quantile(paper.spread(), _NOISE))
    usual = _usual_colour(colour, level, cards, density)
    size = float(np.linalg.norm(usual))
    none, gain = 0.0, 0.0
    if size > 0:
        usual = usual / size
        along = paper.along(usual)
        none = float(np.median(along))
        if size - none > _BEYOND_NOISE * np.std(along):
            gain = min(_TABLE / (size - none), _STEEPEST)
    kept = np.empty(colour.shape[:2], np.float32)
    for first in range(0, len(colour), _ROWS):
        rows = np.s_[first : first + _ROWS]
        shares = _Shares.of(colour[rows], level[rows])
        darker = _beyond(shares.spread(), noise, _GAIN, _MOST)
        if gain:
            table = _beyond(shares.along(usual), none, gain, _TABLE)
            cv2.max(darker, table, darker)
        np.subtract(1, darker, out=kept[rows])
    height, width = top.grey.shape
    grey = cv2.multiply(top.grey, cv2.resize(kept, (width, height)), dtype=cv2.CV_8U)
    return replace(top, grey=np.asarray(cv2.max(grey, cv2.min(top.grey, np.ones(1))), np.uint8))


def view_in_colour(top: TopView, colour: NDArray[np.uint8], known: Boxes) -> PaperView:
    """The table corrected for illumination, with other colours than paper's darkened.

    Parameters
    ----------
    top, colour, known
        As for `darken_other_colours`.

    Returns
    -------
    PaperView
    """
    darker = darken_other_colours(top, colour, known)
    return PaperView.of(darker.grey, top.from_mm(known), top.px_per_mm)


@dataclass(frozen=True, eq=False)
class _Shares:
    """The channels of some pixels as shares of paper's, and their mean."""

    shares: Picture
    mean: Picture

    @classmethod
    def of(cls, colour: NDArray[np.uint8], level: cv2.typing.MatLike) -> "_Shares":
        """From pixels and the levels of paper there, shape (..., channels)."""
        shares = np.asarray(cv2.divide(colour, level, dtype=cv2.CV_32F), np.float32)
        count = shares.shape[2]
        mean = cv2.max(cv2.transform(shares, np.full((1, count), 1 / count)), np.full(1, 0.05))
        return cls(shares, np.asarray(mean, np.float32))

    def lighter_than(self, least: float) -> "_Shares":
        """Those of the pixels that are lighter."""
        kept = self.mean > least
        return _Shares(self.shares[kept][:, None], self.mean[kept][:, None])

    def spread(self) -> Picture:
        """Root of the sum of the squared differences from the mean, each as a share of the mean."""
        count = self.shares.shape[2]
        squares = cv2.transform(cv2.multiply(self.shares, self.shares), np.ones((1, count)))
        apart = cv2.divide(squares, cv2.multiply(self.mean, self.mean)) - count
        return np.asarray(cv2.sqrt(cv2.max(apart, np.zeros(1))), np.float32)

    def along(self, colour: NDArray[np.float64]) -> Picture:
        """How much of a colour they have, as a share of the mean."""
        return np.asarray(cv2.divide(cv2.transform(self.shares, colour[None]), self.mean))


def _beyond(measured: Picture, none: float, gain: float, most: float) -> Picture:
    """By how much pixels are darkened for a colour that exceeds a limit; `measured` is changed."""
    measured -= none
    measured *= gain
    return np.clip(measured, 0, most, out=measured)


def has_paper(
    before: TopView, after: TopView, view: PaperView, boxes: Boxes, most: float = _OF_TABLE * _TABLE
) -> NDArray[np.bool_]:
    """Whether the lighter half of each box, as far as no known card hides it, has paper's colour.

    Parameters
    ----------
    before, after : TopView
        Without and with other colours darkened, perhaps with fewer pixels than `view`.
    view : PaperView
        Of the same part of the table.
    boxes : float array, shape (boxes, 4, 2)
        Corners, pixels.
    most : float
        By how much paper is darkened at most.

    Returns
    -------
    bool array, shape (boxes,)
    """
    u, v = (part.ravel() for part in np.meshgrid(_ON_PAPER, _ON_PAPER))
    first, second, _, fourth = boxes.transpose(1, 2, 0)[..., None]
    places = first * (1 - u - v) + second * u + fourth * v
    light = np.where(grey_at(view.free, places) > 0.5 * 255, grey_at(view.light, places), np.nan)
    places = (places + 0.5) * (after.grey.shape[1] / view.light.shape[1]) - 0.5
    kept = grey_at(after.grey, places) / np.maximum(grey_at(before.grey, places), np.uint8(1))
    with np.errstate(invalid="ignore"):
        kept[~(light >= medians(light)[:, None])] = np.nan
        return np.asarray(~(medians(kept) < 1 - most))


def _used_channels(levels: list[NDArray[np.uint8]], cards: Picture) -> list[int]:
    """Numbers of the channels without those that paper hardly has, from its levels in them."""
    middles = cards.mean(1).T[..., None]
    of_cards = [float(np.median(grey_at(level, middles))) for level in levels]
    least = max(_LEAST_LEVEL * max(of_cards), 1.0)
    return [channel for channel, here in enumerate(of_cards) if here >= least]


def _on_paper(cards: Picture, shape: tuple[int, ...]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns of pixels on known cards, shape (places, 1)."""
    u, v = (part.ravel() for part in np.meshgrid(_ON_PAPER, _ON_PAPER))
    inside = np.stack([1 - u - v, u, v], -1) @ cards[:, [0, 1, 3]]
    column, row = np.round(inside.reshape(-1, 2)).astype(np.intp).T
    seen = (row >= 0) & (row < shape[0]) & (column >= 0) & (column < shape[1])
    return row[seen, None], column[seen, None]


def _usual_colour(
    colour: NDArray[np.uint8], level: cv2.typing.MatLike, cards: Picture, density: float
) -> NDArray[np.float64]:
    """The median colour, shape (channels,), of the table beside known cards where it is light."""
    few = np.s_[::_EVERY, ::_EVERY]
    some = _Shares.of(np.ascontiguousarray(colour[few]), np.ascontiguousarray(level[few]))
    middle = cards.mean(1, keepdims=True)
    apart = np.full(some.mean.shape, 255, np.uint8)
    for card in np.round((middle + _MARGIN * (cards - middle)) / _EVERY).astype(np.int32):
        cv2.fillConvexPoly(apart, card, 0)
    reach = 2 * round(_WITHIN_MM * density / _EVERY) + 1
    near = cv2.erode(apart, np.ones((reach, reach), np.uint8)) == 0
    table = near & (apart > 0) & (some.mean > _AS_LIGHT)
    if table.sum() < _FEWEST:
        return np.zeros(some.shares.shape[2])
    usual = np.median(some.shares[table] / some.mean[table][:, None] - 1, 0).astype(float)
    return np.asarray(usual - usual.mean())
