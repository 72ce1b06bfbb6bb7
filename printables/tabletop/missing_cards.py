"""Finding cards that were not read by their edges: face down, partly covered, or too blurred.

In a top view all cards are rectangles of the same known size. Every position and rotation is scored
by how much of the rectangle's four sides is an edge of paper (`card_edges`), first on a coarse
picture, then exactly for the best candidates, of which the clearest are accepted (`box_evidence`).
Cards almost exactly below others are found by narrow strips (`cards_below`), and the paper that is
left is searched for other strips and blank cards (`left_paper`). If more cards are missing, those
found count as known and the table around them is searched again. Last come cards on most of which
others (`fans`) or objects (`covered_ends`) lie, and paper in heaps (`paper_in_heaps`).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from printables.cards.card import CardLayout
from printables.tabletop.edges.box_evidence import (
    LEAST_SHOWN,
    MOST_WITHIN,
    SURE,
    are_likely,
    choose_clearest,
    enough_in_sight,
    is_narrow,
    may_be_below,
    without,
)
from printables.tabletop.edges.card_edges import measure_paper, measure_sides
from printables.tabletop.edges.cards_below import cards_below
from printables.tabletop.edges.coarse_search import rectangles_of_edges
from printables.tabletop.edges.coloured_things import ColourViews
from printables.tabletop.edges.covered_ends import covered_ends
from printables.tabletop.edges.face_print import are_faces_or_backs
from printables.tabletop.edges.fans import inner_cards
from printables.tabletop.edges.left_paper import (
    Strips,
    blank_boxes,
    boxes_of_strips,
    likeliest_of_strips,
)
from printables.tabletop.edges.paper_in_heaps import cards_in_heaps
from printables.tabletop.edges.paper_view import Boxes, PaperView
from printables.tabletop.edges.patterns import are_corners, are_of_table, repeated
from printables.tabletop.edges.refining import likeliest_boxes
from printables.tabletop.edges.sheets import WHITE, WHITE_IN_COLOUR, leave_out_sheets
from printables.tabletop.outlines import are_beside, are_near, is_same_card
from printables.tabletop.top_view import TopView

_MOST_LIKELY, _MOST_EXACT = 500, 220
"""Candidates scored on the fine picture, and those then refined; both bound the time. With 160 of
the first, 94 cards are outlined; with 60 of the second, 97 cards and 28 places without a card. In
36 photos by another simulator, two of 222 unread cards fewer are outlined with 160 exact ones. With
1,000 of the first, 874 instead of 862 of 1,225 are outlined in 160 photos by a fourth simulator,
but also drawn checks of a cloth."""
_LEAST_ROUGH = 2.0
"""Least evidence, as `refining` measures it, for a candidate to be refined. Only saves time."""
_MOST_STRIPS = 60
"""Most candidates around strips that are refined. Only saves time: with 150, no photo differs."""
_TOUCHING_MM = 1.0
"""Distance, in millimetres, within which an outline touches a known card. In 69 careless photos
(60, 150 and 300 cards), two more groupings are exact if outlines that touch one connect groups only
with clear edges."""
_LIGHTEST = 0.03
"""Share of a candidate's points that may be lighter than its paper when paper beyond its sides is
looked for: a hand that covers most of a card is no paper. In 300 photos of two simulators, 11 more
of the cards outlined count as probable, with an earlier version; at .1 one grouping fewer is exact.
"""
_FEW, _FEW_UNKNOWN, _FEW_OF_READ = 4, 1, 0.08
"""Most candidates with evidence between those two numbers that are accepted, the same if the number
of missing cards is unknown, and how many more for each read card: more of them belong to the
pattern of a cloth, to which clearer ones may belong, too, so that they connect no groups. If these
do, 11 of 260 groupings on squared paper, tiles and other patterns are wrong that are right without,
two of them without a warning; of 78 photos by a second simulator, one grouping more is right.
Without the limit, 56 places without a card are reported in one photo of "ordinary" (300 cards). At
0 of the second, 21 instead of 25 places without a card are outlined in the 120 photos of
`blank_cards._MOST_WHITE`, and as many cards."""
_NEAR = 2.5
"""Distance from a read card, in long sides of a card, within which such candidates count and are
accepted: streaks of wood far from five cards were reported as a card. Without the limit, 28 places
without a card are outlined. If those farther away count, too, 384 instead of 421 of 581 unread
cards in 35 photos by a second simulator are outlined, and 32 instead of 48 places without a card:
the ends of stripes at the edge of a cloth outnumber the cards."""
_MOST_SHARED = 0.88
"""Greatest share of a card below others that one known card covers: if more, it may be that card,
bent or cut inexactly. In the photos of `box_evidence._BELOW`, as many cards and places without a
card are outlined at .92."""
_FEWEST_LEFT = 5
"""Fewest cards that are still missing for a second search. In the photos of `paper_colour._LIGHT`,
1024 instead of 1010 cards and 49 instead of 50 places without a card are outlined with a second
search, 1020 and 49 at 3, 1024 and 52 at 8. A third search finds nothing more."""
_AROUND_MM = 100.0
"""Distance from the cards found first, in millimetres, within which is searched again. In the
photos of `paper_colour._LIGHT`, 1024 cards and 49 places without a card are outlined, 1020 and 51
if all is searched again, which takes a tenth longer."""
_REACH_MM = 250.0
"""Distance from the known cards, in millimetres, within which cards are searched for. Only saves
time, a fifth for 300 cards; at 500 one more of 195 cards is outlined."""
_CLEAR = 0.6
"""Evidence from which strips are cards if more were found than cards are missing. In 136 photos by
a fourth simulator, two more cards are outlined, on a cloth with narrow checks; one more at .75."""
_FILLED_BY_PAPER = 0.85
"""Least share of a surely found card that is paper for nothing to lie on it. In 150 photos of
`bench_hidden` (the odd seeds from 120101 to 120399) no card is hidden without a word; at .5 two are
in one photo (seed 120107), where screens of phones are outlined instead. No photo differs at
.97."""


@dataclass(frozen=True, eq=False)
class MissingCards:
    """Cards that were not read, and paper that shows where others may lie.

    Attributes
    ----------
    outlines : float array, shape (cards, 4, 2)
        Millimetres; those of the first search first, and of each those with the clearest edges.
    marks : bool array, shape (3, cards)
        Whether each is probably a card: if there are more candidates than missing cards, some of
        them belong to a pattern of the table; without clear edges, some belong to larger sheets.
        Whether it is a card on which no object lies, which could hide another. And whether its
        position is certain enough to connect groups: an outline that touches a known card may
        consist of that card's edges, unless it is clear; and none is on a table whose pattern looks
        like many cards.
    strips : Strips
        Paper that none of them explains, millimetres.
    heaps : Strips
        Paper between cards that neither they nor `inner` explain, millimetres.
    inner : float array, shape (inner, 4, 2)
        Outlines of cards on most of which others or objects lie, millimetres: inner cards of fans,
        and cards with one end in sight.
    sheets : float array, shape (sheets, 4, 2)
        Rectangles around larger sheets of paper, millimetres; none if `most` is unknown.
    """

    outlines: Boxes
    marks: NDArray[np.bool_]
    strips: Strips
    heaps: Strips
    inner: Boxes
    sheets: Boxes

    @classmethod
    def none(cls) -> "MissingCards":
        """No cards."""
        none = np.zeros((0, 4, 2))
        return cls(none, np.zeros((3, 0), bool), Strips.none(), Strips.none(), none, none)


def find_missing_cards(
    top: TopView,
    known: Boxes,
    layout: CardLayout,
    most: int | None = None,
    colours: Callable[[TopView], NDArray[np.uint8]] | None = None,
    light: bool = True,
) -> MissingCards:
    """Find cards on the table that were not read.

    Parameters
    ----------
    top : TopView
        At about one pixel per millimetre.
    known : float array, shape (cards, 4, 2)
        Outlines of the cards that are known already, millimetres.
    layout : CardLayout
    most : int, optional
        Number of missing cards, if it is known and they are on this table.
    colours : function of a TopView, optional
        Gives the same view in colour.
    light : bool
        Whether parts of the table are as light as paper, so that its colour is needed; else only
        what has a strong colour is left out.

    Returns
    -------
    MissingCards
    """
    views = ColourViews.of(top.near(known, _REACH_MM), known, colours, light)
    first, view = _search(views, known, layout, most, in_left=True)
    found, marks, likely = first.outlines, first.marks, first.marks[0]
    left = None if most is None else most - int(likely.sum())
    if likely.any() and (left is None or left >= _FEWEST_LEFT):
        found, marks = found[likely], marks[:, likely]
        around = views.near(found, _AROUND_MM)
        taken = np.concatenate([known[_are_in(around.searched, known)], found])
        more, _ = _search(around, taken, layout, left)
        found, marks = np.concatenate([found, more.outlines]), np.append(marks, more.marks, 1)
    room = 0 if most is None else max(most - int(marks[0].sum()), 0)
    top = views.searched
    read = top.from_mm(known)
    inner = inner_cards(view, read, top.from_mm(found), room)
    heaps = Strips.none()
    if room > len(inner):
        taken = np.concatenate([top.from_mm(found[marks[0]]), inner])
        colour = top.grey[..., None] if colours is None else colours(top)
        ends = covered_ends(view, top.px_per_mm, (read, taken), layout, colour)
        # if they are more than the missing cards, some belong to the table
        if len(ends) <= room - len(inner):
            inner = np.concatenate([inner, ends])
        taken = np.concatenate([top.from_mm(found), inner])
        heaps = cards_in_heaps(view, top.px_per_mm, read, taken, layout).in_mm(top)
    # if other cards are elsewhere, sheets say nothing
    sheets = first.sheets if most is not None else found[:0]
    return MissingCards(found, marks, first.strips, heaps, top.in_mm(inner), sheets)


def _are_in(top: TopView, known: Boxes) -> NDArray[np.bool_]:
    """Whether known cards, in millimetres, may be in a view."""
    low, high = top.in_mm(np.array([[0, 0], top.grey.shape[::-1]]))
    return np.asarray(((known.max(1) > low) & (known.min(1) < high)).all(1))


def _search(
    views: ColourViews,
    known: Boxes,
    layout: CardLayout,
    most: int | None,
    in_left: bool = False,
) -> tuple[MissingCards, PaperView]:
    """Search once, as `find_missing_cards` without inner cards of fans. The paper that is left is
    searched if asked. Also the view in which was searched."""
    top, read = views.searched, views.searched.from_mm(known)
    view = PaperView.of(top.grey, read, top.px_per_mm)
    size = np.array([layout.width_mm, layout.height_mm]) * top.px_per_mm
    least = WHITE_IN_COLOUR if views.in_colour else WHITE
    sheets = top.in_mm(leave_out_sheets(view, top.grey == 0, size, least))
    boxes = _candidates(view, top, read, size)
    boxes = boxes[views.are_paper(view, boxes)]
    found, evidence = _clearest(view, boxes, read, most)
    few = round(_FEW_OF_READ * len(known)) + (_FEW_UNKNOWN if most is None else _FEW)
    middling, near = evidence < SURE, are_near(found, read, _NEAR * size.max())
    many = bool((middling & near).sum() > few or (most is not None and len(found) > most))
    able = are_faces_or_backs(view, found, evidence, read, many)
    found, evidence = found[able], evidence[able]
    middling, near = middling[able], near[able]
    patterned = (middling & near).sum() > few
    believed = ~middling | (near & ~patterned)
    found, evidence = found[believed], evidence[believed]
    likelier = found[are_likely(evidence, most)]
    below = _below(view, top, read, likelier, size, most if in_left else 0)
    other = (evidence >= SURE) | ~np.array([is_same_card(box, below) for box in found], bool)
    found, evidence = found[other], evidence[other]
    most = None if most is None else most - len(below)
    likely = are_likely(evidence, most)
    found, likely, evidence = found[:most], likely[:most], evidence[:most]
    outlines, sure = top.in_mm(found), evidence >= SURE
    _, white, _ = measure_paper(view, found)
    lightest = measure_paper(view, found, _LIGHTEST)[2]
    likely &= sure | (measure_sides(view, found, lightest).within <= MOST_WITHIN)
    whole = likely & sure & (white >= _FILLED_BY_PAPER)
    certain = likely & (sure | ~are_beside(outlines, known, _TOUCHING_MM)) & ~patterned
    room = most - len(found) if in_left and most is not None else 0
    rest = without(view, np.concatenate([found, below]))
    left, strips = _in_left_paper(rest, top, read, size, room)
    left = np.concatenate([below, left])
    more = top.in_mm(left)
    connecting = ~are_beside(more, known, _TOUCHING_MM) & ~patterned
    marks = np.stack([np.ones(len(left), bool), np.zeros(len(left), bool), connecting])
    marks = np.append(np.stack([likely, whole, certain]), marks, 1)
    found = np.concatenate([outlines, more])
    return MissingCards(found, marks, strips.in_mm(top), Strips.none(), found[:0], sheets), view


def _clearest(
    view: PaperView, boxes: Boxes, read: Boxes, most: int | None
) -> tuple[Boxes, NDArray[np.float64]]:
    """The clearest boxes without those of a pattern of the table, and their evidence."""
    found, evidence = choose_clearest(view, boxes)
    pattern = repeated(view, boxes, found, read, most)
    if pattern.any():
        found, evidence = choose_clearest(view, boxes[~pattern])
    # a box seems clearer once others hide its sides, which may be patterns of a cloth, too
    evidence = np.minimum.accumulate(evidence)
    if pattern.any():
        kept = (evidence >= SURE) | ~are_corners(view, found)
        found, evidence = found[kept], evidence[kept]
    return found, evidence


def _below(
    view: PaperView,
    top: TopView,
    read: Boxes,
    likelier: Boxes,
    size: NDArray[np.float64],
    most: int | None,
) -> Boxes:
    """Cards below those read, as many as are missing apart from boxes with likely edges."""
    room = 0 if most is None else most - len(likelier)
    if room <= 0:
        return np.zeros((0, 4, 2))
    below = cards_below(view, read, likelier, size)
    return below[_in_photo(below, top.grey)][:room]


def _in_left_paper(
    view: PaperView, top: TopView, read: Boxes, size: NDArray[np.float64], room: int
) -> tuple[Boxes, Strips]:
    """Boxes in paper that is left; none of a kind of which more are found than there is room for,
    since these belong to a pattern of the table. And the strips that are left then."""
    if room <= 0:
        return np.zeros((0, 4, 2)), Strips.none()

    def able(boxes: Boxes) -> NDArray[np.bool_]:
        same = np.array([is_same_card(box, read, _MOST_SHARED) for box in boxes], bool)
        return ~same & _in_photo(boxes, top.grey) & are_near(boxes, read, _NEAR * size.max())

    blank = blank_boxes(view, size)
    blank = blank[able(blank)]
    blank = blank[~are_of_table(blank, read, room, 0)]
    rest = without(view, blank)
    boxes = _strips(rest, size)
    strips, evidence = choose_clearest(rest, boxes[able(boxes)], narrow=True)
    strips = strips[are_likely(evidence, room - len(blank), _CLEAR)]
    left = likeliest_of_strips(without(rest, strips), size)
    return np.concatenate([blank, strips]), left[able(left.outlines)]


def _strips(view: PaperView, size: NDArray[np.float64]) -> Boxes:
    """Boxes around strips of paper, refined, that may be cards."""
    boxes = boxes_of_strips(view, size)
    shown, white, paper = measure_paper(view, boxes)
    able = enough_in_sight(shown, white) | may_be_below(shown, white) | is_narrow(shown)
    return likeliest_boxes(view, boxes[able], paper[able], _MOST_STRIPS)


def _candidates(view: PaperView, top: TopView, read: Boxes, size: NDArray[np.float64]) -> Boxes:
    """Boxes of this size, refined, that may be cards, but not where a read card is."""
    boxes = rectangles_of_edges(view, size, top.px_per_mm, 2 * _MOST_LIKELY)
    shown, white, paper = measure_paper(view, boxes)
    enough = enough_in_sight(shown, white)
    below = may_be_below(shown, white) & ~enough
    able = np.concatenate([np.flatnonzero(part)[:_MOST_LIKELY] for part in (enough, below)])
    boxes = likeliest_boxes(view, boxes[able], paper[able], _MOST_EXACT, _LEAST_ROUGH)
    boxes = boxes[_in_photo(boxes, top.grey)]
    shown = measure_paper(view, boxes)[0]
    same = shown < LEAST_SHOWN
    same[same] = [is_same_card(box, read, _MOST_SHARED) for box in boxes[same]]
    return boxes[~same]


def _in_photo(boxes: Boxes, grey: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether all corners are in the photo; an object cut off by its edge may be larger than a
    card."""
    column, row = np.round(boxes).astype(np.intp).transpose(2, 0, 1)
    height, width = grey.shape
    inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
    seen = grey[np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)] > 0
    return np.asarray((inside & seen).all(1))
