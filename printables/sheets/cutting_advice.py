"""How to cut the cards, in small text on the first page: in a margin or in place of a card."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from printables.artwork.fonts import MM_PER_POINT, typeface
from printables.cards.card import Box
from printables.sheets.cut_marks import LEAST_MARK_MM, MARK_GAP_MM, MARK_MM
from printables.sheets.face import QUIET, TextLine

STRAIGHT = "Cut straight from mark to mark."
TICKS = "Cut where the short lines end."
MARGINS_LAST = "Cut off the margins last."
SIZE = "Cut the cards to {width:g} × {height:g} mm."
KEEP_WHITE = "Keep the white around each code."

SIZES_PT = (6.0, 5.0, 4.5)
# Heights in parts of the font size.
_ABOVE_BASELINE, _BELOW_BASELINE, _LINE = 0.8, 0.25, 1.23
# Printers leave a rim of the paper blank. Text near a card's edge might remain on the card.
_RIM_MM, _CLEAR_MM, _CORNER_MM = 3.0, 0.8, 3.0


@dataclass(frozen=True)
class Cells:
    """The places for cards on a page.

    Attributes
    ----------
    cards, free : tuple of Box
        Those with a card, and those without.
    page_mm : (float, float)
        Width and height of the page.
    gutter_mm : float
        Space between two places.
    """

    cards: tuple[Box, ...]
    free: tuple[Box, ...]
    page_mm: tuple[float, float]
    gutter_mm: float

    @property
    def all(self) -> tuple[Box, ...]:
        """All places, row by row."""
        return self.cards + self.free


def cutting_advice(cells: Cells, marks: bool) -> tuple[TextLine, ...]:
    """Lay out the instructions for cutting, off the cards and the cut marks.

    Parameters
    ----------
    cells : Cells
    marks : bool
        Whether the sheets have cut marks.

    Returns
    -------
    tuple of TextLine
        Empty if there is no room, or the card is as large as the page.
    """
    if cells.all == (Box(0.0, 0.0, *cells.page_mm),):
        return ()
    sentences = _sentences(cells, marks)
    for slots in _places(cells):
        for size in SIZES_PT:
            for row in slots:
                if lines := _fitted(sentences, row, size):
                    return lines
    return ()


def _sentences(cells: Cells, marks: bool) -> tuple[str, ...]:
    first = cells.all[0]
    marked = [marks and mm >= MARK_GAP_MM + LEAST_MARK_MM for mm in (first.x, first.y)]
    ticks = marks and cells.gutter_mm >= LEAST_MARK_MM
    said = {
        STRAIGHT: any(marked),
        TICKS: ticks,
        MARGINS_LAST: all(marked) and not ticks,
        SIZE.format(width=first.width, height=first.height): not all(marked),
        KEEP_WHITE: True,
    }
    return tuple(sentence for sentence, holds in said.items() if holds)


def _places(cells: Cells) -> Iterator[list[list[Box]]]:
    """Rows of rectangles without a card or mark, the best ones first."""
    cards = cells.cards
    columns = {box.x + _CORNER_MM: box.width - 2 * _CORNER_MM for box in cards}
    rows = {box.y + _CORNER_MM: box.height - 2 * _CORNER_MM for box in cards}
    below = max((box.y + box.height for box in cards), default=cells.page_mm[1])
    right = max((box.x + box.width for box in cards), default=cells.page_mm[0])
    above = min((box.y for box in cards), default=0.0)
    left = min((box.x for box in cards), default=0.0)
    yield [
        [Box(x, y, width, height) for x, width in sorted(columns.items())]
        for y, height in (_margin_after(below, cells.page_mm[1]), _margin_before(above))
    ]
    inset = MARK_GAP_MM + MARK_MM + _CLEAR_MM
    yield [
        [Box(cell.x + inset, cell.y + inset, cell.width - 2 * inset, cell.height - 2 * inset)]
        for cell in cells.free
    ]
    yield [
        [Box(x, y, width, height) for y, height in sorted(rows.items())]
        for x, width in (_margin_before(left), _margin_after(right, cells.page_mm[0]))
    ]


def _margin_before(cards: float) -> tuple[float, float]:
    """Start and width of the text's room between the paper's edge and the cards."""
    return _RIM_MM, cards - _CLEAR_MM - _RIM_MM


def _margin_after(cards: float, edge: float) -> tuple[float, float]:
    """Start and width of the text's room between the cards and the paper's edge."""
    return cards + _CLEAR_MM, edge - _RIM_MM - cards - _CLEAR_MM


def _fitted(sentences: Sequence[str], row: Sequence[Box], size: float) -> tuple[TextLine, ...]:
    """The sentences in the first rectangle, one in each rectangle, or wrapped in the first."""
    if not row:
        return ()
    if lines := _block(sentences, row[0], size):
        return lines
    each = [
        _block(_wrapped(sentence, box.width, size), box, size)
        for sentence, box in zip(sentences, row, strict=False)
    ]
    if len(each) == len(sentences) and all(each):
        return tuple(line for lines in each for line in lines)
    return _block(_wrapped(" ".join(sentences), row[0].width, size), row[0], size)


def _block(texts: Sequence[str], box: Box, size: float) -> tuple[TextLine, ...]:
    """Lines of text in a rectangle; none if it is too small."""
    em = size * MM_PER_POINT
    height = em * (_ABOVE_BASELINE + _LINE * (len(texts) - 1) + _BELOW_BASELINE)
    widest = max(typeface().width_mm(text, size) for text in texts)
    if widest > box.width or height > box.height:
        return ()
    first = box.y + min((box.height - height) / 2, em) + em * _ABOVE_BASELINE
    return tuple(
        TextLine(text, box.x, round(first + em * _LINE * number, 4), size, grey=QUIET)
        for number, text in enumerate(texts)
    )


def _wrapped(text: str, width: float, size: float) -> list[str]:
    first, *words = text.split(" ")
    lines = [first]
    for word in words:
        longer = f"{lines[-1]} {word}"
        if typeface().width_mm(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
