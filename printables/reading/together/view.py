"""What a photo shows of a table, in the millimetres of the joined table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.reading.findings import Code
from printables.reading.reader import PhotoReading
from printables.tabletop.grouping import TablePlan
from printables.tabletop.outlines import shared_part
from printables.tabletop.plane import map_points

_EDGE_MM, _SEARCHED_MM = 15.0, 150.0
"""Least distance of a place from the edge of a photo that shows it, and greatest distance of its
middle from that of a read card, in millimetres."""
_BARE = 0.2
"""Greatest share of such a place that unread cards, paper and hidden places cover in a photo that
shows no unread card there. In the films of `tests/bench/bench_sweep.py --counts 290 --down 10
--first 701`, they cover at least .67 of every card face down."""
_FURTHEST = 3.0
"""Depth, along the camera's axis, of the farthest part of the table that counts as shown, as a
multiple of that of the farthest card. What is farther away is more than `_SEARCHED_MM` from each
card, unless the camera is nearer than 7.5 cm."""

Places = NDArray[np.float64]

NOWHERE: Places = np.zeros((0, 4, 2))


@dataclass(frozen=True, eq=False)
class PhotoView:
    """What a photo shows, on the joined table.

    Attributes
    ----------
    frame : float array, shape (corners, 2)
        Outline of the part of the table in the photo, millimetres.
    cards, unread : float arrays, shape (cards, 4, 2)
        Read and unread cards.
    open : float array, shape (places, 4, 2)
        Unread cards, unexplained paper, and places where a card may be hidden.
    """

    frame: NDArray[np.float64]
    cards: Places
    unread: Places
    open: Places

    @classmethod
    def of(cls, reading: PhotoReading, placement: Callable[[Places], Places]) -> "PhotoView | None":
        """The view of a photo; None if no card was read in it."""
        if reading.plan is None:
            return None
        table, paper = _table_in(reading, reading.plan), as_places(paper_of(reading))
        frame, unread, *others = (
            placement(map_points(reading.plan.to_table, places)) if len(places) else NOWHERE
            for places in (table[None], reading.unread, paper, reading.hidden[0])
        )
        found = np.concatenate([unread, *others])
        return cls(frame[0], placement(reading.plan.outlines), unread, found)

    def shows(self, place: NDArray[np.float64]) -> bool:
        """Whether a place, shape (4, 2), millimetres, is in the photo, not at its edge, and so near
        a read card that an unread one would be found there."""
        apart = np.linalg.norm(self.cards.mean(1) - place.mean(0), axis=1)
        frame = self.frame.astype(np.float32)
        return bool(apart.min() <= _SEARCHED_MM) and all(
            cv2.pointPolygonTest(frame, corner, True) >= _EDGE_MM for corner in place.tolist()
        )

    def lacks(self, place: NDArray[np.float64]) -> bool:
        """Whether the photo shows that no unread card is at a place."""
        return self.shows(place) and self.is_bare(place)

    def is_bare(self, place: NDArray[np.float64]) -> bool:
        """Whether nothing but read cards and the table is at a place that the photo shows."""
        reach = 2 * np.ptp(place, axis=0).max()
        near = np.linalg.norm(self.open.mean(1) - place.mean(0), axis=1) < reach
        return sum(shared_part(place, other) for other in self.open[near]) <= _BARE


def _table_in(reading: PhotoReading, plan: TablePlan) -> NDArray[np.float64]:
    """Outline of the part of the table in a photo, cut off before the horizon, pixels, shape
    (corners, 2)."""
    right, bottom = reading.width - 1, reading.height - 1
    corners = np.array([[0, 0], [right, 0], [right, bottom], [0, bottom]], float)
    slope, start = plan.to_table[2, :2], plan.to_table[2, 2]
    # inversely proportional to the depth; positive at the cards, as `fit_plane` scales it
    least = (plan.in_photo() @ slope + start).min() / _FURTHEST
    over = corners @ slope + start - least
    part = []
    for here, there in ((0, 1), (1, 2), (2, 3), (3, 0)):
        if over[here] >= 0:
            part.append(corners[here])
        if (over[here] >= 0) != (over[there] >= 0):
            along = over[here] / (over[here] - over[there])
            part.append(corners[here] + along * (corners[there] - corners[here]))
    return np.array(part)


def paper_of(reading: PhotoReading) -> list[Any]:
    """Outlines, in pixels, of paper that a reading could not explain."""
    return [
        place
        for finding in reading.findings
        if finding.code == Code.PAPER_UNEXPLAINED
        for place in finding.facts["places"]
    ]


def as_places(outlines: Sequence[Any]) -> Places:
    """Outlines as an array, shape (outlines, 4, 2)."""
    return np.array(outlines, float).reshape(-1, 4, 2)
