"""Cards that no photo of a table reads: each once, in the photo that shows it best.

A photo's edge may cut off a card, and its outline is then often wrong: the paper in sight is known,
but not where the card ends. Such an outline is compared by its paper in sight.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.tabletop.outlines import is_same_card, points_inside

_NEAR_EDGE = 0.25
"""Distance from the photo's edge, in shorter sides of the card, below which an outline may be wrong
because the edge cuts the card off. This and the next three were not varied in any measurement; with
them, 70 of 70 cards face down in nine films of our own are ringed once."""
_CLEAR = 0.5
"""Distance from the photo's edge, in longer sides, above which a card is shown as well as in the
middle."""
_SAME_PAPER = 0.4
"""Share of the paper in sight above which it belongs to the cards that cover it."""
_RIM_MM = 3.0
"""Error of a card on the joined table, in millimetres; cards are enlarged by it."""
_SHARES = np.linspace(0.03, 0.97, 16)

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class UnreadCard:
    """A card that was not read.

    Attributes
    ----------
    photo : int
        Index of the photo that shows it best, from 0.
    place : int
        Its index in that photo's `unread`, from 0.
    outline : float array, shape (4, 2)
        Millimetres on the joined table.
    beside : int or None
        The nearest group, if it is within the greatest gap.
    elsewhere : tuple of (int, int)
        Photo and place of its outlines in other photos.
    """

    photo: int
    place: int
    outline: Points
    beside: int | None = None
    elsewhere: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, eq=False)
class UnreadView:
    """What one photo shows of an unread card.

    Attributes
    ----------
    photo, place : int
        As in `UnreadCard`.
    outline, pixels : float arrays, shape (4, 2)
        Millimetres on the joined table, and pixels of the photo.
    width, height : int
        Of the photo, pixels; 0 if unknown.
    """

    photo: int
    place: int
    outline: Points
    pixels: Points
    width: int
    height: int

    def quality(self) -> tuple[float, float]:
        """How well the photo shows the card: how far from its edge, and how large."""
        if not self.width:
            return 0.0, 0.0
        _short, long = self._sides()
        area = float(cv2.contourArea(self.pixels.astype(np.float32)))
        return min(self._from_edge() / long, _CLEAR), area

    def may_be_cut_off(self) -> bool:
        """Whether the outline is at the photo's edge or beyond it."""
        short, _long = self._sides()
        return self.width > 0 and self._from_edge() < _NEAR_EDGE * short

    def in_sight(self) -> Points:
        """Points of the joined table, spread over the part of the outline that the photo shows."""
        pixels, table = (
            points_inside(outline[None], _SHARES)[0] for outline in (self.pixels, self.outline)
        )
        inside = (pixels >= 0) & (pixels <= [self.width - 1, self.height - 1])
        return np.asarray(table[inside.all(1)])

    def _from_edge(self) -> float:
        most = np.array([self.width - 1, self.height - 1])
        return float(min(self.pixels.min(), (most - self.pixels).min()))

    def _sides(self) -> tuple[float, float]:
        short, long = sorted(np.linalg.norm(self.pixels[:2] - self.pixels[1:3], axis=1))
        return max(short, 1e-6), max(long, 1e-6)


def unread_once(
    views: Sequence[UnreadView], cards: Mapping[str, Points], shown: Sequence[Container[str]]
) -> list[UnreadCard]:
    """List the cards that were not read in any photo, without duplicates.

    Parameters
    ----------
    views : sequence of UnreadView
        What each photo shows.
    cards : dict from str to float array, shape (4, 2)
        Outline of each code on the joined table, millimetres.
    shown : sequence of containers of str
        Codes that each photo reads.

    Returns
    -------
    list of UnreadCard
        In the order of photos.
    """
    once: list[list[UnreadView]] = []
    for view in sorted(views, key=lambda view: view.quality(), reverse=True):
        here = shown[view.photo]
        own, others = (
            np.array([at for code, at in cards.items() if (code in here) == is_here])
            for is_here in (True, False)
        )
        if _shows(view, others, own):
            continue
        for same in once:
            best = same[0]
            if best.photo != view.photo and _shows(view, best.outline[None], own):
                same.append(view)
                break
        else:
            once.append([view])
    once.sort(key=lambda same: (same[0].photo, same[0].place))
    return [
        UnreadCard(
            best.photo,
            best.place,
            best.outline,
            elsewhere=tuple((other.photo, other.place) for other in same),
        )
        for best, *same in once
    ]


def _shows(view: UnreadView, others: Points, own: Points) -> bool:
    """Whether an outline, or the paper in sight of a card that may be cut off, shows one of the
    cards of other photos; `own` is what its photo reads."""
    if not len(others):
        return False
    if is_same_card(view.outline, others):
        return True
    if not view.may_be_cut_off():
        return False
    paper = view.in_sight()
    paper = paper[~_covered(paper, own)]
    return len(paper) > 0 and bool(_covered(paper, others).mean() > _SAME_PAPER)


def _covered(points: Points, outlines: Points) -> NDArray[np.bool_]:
    """Whether each point is inside one of the outlines, enlarged by the error of cards."""
    outlines = outlines.reshape(-1, 4, 2)
    start = outlines[:, None]
    along = np.roll(outlines, -1, axis=1)[:, None] - start
    off = points[None, :, None] - start
    across = along[..., 0] * off[..., 1] - along[..., 1] * off[..., 0]
    inward = across / np.maximum(np.linalg.norm(along, axis=-1), 1e-9)
    # corners may be in either order
    inside = np.maximum(inward.min(-1), (-inward).min(-1)) >= -_RIM_MM
    return np.asarray(inside.any(0), bool)
