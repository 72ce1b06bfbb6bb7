"""Cut marks on a page, and instructions for cutting."""

from collections.abc import Iterable, Sequence

from printables.cards.card import Box
from printables.sheets.face import QUIET, Line, TextLine

TICK_MM, MARK_GAP_MM, MARK_MM = 2.5, 1.0, 5.0
CUTTING = ("Cut straight from mark to mark.", "Keep the white around each code.")
CUTTING_ROOM_MM, CUTTING_WIDTH_MM = 10.0, 45.0


def cutting_instructions(
    boxes: Sequence[Box], page_mm: tuple[float, float]
) -> tuple[TextLine, ...]:
    """Make instructions for cutting, below the cards; none if the margin is too small.

    Parameters
    ----------
    boxes : sequence of Box
        The cards on the page.
    page_mm : (float, float)
        Width and height of the page.
    """
    below = max(box.y + box.height for box in boxes)
    first = boxes[0]
    if page_mm[1] - below < CUTTING_ROOM_MM or first.width < CUTTING_WIDTH_MM:
        return ()
    return tuple(
        TextLine(line, first.x + 2.0, below + 3.2 + 2.6 * number, 6.0, grey=QUIET)
        for number, line in enumerate(CUTTING)
    )


def cut_marks(boxes: Iterable[Box], page_mm: tuple[float, float]) -> tuple[Line, ...]:
    """Make cut marks in the margins, and ticks at each card's corners along both cuts.

    Parameters
    ----------
    boxes : iterable of Box
        The cards on the page.
    page_mm : (float, float)
        Width and height of the page.
    """
    boxes = list(boxes)
    ticks = [line for box in boxes for line in _corner_ticks(box)]
    columns = sorted({x for box in boxes for x in (box.x, box.x + box.width)})
    rows = sorted({y for box in boxes for y in (box.y, box.y + box.height)})
    for near, far in _in_margins(rows[0], rows[-1], page_mm[1]):
        ticks += [Line(x, near, x, far) for x in columns]
    for near, far in _in_margins(columns[0], columns[-1], page_mm[0]):
        ticks += [Line(near, y, far, y) for y in rows]
    return tuple(dict.fromkeys(ticks))


def _in_margins(first: float, last: float, whole: float) -> list[tuple[float, float]]:
    """Start and end of the cut marks in two opposite margins, if there is room for them."""
    reach = MARK_GAP_MM + MARK_MM
    before = (max(first - reach, 0.0), first - MARK_GAP_MM)
    after = (last + MARK_GAP_MM, min(last + reach, whole))
    return [(near, far) for near, far in (before, after) if far - near >= 1.0]


def _corner_ticks(box: Box) -> list[Line]:
    ticks = []
    for x, inward in ((box.x, TICK_MM), (box.x + box.width, -TICK_MM)):
        for y, down in ((box.y, TICK_MM), (box.y + box.height, -TICK_MM)):
            ticks.append(Line(x, y, x + inward, y))
            ticks.append(Line(x, y, x, y + down))
    return ticks
