"""Cut marks on a page, outside of its cards.

Every cut has a mark in both margins. If there is space between cards, short ticks lead to every
card near its corners: they remain when the first cuts have removed the margins.
"""

from collections.abc import Sequence

from printables.cards.card import Box
from printables.sheets.face import Line

TICK_MM, TICK_INSET_MM = 2.5, 2.0
MARK_GAP_MM, MARK_MM, LEAST_MARK_MM = 1.0, 5.0, 1.0
Span = tuple[float, float]


def cut_marks(boxes: Sequence[Box], page_mm: Span, gutter_mm: float = 0.0) -> tuple[Line, ...]:
    """Make cut marks in the margins and, if there is a gutter, ticks that end at the cards.

    Parameters
    ----------
    boxes : sequence of Box
        The cards on the page; without any there are no marks.
    page_mm : (float, float)
        Width and height of the page.
    gutter_mm : float
        Space between two cards.
    """
    if not boxes:
        return ()
    across = [_span(box.x, box.width) for box in boxes]
    down = [_span(box.y, box.height) for box in boxes]
    columns, rows = _cuts(across), _cuts(down)
    marks = [Line(x, near, x, far) for near, far in _in_margins(rows, page_mm[1]) for x in columns]
    marks += [Line(near, y, far, y) for near, far in _in_margins(columns, page_mm[0]) for y in rows]
    if gutter_mm >= LEAST_MARK_MM:
        for wide, high in zip(across, down, strict=True):
            for near, far in _beside(wide, columns, page_mm[0], gutter_mm):
                marks += [Line(near, y, far, y) for y in _near_corners(high)]
            for near, far in _beside(high, rows, page_mm[1], gutter_mm):
                marks += [Line(x, near, x, far) for x in _near_corners(wide)]
    return tuple(dict.fromkeys(marks))


def _span(start: float, length: float) -> Span:
    """Start and end, rounded so that the same cut has the same place on all cards."""
    return round(start, 4), round(start + length, 4)


def _cuts(sides: Sequence[Span]) -> list[float]:
    return sorted({cut for side in sides for cut in side})


def _in_margins(cuts: Sequence[float], whole: float) -> list[Span]:
    """Start and end of the cut marks in two opposite margins, if there is room for them."""
    first, last, reach = cuts[0], cuts[-1], MARK_GAP_MM + MARK_MM
    before = (max(first - reach, 0.0), first - MARK_GAP_MM)
    after = (last + MARK_GAP_MM, min(last + reach, whole))
    return [(near, far) for near, far in (before, after) if far - near >= LEAST_MARK_MM]


def _beside(side: Span, cuts: Sequence[float], whole: float, gutter: float) -> list[Span]:
    """Start and end of the ticks before and after a card; one tick crosses a narrow gutter."""
    between = gutter if gutter <= 2 * TICK_MM else TICK_MM
    before = between if side[0] > cuts[0] else min(TICK_MM, side[0])
    after = between if side[1] < cuts[-1] else min(TICK_MM, whole - side[1])
    ticks = [(side[0] - before, side[0]), (side[1], side[1] + after)]
    return [(round(near, 4), round(far, 4)) for near, far in ticks if far - near >= LEAST_MARK_MM]


def _near_corners(side: Span) -> Span:
    return side[0] + TICK_INSET_MM, side[1] - TICK_INSET_MM
