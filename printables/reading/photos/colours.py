"""The colours of a photo, which is otherwise read in grey: decoded small, while it is searched."""

from dataclasses import dataclass, replace
from functools import cached_property, partial

import cv2
import numpy as np
from numpy.typing import NDArray

from basics.threads import Ahead
from printables.reading.photos.photo import load_colour
from printables.tabletop.edges.coloured_things import ColourViews
from printables.tabletop.edges.paper_colour import has_light_places, view_in_colour
from printables.tabletop.edges.paper_view import PaperView
from printables.tabletop.grouping import TablePlan
from printables.tabletop.top_view import TopView

_REDUCTIONS, _LEAST_SIDE = (8, 4, 2), 900
"""How many times smaller the photo may be decoded, which takes a third of the time, and least
length of its longer side then, in pixels. Not varied in any measurement."""
_FINEST = 0.5
"""Pixels per millimetre of a view above which half of its resolution is enough. In 156 photos by
another simulator, all of a view's pixels take a tenth longer to read, and as many cards are
outlined (512 and 510 of 628 with a fifth in sight), but 36 instead of 30 places without a card; a
quarter of them at 0.4 outlines as many and 37."""


@dataclass(eq=False)
class Colours:
    """The colours of a photo.

    Attributes
    ----------
    photo : bytes or uint8 array
        As for `load_colour`; no path, since the file may change while the photo is read in grey.
    most_bytes : int
        Limit on the file's size.
    shape : tuple of int
        Height and width of the photo, pixels.
    mirrored : bool
        Whether it is read turned round.
    """

    photo: bytes | NDArray[np.uint8]
    most_bytes: int
    shape: tuple[int, ...]
    mirrored: bool = False
    _decoding: Ahead[NDArray[np.uint8]] | None = None
    _seen: tuple[TopView, NDArray[np.uint8]] | None = None
    _paper: tuple[TopView, int, PaperView] | None = None

    @classmethod
    def begun(
        cls, photo: bytes | NDArray[np.uint8], most_bytes: int, shape: tuple[int, ...]
    ) -> "Colours | None":
        """Begin to decode the colours of a photo; None if it has none.

        They are needed if a card is not read. To wait for that takes a twelfth longer for 60 cards.
        """
        if isinstance(photo, np.ndarray) and photo.ndim == 2:
            return None
        colours = cls(photo, most_bytes, shape)
        colours._decoding = Ahead(colours._decoded)
        return colours

    def turned(self, mirrored: bool) -> "Colours":
        """Turn the photo round if it is mirrored."""
        return replace(self, mirrored=mirrored)

    def _decoded(self) -> NDArray[np.uint8]:
        longest = max(self.shape)
        able = [times for times in _REDUCTIONS if longest >= times * _LEAST_SIDE]
        return load_colour(self.photo, self.most_bytes, able[0] if able else 1)

    @cached_property
    def _small(self) -> NDArray[np.uint8]:
        small = self._decoded() if self._decoding is None else self._decoding.result()
        return np.asarray(cv2.flip(small, 1), np.uint8) if self.mirrored else small

    def seen_in(self, top: TopView, to_table: NDArray[np.float64]) -> NDArray[np.uint8]:
        """Rectify the colours to a top view.

        Parameters
        ----------
        top : TopView
        to_table : float array, shape (3, 3)
            Homography from the photo's pixels to millimetres.

        Returns
        -------
        uint8 array, shape (height, width, 3)
            Blue, green and red; with half the view's resolution if it is fine.

        Raises
        ------
        PaperError
            If the photo cannot be decoded in colour.
        """
        if self._seen is None or self._seen[0] is not top:
            self._seen = (top, self._rectified(top, to_table))
        return self._seen[1]

    def paper_in(
        self, top: TopView, to_table: NDArray[np.float64], read: NDArray[np.float64]
    ) -> PaperView:
        """Correct a top view for illumination, with other colours than paper's darkened.

        Parameters
        ----------
        top : TopView
        to_table : float array, shape (3, 3)
            As for `seen_in`.
        read : float array, shape (cards, 4, 2)
            Outlines of the cards read, millimetres.

        Returns
        -------
        PaperView
        """
        if self._paper is None or self._paper[0] is not top or self._paper[1] != len(read):
            view = view_in_colour(top, self.seen_in(top, to_table), read)
            self._paper = (top, len(read), view)
        return self._paper[2]

    def are_paper(
        self, top: TopView, read: TablePlan, view: PaperView, places: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Whether places have paper's colour: exactly on a table as light as paper, roughly else.

        Parameters
        ----------
        top : TopView
        read : TablePlan
            Of the cards read.
        view : PaperView
            Of `top`, without colours.
        places : float array, shape (places, 4, 2)
            Outlines, millimetres.

        Returns
        -------
        bool array, shape (places,)
        """
        if not len(places) or not len(read.outlines):
            return np.ones(len(places), bool)
        colours = partial(self.seen_in, to_table=read.to_table)
        views = ColourViews.of(top, read.outlines, colours, has_light_places(view))
        if views.in_colour:
            view = self.paper_in(top, read.to_table, read.outlines)
        return views.are_paper(view, top.from_mm(places))

    def _rectified(self, top: TopView, to_table: NDArray[np.float64]) -> NDArray[np.uint8]:
        scale = self._small.shape[1] / self.shape[1]
        view = top.halved() if top.px_per_mm > _FINEST else top
        return view.rectified(self._small, scale, to_table)
