"""Leaving out things of a strong colour, such as notes, on tables of any colour.

On a table as light as paper all other colours are darkened before cards are searched for. On a
darker one the edges of cards are clear without that, and those of a note look like them: a box is
no card if what is in sight of it would be darkened much.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from printables.tabletop.edges.paper_colour import darken_other_colours, has_paper
from printables.tabletop.edges.paper_view import Boxes, PaperView
from printables.tabletop.top_view import TopView

_STRONG = 0.45
"""By how much the lighter half of a box is darkened if it is a thing of a strong colour: light from
a coloured wall or thing falls on cards, too, and paper may be cream. At .3, no photo of
`sheets._WIDE` differs."""


@dataclass(frozen=True, eq=False)
class ColourViews:
    """A view of the table with and without other colours than paper's.

    Attributes
    ----------
    before, darker : TopView
        As it was taken, and with other colours darkened if they are known; at a quarter of the
        resolution if it is not searched, since only things of a card's size matter then.
    searched : TopView
        The one in which cards are searched for.
    """

    before: TopView
    darker: TopView
    searched: TopView

    @classmethod
    def of(
        cls,
        taken: TopView,
        known: Boxes,
        colours: Callable[[TopView], NDArray[np.uint8]] | None,
        light: bool,
    ) -> "ColourViews":
        """Darken other colours in a view.

        Parameters
        ----------
        taken : TopView
        known : float array, shape (cards, 4, 2)
            Outlines of known cards, millimetres.
        colours : function of a TopView, optional
            Gives the same view in colour.
        light : bool
            Whether parts of the table are as light as paper, so that the darkened view is searched.

        Returns
        -------
        ColourViews
        """
        if colours is None:
            return cls(taken, taken, taken)
        before = taken if light else taken.halved().halved()
        darker = darken_other_colours(before, colours(before), known)
        return cls(before, darker, darker if light else taken)

    @property
    def in_colour(self) -> bool:
        """Whether the darkened view is searched."""
        return self.searched is self.darker is not self.before

    def near(self, places: Boxes, within_mm: float) -> "ColourViews":
        """The parts around some places; see `TopView.near`."""
        before = self.before.near(places, within_mm)
        known = self.darker is not self.before
        darker = self.darker.near(places, within_mm) if known else before
        part = darker if self.in_colour else self.searched.near(places, within_mm)
        return ColourViews(before, darker, part)

    def are_paper(self, view: PaperView, boxes: Boxes) -> NDArray[np.bool_]:
        """Whether what is in sight of each box may be paper by its colour.

        Parameters
        ----------
        view : PaperView
            Of the view that is searched.
        boxes : float array, shape (boxes, 4, 2)
            Corners, pixels.

        Returns
        -------
        bool array, shape (boxes,)
        """
        if self.darker is self.before:
            return np.ones(len(boxes), bool)
        if self.in_colour:
            return has_paper(self.before, self.darker, view, boxes)
        return has_paper(self.before, self.darker, view, boxes, _STRONG)
