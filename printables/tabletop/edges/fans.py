"""Inner cards of fans: cards of which others leave only a strip along one side in sight.

Of several cards spread like a hand of playing cards, the lowest has clear edges, and its outline
explains most of the paper of the next ones. These show where their edges lie on the paper of the
card below: a faint, narrow line of shadow from one end of the strip to the other, beside which the
paper ends. Such lines, about parallel to the side of a card with paper beside it, are searched for,
and then beside the cards found by them.
"""

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter1d

from printables.tabletop.edges.paper_view import Boxes, PaperView, direction_of
from printables.tabletop.light import grey_at

_ALONG = ((np.arange(28) + 0.5) / 28 - 0.5) * 0.88
"""Sampled points along a line, as shares of its length; rounded corners are left out."""
_BESIDE, _LIT, _LEAST_LIT = 4.0, 0.85, 0.8
"""Distance from a side, in pixels (about millimetres), at which there is paper beside it, its least
light as a share of paper's, and least share of the side. The numbers below were varied on 48 photos
by a third simulator (24 careless, 24 ordinary), where nothing else outlines 91 of 338 unread cards
with a fifth in sight: 29 of these are found, and 3 places without a card. At 3 of the first 24 and
one, at 5 28 and 5; at .9 of the second 25 and 3; at .7 of the last 29 and 6."""
_OF_CONTRAST = 0.8
"""Greatest darkness of paper, as a share of the least darkness of the table: a table nearly as
light as paper must not pass for paper. At .5, 23 cards and 3 places are found. Without the limit as
many are as with it, but 5 instead of 2 places in two photos of white tables that no other number
was chosen on."""
_MOST_SIDES = 60
"""Most such sides; if there are more, the table looks like paper, and nothing is searched. In those
photos there are up to 24. Bounds the time."""
_AWAY, _TURNS = np.arange(5.0, 45.0), np.deg2rad(np.arange(-9.0, 9.1, 1.5))
"""Distances from a side, in pixels, of the points across which lines are searched, and directions
of the lines. Up to 40 of the first, 28 cards and 2 places are found, up to 48 29 and 4; with turns
up to 6 degrees 26 and 3, in steps of 3 degrees 25 and 3."""
_INSIDE, _OUTSIDE = 0.85, 0.8
"""Least light of the paper on both sides of a line, as a share of paper's: of the card, and of the
one below, on which its shadow may lie. At .9 of the first 26 cards and 3 places, at .75 of the
second 27 and 3."""
_DARKER, _FAINTEST, _DEEPEST, _PRINT = 0.01, 0.006, 0.06, 0.1
"""By how much the card may be lighter than the paper below it for this alone to be no line; by how
much a line is darker than both at a point that counts, and by how much most in the mean; and from
where it is print, which does not count. All are shares of paper's light. At 0 and .02 of the first
16 cards and 3 places, and 29 and 6; at .004 and .008 of the second 29 and 6, and 20 and 3; at .04
of the third 29 and 5; at .07 and .15 of the last 23 and 3, and 26 and 4."""
_LEAST_PAPER, _LEAST_CLEAR = 0.85, 0.7
"""Least shares of the points of a line with paper on both sides, and without print. At .9 of the
first 27 cards and one place; at .5 and .8 of the second 29 and 3, and 28 and 3."""
_APART, _ALIKE, _MOST_LINES = 2, 0.5, 3
"""Distance of lines in pixels, least darkness of those that count, as a share of the darkest one's,
and how many there are at most beside a side where none is print. In 40 careless photos by a third
simulator and 42 with receipts, newspapers, ruled paper and notes, there are up to 3 beside 45 inner
cards of fans that are found, and 4 to 9 at 8 of 21 places without a card."""
_OF_END, _LEAST_EVIDENCE, _CLEAR_END = 0.0083, 0.69, 0.6
"""Weight of the paper's edge at the less clear end of the line, for each pixel of the strip: wide
strips show it better than narrow ones. Least sum of this and of the share of the line that is
darker than paper; and least evidence of the clearer end. Without the first, 15 cards and no place,
or 22 and 7 at .6 of the second; at .63 and .75 of the second 29 and 8, and 20 and 3; at .3 and .8
of the last 29 and 5, and 22 and 3."""
_SHIFTS, _ROWS, _FROM_LINE = np.arange(-6.0, 7.0), np.arange(12) / 11, 2.0
"""Shifts of a line along itself, in pixels, that are tried; rows of the strip in which the paper's
edge is measured; and their least distance from its ends, in pixels. With shifts up to 3, 26 cards
and 3 places, up to 9 29 and 3; at 1 of the last 27 and 3."""
_EDGE_PX, _OTHER_CARD = 5, 10.0
"""Width of the edges of known cards, which are no lines, and least distance of the centres of two
cards, in pixels. At 9 of the first 27 cards and 2 places; at 6 and 14 of the second 30 and 9, and
25 and 3."""

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Sides:
    """Sides of cards.

    Attributes
    ----------
    middles : float array, shape (sides, 2)
        Pixels.
    along, out : float array, shape (sides, 2)
        Unit vectors along each side and out of the card.
    sizes : float array, shape (sides, 2)
        Lengths of the side and of the two beside it, pixels.
    """

    middles: Points
    along: Points
    out: Points
    sizes: Points

    @classmethod
    def of(cls, boxes: Boxes) -> "_Sides":
        """All sides of boxes."""
        ahead = np.roll(boxes, -1, axis=1)
        middles, lengths = (boxes + ahead) / 2, np.linalg.norm(ahead - boxes, axis=2)
        along = (ahead - boxes) / np.maximum(lengths, 1e-9)[..., None]
        out = np.stack([along[..., 1], -along[..., 0]], -1)
        inward = ((boxes.mean(1, keepdims=True) - middles) * out).sum(2, keepdims=True) > 0
        sizes = np.stack([lengths, np.roll(lengths, -1, axis=1)], -1)
        parts = middles, along, np.where(inward, -out, out), sizes
        return cls(*(part.reshape(-1, 2) for part in parts))

    def __getitem__(self, chosen: NDArray[np.generic] | slice) -> "_Sides":
        return _Sides(*(p[chosen] for p in (self.middles, self.along, self.out, self.sizes)))

    def __len__(self) -> int:
        return len(self.middles)

    def boxes(self) -> Boxes:
        """The cards that have these sides; each side is from the first to the second corner."""
        half, back = self.along * self.sizes[:, :1] / 2, self.out * self.sizes[:, 1:]
        corners = -half, half, half - back, -half - back
        return self.middles[:, None] + np.stack(corners, 1)


def inner_cards(view: PaperView, known: Boxes, found: Boxes, most: int) -> Boxes:
    """Find boxes of which one side lies on the paper of another card, and others hide the rest.

    Parameters
    ----------
    view : PaperView
        Of which `free` is 0 in known cards only.
    known : float array, shape (cards, 4, 2)
        Corners, pixels, in order around each card.
    found : float array, shape (found, 4, 2)
        Those of other cards that were found.
    most : int
        Most boxes that are returned.

    Returns
    -------
    float array, shape (boxes, 4, 2)
        Corners, pixels; those with most evidence first, apart from those found beside others.
    """
    others, chosen = np.concatenate([known, found]), 0
    if not most:
        return others[:0]
    edges = np.zeros(view.light.shape, np.uint8)
    _draw(edges, known)
    places = _beside(view, edges, others)
    while len(places[0]) and chosen < most:
        best = int(places[0].argmax())
        _, box, over = (part[best] for part in places)
        places = [np.delete(part, best, axis=0) for part in places]
        if _is_new(box, edges, others):
            others, chosen = np.concatenate([others, box[None]]), chosen + 1
            _draw(edges, box[None])
            # between the two, there may be another
            more = _beside(view, edges, np.stack([box, over]))
            places = [np.concatenate(parts) for parts in zip(places, more, strict=True)]
    return others[len(others) - chosen :]


def _draw(edges: NDArray[np.uint8], boxes: Boxes) -> None:
    """Mark the edges of boxes in a picture."""
    corners = list(np.round(boxes).astype(np.int32))
    cv2.polylines(edges, corners, True, 255, _EDGE_PX)


def _is_new(box: Boxes, edges: NDArray[np.uint8], others: Boxes) -> bool:
    """Whether a box is another card than the known ones: its first side is not one of their edges,
    and none of them lies in the same place."""
    line = box[0] + np.array([[0.1], [0.5], [0.9]]) * (box[1] - box[0])
    explained = grey_at(edges, line.T[:, None]) > 64
    apart = np.linalg.norm(others.mean(1) - box.mean(0), axis=1)
    return bool(explained.mean() < 0.5 and (apart >= _OTHER_CARD).all())


def _beside(view: PaperView, edges: NDArray[np.uint8], boxes: Boxes) -> list[NDArray[np.float64]]:
    """Cards that boxes cover except for a strip: their evidence, corners, and those boxes."""
    sides = _Sides.of(boxes)
    (chosen,) = np.nonzero(_with_paper(view, sides))
    if len(chosen) > _MOST_SIDES:
        # the table looks like paper
        chosen = chosen[:0]
    lines, which, away, share = _lines(view, edges, sides[chosen])
    shift, ends = _ends(view, lines, away)
    evidence = share + _OF_END * away * np.maximum(ends.min(1), 0)
    lines = replace(lines, middles=lines.middles + shift[:, None] * lines.along)
    clear = (evidence >= _LEAST_EVIDENCE) & (ends.max(1) >= _CLEAR_END)
    return [evidence[clear], lines[clear].boxes(), boxes[chosen[which[clear]] // 4]]


def _with_paper(view: PaperView, sides: _Sides) -> NDArray[np.bool_]:
    """Whether there is paper beside each side that belongs to no known card."""
    across = _ALONG[::2, None, None] * sides.sizes[:, :1] * sides.along
    places = np.moveaxis(sides.middles + _BESIDE * sides.out + across, -1, 0)
    lit = (grey_at(view.light, places) > max(_LIT, 1 - _OF_CONTRAST * view.contrast.min())) & (
        grey_at(view.free, places) > 128
    )
    return np.asarray(lit.mean(0) >= _LEAST_LIT)


def _lines(
    view: PaperView, edges: NDArray[np.uint8], sides: _Sides
) -> tuple[_Sides, NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
    """The darkest line beside each side, unless none is on paper throughout; the numbers of these
    sides, the distance of each line, and its share that is darker than paper."""
    cos, sin = np.cos(_TURNS)[:, None], np.sin(_TURNS)[:, None]
    ahead, away = sides.along[:, None], sides.out[:, None]
    along, out = cos * ahead + sin * away, cos * away - sin * ahead
    across = (_ALONG * sides.sizes[:, :1]).T[..., None, None].astype(np.float32)
    rows = sides.middles[:, None, None] + out[:, :, None] * _AWAY[:, None]
    places = np.moveaxis(rows, -1, 0).astype(np.float32)[:, None]
    places = places + across * np.moveaxis(along, -1, 0).astype(np.float32)[:, None, ..., None]
    seen = _seen_at(view.light, places)
    pairs = (seen[..., 1:] + seen[..., :-1]) / 2
    inside, line, outside = pairs[..., :-4], pairs[..., 2:-2], pairs[..., 4:]
    dark = np.minimum(inside, outside + np.float32(_DARKER)) - line
    paper = (inside > _INSIDE) & (outside > _OUTSIDE)
    clear = paper & (dark <= _PRINT)
    known = _seen_at(edges, places[..., 2:-3]) > 64
    dark = np.clip(dark, -_DEEPEST, np.where(known, np.float32(0), np.float32(_DEEPEST))) * clear
    count = np.maximum(clear.sum(0), 1)
    depth, share = dark.sum(0) / count, (dark > _FAINTEST).sum(0) / count
    depth[(paper.mean(0) < _LEAST_PAPER) | (clear.mean(0) < _LEAST_CLEAR)] = 0
    best = depth.reshape(len(sides), len(_TURNS) * depth.shape[2]).argmax(1)
    turn, row = np.unravel_index(best, depth.shape[1:])
    side = np.arange(len(sides))
    dark_enough = (depth[side, turn, row] > 0) & ~_are_print(depth[side, turn])
    side, turn, row = side[dark_enough], turn[dark_enough], row[dark_enough]
    distance, ways = _AWAY[2:-3][row] + 0.5, out[side, turn]
    middles = sides.middles[side] + ways * distance[:, None]
    lines = _Sides(middles, along[side, turn], ways, sides.sizes[side])
    return lines, side, distance, share[side, turn, row]


def _are_print(depth: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether there are several lines beside each other, given how dark they are, shape (sides,
    rows): lines of text or ruled paper."""
    highest = maximum_filter1d(depth, 2 * _APART + 1, axis=1)
    lines = (depth == highest) & (depth >= _ALIKE * depth.max(1, keepdims=True, initial=0))
    # a line may be as dark in two rows
    lines[:, 1:] &= ~lines[:, :-1]
    return np.asarray(lines.sum(1) > _MOST_LINES)


def _seen_at(picture: NDArray[Any], places: NDArray[np.float32]) -> NDArray[Any]:
    """Values of a picture at places, shape (2, points, sides, turns, rows)."""
    points, sides, turns, rows = places.shape[1:]
    seen = grey_at(picture, places.reshape(2, points * sides, turns * rows))
    return seen.reshape(places.shape[1:])


def _ends(
    view: PaperView, lines: _Sides, away: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """By how much each line is shifted along itself for the paper behind it to end at both of its
    ends, and the evidence that it does, shape (lines, 2)."""
    ways = np.array([-1.0, 1.0])
    shifts = np.arange(_SHIFTS[0] - 1, _SHIFTS[-1] + 2)
    across = ways[:, None] * lines.sizes[:, :1, None] / 2 + shifts
    back = _FROM_LINE + _ROWS * np.maximum(away - 2 * _FROM_LINE, _FROM_LINE)[:, None]
    rows = lines.middles[:, None] - back[..., None] * lines.out[:, None]
    places = rows[:, None, None] + (across[..., None] * lines.along[:, None, None])[:, :, :, None]
    light, free = (grey_at(part, np.moveaxis(places, -1, 0)) for part in (view.light, view.free))
    way = ways[:, None, None]
    fall = (light[:, :, :-2] - light[:, :, 2:]) * way
    inside = np.where(way > 0, light[:, :, :-2], light[:, :, 2:])
    seen = np.minimum(free[:, :, :-2], free[:, :, 2:]) > 200
    inward = np.moveaxis(-ways[:, None] * lines.along[:, None], -1, 0).astype(np.float32)
    full = view.full_contrast[direction_of(inward)][..., None, None]
    edge = np.clip(fall / full, -1, 1) * (seen & (inside > _OUTSIDE))
    evidence = edge.mean(3)
    best = evidence.sum(1).argmax(1)
    return _SHIFTS[best], evidence[np.arange(len(best)), :, best]
