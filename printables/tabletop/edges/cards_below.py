"""Cards that lie almost exactly below a known one, of which only narrow strips are in sight.

From the sides of each known card, rays measure how far paper reaches beyond it. Every position of a
card below predicts these distances. The position that predicts them best is a card if the paper
ends there with an edge, and if few rays disagree.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.tabletop.edges.paper_view import Boxes, PaperView, direction_of
from printables.tabletop.light import grey_at, medians
from printables.tabletop.outlines import is_same_card

_RAYS, _FARTHEST, _STEP = 24, 16.0, 0.5
"""Rays from each side of a card, and their length and steps in pixels (about millimetres). The
numbers below were varied on the top views of 169 photos (95 ordinary and 49 careless ones by a
second simulator, 25 of our own), in which 157 cards below others are found, and 6 places without a
card."""
_NEAREST, _GROWN = 3.0, 2.0
"""Distance from a known card from which paper may be another's, and by how much known cards are
enlarged, in pixels: cuts are inexact, and cards bend. At 4 of the first, 156 cards and 6 such
places are found, at 2.5 123 and 14; at 1 of the second, 152 and 6."""
_FEWEST, _MOST = 8, 30
"""Fewest rays with paper at this distance for a card to be examined, and most such cards. Both only
save time: with 60 of the second, 161 cards and 11 places are found."""
_EVERY = 2
_SHIFTS, _TURNS_DEG = np.arange(-16.0, 16.1, 2.0), np.arange(-24.0, 24.1, 3.0)
_FINER = ((1.0, 1.5), (0.5, 0.75), (0.25, 0.4))
"""One in how many rays, shifts in pixels and rotations in degrees that are compared first, and the
steps after that. In steps of 3 pixels and 4 degrees, 147 cards and 6 places are found."""
_WORST, _TOLERANCE, _MOST_WRONG = 6.0, 2.0, 0.2
"""Greatest error of a ray that counts and error from which it disagrees, in pixels, and greatest
share of rays that disagree. At 4 of the first, 150 cards and 6 places are found; at .12 of the last
140 and 5, at .3 158 and 9."""
_LEAST_EXPLAINED, _MOST_AREA = 0.55, 0.3
"""Least share by which the errors are smaller with the card below than without it, and greatest
area of the strips, as a share of a card's. At .4 of the first, 160 cards and 8 places are found, at
.7 122 and 1; at .4 of the second, 164 and 9."""
_STRIP, _LEAST_WIDTH, _FEWEST_ENDS, _LEAST_EDGE = 2.5, 6.0, 2, 0.6
"""Width of a strip in pixels, its least width where it is widest, fewest rays that show where
strips end, and least fall of light there on average, as a share of that at the edges of cards. At 4
of the second, 177 cards and 26 places are found, 20 of them bent cards in our own photos, at 5 170
and 13; at .4 of the last 162 and 12, at .8 132 and 2: at the edge of an overexposed area, light
falls slowly."""
_MOST_DIP = 0.1
"""By how much the line between the card and the strip may be darker than the card, as a share of
paper's light: otherwise it is a gap, and the strip another card or a stripe of the table. At .05,
132 cards and 5 places are found, at .2 166 and 9."""
_CONTRAST, _NOTHING = (0.06, 0.8), 0.02
"""Limits of the contrast of paper and table, and light, both as shares of paper's, up to which the
photo shows nothing. Nothing differs at .02 of the first. On tables as light as paper, the end of
its own shadow may look like the end of a strip beside a card."""
_CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])

Lengths = NDArray[np.float64]
Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Rays:
    """Rays from the sides of a card around (0, 0), and how far cards below it reach along them.

    Attributes
    ----------
    size : float array, shape (2,)
        Width and height of a card, pixels.
    starts, ways : float array, shape (rays, 2)
        Where the rays start, pixels, and unit vectors.
    poses : float array, shape (poses, 3)
        Shifts right and down, pixels, and rotations, radians, of cards below.
    lengths : float32 array, shape (poses, rays)
        How far each of these reaches, pixels.
    """

    size: NDArray[np.float64]
    starts: Points
    ways: Points
    poses: NDArray[np.float64]
    lengths: NDArray[np.float32]

    @classmethod
    @lru_cache(maxsize=4)
    def of(cls, width: float, height: float) -> "_Rays":
        """The rays from cards of a size."""
        size = np.array([width, height])
        along, corners = (np.arange(_RAYS) + 0.5)[:, None] / _RAYS, _CORNERS * size
        sides = np.roll(corners, -1, axis=0) - corners
        starts = (corners[:, None] + along * sides[:, None]).reshape(-1, 2)
        ways = np.repeat(np.array([[0.0, -1], [1, 0], [0, 1], [-1, 0]]), _RAYS, axis=0)
        poses = _poses(_SHIFTS, np.deg2rad(_TURNS_DEG))
        rays = cls(size, starts, ways, poses, np.zeros((0, 0), np.float32))
        return replace(rays, lengths=rays.reached(poses)[:, ::_EVERY].astype(np.float32))

    def reached(self, poses: NDArray[np.float64]) -> Lengths:
        """How far cards in poses, shape (..., 3), reach along the rays; 0 along those that start
        outside."""
        cos, sin = np.cos(poses[..., 2:]), np.sin(poses[..., 2:])
        away = self.starts - poses[..., None, :2]
        lengths, inside = np.full(away.shape[:-1], _FARTHEST), np.ones(away.shape[:-1], bool)
        for (x, y), side in zip(((cos, sin), (-sin, cos)), self.size / 2, strict=True):
            place = away[..., 0] * x + away[..., 1] * y
            speed = self.ways[:, 0] * x + self.ways[:, 1] * y
            inside &= np.abs(place) <= side
            still = np.abs(speed) < 1e-9
            ends = (np.sign(speed) * side - place) / np.where(still, 1.0, speed)
            lengths = np.minimum(lengths, np.where(still, _FARTHEST, ends))
        return np.where(inside, lengths, 0.0)


def _poses(shifts: NDArray[np.float64], turns: NDArray[np.float64]) -> NDArray[np.float64]:
    """All combinations of shifts right and down and of rotations, shape (poses, 3)."""
    parts = np.meshgrid(shifts, shifts, turns, indexing="ij")
    return np.stack([part.ravel() for part in parts], -1)


@dataclass(frozen=True, eq=False)
class _Lines:
    """The rays of several cards in a top view.

    Attributes
    ----------
    middles : float array, shape (cards, 2)
        Centres of the cards, pixels.
    axes : float array, shape (cards, 2, 2)
        Unit vectors along their upper sides and down.
    starts, ways : float array, shape (cards, rays, 2)
        Where the rays start, pixels, and unit vectors.
    """

    middles: Points
    axes: NDArray[np.float64]
    starts: Points
    ways: Points

    @classmethod
    def of(cls, cards: Boxes, rays: _Rays) -> "_Lines":
        """Those of cards, whose corners may start anywhere."""
        sides = np.linalg.norm(np.diff(cards[:, :3], axis=1), axis=2)
        turned = (sides[:, 0] - sides[:, 1]) * (rays.size[0] - rays.size[1]) < 0
        middles, axes = _frames(np.where(turned[:, None, None], np.roll(cards, 1, axis=1), cards))
        return cls(middles, axes, middles[:, None] + rays.starts @ axes, rays.ways @ axes)

    def __getitem__(self, chosen: NDArray[np.generic]) -> "_Lines":
        parts = self.middles, self.axes, self.starts, self.ways
        return _Lines(*(part[chosen] for part in parts))

    @property
    def inward(self) -> NDArray[np.intp]:
        """Number of the direction towards each card, shape (cards, rays)."""
        return direction_of(-np.moveaxis(self.ways, -1, 0).astype(np.float32))

    def at(self, picture: NDArray[Any], away: Lengths) -> NDArray[Any]:
        """Values of a picture at distances from the cards, shape (cards or 1, rays or 1, n)."""
        places = self.starts[:, :, None] + away[..., None] * self.ways[:, :, None]
        return grey_at(picture, np.moveaxis(places, -1, 0))


def cards_below(view: PaperView, known: Boxes, others: Boxes, size: NDArray[np.float64]) -> Boxes:
    """Find boxes of each of which a known card leaves only strips in sight.

    Parameters
    ----------
    view : PaperView
    known : float array, shape (cards, 4, 2)
        Corners, pixels, clockwise, of the cards that may cover others.
    others : float array, shape (others, 4, 2)
        Those of other cards that were found.
    size : float array, shape (2,)
        Width and height of a card, pixels.

    Returns
    -------
    float array, shape (boxes, 4, 2)
        Corners, pixels, those that explain most of the paper beside the known card first; none on
        tables nearly as light as paper.
    """
    none = np.zeros((0, 4, 2))
    if not len(known) or view.is_light:
        return none
    rays, taken = _Rays.of(*size.tolist()), _taken(view, np.concatenate([known, others]))
    lines = _with_paper(view, taken, _Lines.of(known, rays))
    paper, limit = _measured(view, taken, lines)
    poses = _likeliest(rays, paper, limit)
    lengths = rays.reached(poses)
    explained = _explained(rays.size, lengths, paper, limit)
    explained[~_are_strips(view, lines, lengths, limit)] = 0
    order = np.argsort(-explained, kind="stable")
    boxes = none
    for place in order[explained[order] >= _LEAST_EXPLAINED].tolist():
        box = lines.middles[place] + _turned(rays.size, poses[place]) @ lines.axes[place]
        # two known cards may cover one
        if not is_same_card(box, boxes):
            boxes = np.concatenate([boxes, box[None]])
    return boxes


def _frames(cards: Boxes) -> tuple[Points, NDArray[np.float64]]:
    """Centres of cards, and unit vectors along two of their sides, shape (cards, 2, 2)."""
    right = cards[:, 1] + cards[:, 2] - cards[:, 0] - cards[:, 3]
    right = right / np.linalg.norm(right, axis=1, keepdims=True)
    return cards.mean(1), np.stack([right, np.stack([-right[:, 1], right[:, 0]], -1)], 1)


def _turned(size: NDArray[np.float64], pose: NDArray[np.float64]) -> Points:
    """Corners of a card in a pose."""
    cos, sin = np.cos(pose[2]), np.sin(pose[2])
    return np.asarray(_CORNERS * size @ np.array([[cos, sin], [-sin, cos]]) + pose[:2])


def _taken(view: PaperView, cards: Boxes) -> NDArray[np.uint8]:
    """A mask of known cards, slightly enlarged, and of what the photo does not show."""
    taken = np.asarray(cv2.inRange(view.light, -1.0, _NOTHING), np.uint8)
    for card in np.round(cards + 2 * _GROWN * _CORNERS @ _frames(cards)[1]).astype(np.int32):
        cv2.fillConvexPoly(taken, card, 255)
    return taken


def _levels(view: PaperView, lines: _Lines) -> NDArray[np.float64]:
    """Light, as a share of paper's, halfway between paper and the table beyond an edge of paper
    across each ray, shape (cards, rays, 1)."""
    return np.asarray(1 - np.clip(view.contrast[lines.inward], *_CONTRAST) / 2)[..., None]


def _with_paper(view: PaperView, taken: NDArray[np.uint8], lines: _Lines) -> _Lines:
    """The lines of the cards with most paper beside them."""
    beside = np.full((1, 1, 1), _NEAREST)
    lit = (lines.at(view.light, beside) >= _levels(view, lines)) & (lines.at(taken, beside) < 128)
    count = lit.sum((1, 2))
    order = np.argsort(-count, kind="stable")[:_MOST]
    return lines[order[count[order] >= _FEWEST]]


def _measured(view: PaperView, taken: NDArray[np.uint8], lines: _Lines) -> tuple[Lengths, Lengths]:
    """How far paper reaches along each ray, below 0 if it ends inside the outline, which is inexact
    then; and where other known cards begin, shape (cards, rays)."""
    away = np.arange(0, _FARTHEST + _STEP / 2, _STEP)
    levels = _levels(view, lines)
    lit = lines.at(view.light, away[None, None]) >= levels
    free = lines.at(taken, away[None, None]) < 128
    near = away < _NEAREST

    def length(there: NDArray[np.bool_]) -> Lengths:
        ends = np.where(there.all(-1), there.shape[-1] - 1, there.argmin(-1))
        return np.asarray(ends * _STEP)

    # a dark line between the card and a strip does not end it
    begun = lit[..., near & (away >= _NEAREST / 2)].any(-1)
    paper = np.where(begun, length(lit | near), np.minimum(length(lit), _GROWN))
    inside = lines.at(view.light, np.full((1, 1, 1), -_STRIP)) >= levels
    paper[~inside[..., 0]] = -_STRIP
    limit = length(free | near)
    return np.minimum(paper, limit), limit


def _errors(lengths: NDArray[Any], paper: Lengths, limit: Lengths) -> Lengths:
    """Errors of lengths, shape (..., rays), summed over the rays that show the table."""
    wrong = np.minimum(np.abs(np.minimum(lengths, limit) - paper), _WORST)
    return np.asarray((wrong * (limit > _NEAREST)).sum(-1))


def _likeliest(rays: _Rays, paper: Lengths, limit: Lengths) -> NDArray[np.float64]:
    """The pose below each card that fits best, shape (cards, 3)."""
    some = (lengths[:, ::_EVERY].astype(np.float32) for lengths in (paper, limit))
    seen = zip(*some, strict=True)
    best = [int(_errors(rays.lengths, *one).argmin()) for one in seen]
    poses, steps = rays.poses[best], np.array([-1.0, 0, 1])
    for shift, degrees in _FINER:
        tries = poses[:, None] + _poses(shift * steps, np.deg2rad(degrees) * steps)
        errors = _errors(rays.reached(tries), paper[:, None], limit[:, None])
        poses = tries[np.arange(len(tries)), errors.argmin(1)]
    return poses


def _explained(
    size: NDArray[np.float64], lengths: Lengths, paper: Lengths, limit: Lengths
) -> NDArray[np.float64]:
    """By which share the errors are smaller with a card that reaches so far than without; 0 where
    too many rays disagree, or where its strips are too narrow or too large."""
    clear = limit > _NEAREST
    usual = _errors(np.zeros_like(paper), paper, limit)
    explained = 1 - _errors(lengths, paper, limit) / np.maximum(usual, 1.0)
    shown = np.minimum(lengths, limit) * clear
    wrong = (np.abs(shown - paper) > _TOLERANCE) & clear
    sides = np.repeat(size[[0, 1, 0, 1]], _RAYS) / _RAYS
    area = (shown @ sides) / size.prod()
    able = (area <= _MOST_AREA) & (shown.max(1, initial=0) >= _LEAST_WIDTH)
    able &= wrong.sum(1) <= _MOST_WRONG * clear.sum(1)
    return np.where(able, explained, 0.0)


def _are_strips(
    view: PaperView, lines: _Lines, lengths: Lengths, limit: Lengths
) -> NDArray[np.bool_]:
    """Whether the strips between each card and the one below it end with edges of paper, and begin
    without a gap."""
    strip = (lengths >= _STRIP) & (limit > _NEAREST)
    ends = strip & (lengths < limit - _TOLERANCE)
    beside = lengths[..., None] + np.array([-1.25, 1.25])
    inside, outside = np.moveaxis(lines.at(view.light, beside), -1, 0)
    contrast = np.clip(view.contrast[lines.inward], *_CONTRAST)
    evidence = np.clip((inside - outside) / contrast, -1, 1)
    edge = (evidence * ends).sum(1) / np.maximum(ends.sum(1), 1)
    between = lines.at(view.light, np.arange(-1.0, 1.1, 0.5)[None, None]).min(-1)
    own = lines.at(view.light, np.full((1, 1, 1), -_STRIP))[..., 0]
    dip = medians(np.where(strip, own - between, np.nan))
    return np.asarray((ends.sum(1) >= _FEWEST_ENDS) & (edge >= _LEAST_EDGE) & (dip <= _MOST_DIP))
