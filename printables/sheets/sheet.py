"""Imposition: arranging cards on pages, with cut marks, aligned backs and a calibration page.

Cards are arranged in a grid in the middle of the page, row by row; the sheet is landscape if more
cards fit that way. Cut marks are outside of the cards, so that no card has one after cutting.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from basics.wordings import Wording
from printables.cards.card import Box, CardLayout, check_printable
from printables.cards.codes import encode
from printables.cards.manifest import ManifestRow
from printables.errors import PaperError
from printables.sheets.calibration import calibration_marks
from printables.sheets.cut_marks import cut_marks
from printables.sheets.cutting_advice import Cells, cutting_advice
from printables.sheets.face import Card, CardFace, Line, TextLine, back, front
from printables.sheets.papers import LARGEST_PAPER_MM, PAPERS

FLIPS = ("long", "short")


@dataclass(frozen=True)
class SheetLayout:
    """How cards are arranged on paper.

    Parameters
    ----------
    card : CardLayout
    paper_mm : (float, float)
        The paper's sides, in any order.
    gutter_mm : float
        Space between two cards; with 0 one cut separates them.
    margin_mm : float
        Least margin around the cards.
    flip : {"long", "short"}
        The edge over which the printer flips a sheet.
    offset_mm : (float, float)
        Shift of backs to the right and down, to correct the printer's misalignment.

    Raises
    ------
    PaperError
        If no card fits, or a number is out of range.
    """

    card: CardLayout = field(default_factory=CardLayout)
    paper_mm: tuple[float, float] = PAPERS["a4"]
    gutter_mm: float = 0.0
    margin_mm: float = 5.0
    flip: str = "long"
    offset_mm: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        if self.flip not in FLIPS:
            raise PaperError(
                Wording(
                    "a sheet is flipped over its long or its short edge, not %(flip)s",
                    flip=self.flip,
                )
            )
        if not 0 <= self.gutter_mm <= 50 or not 0 <= self.margin_mm <= 100:
            raise PaperError("give a gutter of 0 to 50 mm and a margin of 0 to 100 mm")
        if not max(abs(mm) for mm in self.offset_mm) <= max(self.margin_mm, 3.0):
            raise PaperError(
                Wording(
                    "the offset would move the backs off the paper; keep it within %(most)s mm "
                    "or widen the margin",
                    most=f"{max(self.margin_mm, 3.0):g}",
                )
            )
        if not all(0 < mm <= LARGEST_PAPER_MM for mm in self.paper_mm):
            raise PaperError(
                Wording(
                    "paper may be at most %(most)s mm a side",
                    most=f"{LARGEST_PAPER_MM:.0f}",
                )
            )
        check_printable(self.card)
        Grid.of(self)


@dataclass(frozen=True)
class Grid:
    """The grid of cards on a page.

    Attributes
    ----------
    width_mm, height_mm : float
        Size of the page as oriented.
    columns, rows : int
    left, top : float
        Upper left corner of the first card, millimetres.
    """

    width_mm: float
    height_mm: float
    columns: int
    rows: int
    left: float
    top: float

    @classmethod
    def of(cls, layout: SheetLayout) -> "Grid":
        """Choose the orientation that fits more cards; portrait if both fit as many.

        Raises
        ------
        PaperError
            If no card fits on the paper.
        """
        width, height = sorted(layout.paper_mm)
        card, gutter = layout.card, layout.gutter_mm
        options = [_columns_and_rows(layout, *way) for way in ((width, height), (height, width))]
        turned = options[1][0] * options[1][1] > options[0][0] * options[0][1]
        columns, rows = options[turned]
        if columns < 1 or rows < 1:
            raise PaperError(
                Wording(
                    "a card of %(width)s x %(height)s mm does not fit on paper of "
                    "%(paper_width)s x %(paper_height)s mm with margins of %(margin)s mm; "
                    "use larger paper, a smaller card or smaller margins",
                    width=f"{card.width_mm:g}",
                    height=f"{card.height_mm:g}",
                    paper_width=f"{width:g}",
                    paper_height=f"{height:g}",
                    margin=f"{layout.margin_mm:g}",
                )
            )
        width, height = (height, width) if turned else (width, height)
        left = (width - columns * card.width_mm - (columns - 1) * gutter) / 2
        top = (height - rows * card.height_mm - (rows - 1) * gutter) / 2
        return cls(width, height, columns, rows, left, top)

    @property
    def cards_per_page(self) -> int:
        """Number of cards on a full page."""
        return self.columns * self.rows


def _columns_and_rows(layout: SheetLayout, width: float, height: float) -> tuple[int, int]:
    def fit(room: float, card: float) -> int:
        least = 2 * layout.margin_mm
        return int((room - least + layout.gutter_mm + 1e-6) // (card + layout.gutter_mm))

    return fit(width, layout.card.width_mm), fit(height, layout.card.height_mm)


@dataclass(frozen=True)
class PlacedCard:
    """One side of a card on a page; `box` is the trimmed card's rectangle, in millimetres."""

    card: Card
    face: CardFace
    box: Box


@dataclass(frozen=True)
class Page:
    """One side of a sheet, in millimetres; pages are numbered from 1."""

    number: int
    width_mm: float
    height_mm: float
    cards: tuple[PlacedCard, ...]
    marks: tuple[Line, ...] = ()
    words: tuple[TextLine, ...] = ()


def impose(
    decks: Iterable[Sequence[Card]],
    layout: SheetLayout,
    calibration: bool = False,
    marks: bool = True,
) -> list[Page]:
    """Arrange cards on pages; each deck starts on a new sheet.

    With the code on the back, every front is followed by its back. The first page says how to cut;
    if the margins have no room for that, it has one card less.

    Parameters
    ----------
    decks : iterable of sequences of Card
        From `SetOfCards.deck` and `header_cards`.
    layout : SheetLayout
    calibration : bool
        Add a last sheet with rulers (and, with the code on the back, crosses on both sides).
    marks : bool
        Whether sheets of cards have cut marks.

    Returns
    -------
    list of Page

    Raises
    ------
    PaperError
        If there is no card to print.
    """
    grid = Grid.of(layout)
    pages: list[Page] = []
    for cards, words in _sheets(decks, layout, grid, marks):
        _add_sheet(pages, cards, words, layout, marks)
    if calibration:
        _add_calibration(pages, layout, grid)
    if not pages:
        raise PaperError("there is no card to print")
    return pages


def manifest_rows(pages: Iterable[Page]) -> list[ManifestRow]:
    """List the rectangle of every card on the page with its code.

    Parameters
    ----------
    pages : iterable of Page
        From `impose`.

    Returns
    -------
    list of ManifestRow
        In page order.
    """
    return [
        ManifestRow(
            card=placed.card.code.card,
            code=encode(placed.card.code),
            set_name=placed.card.set_name,
            stimulus=placed.card.stimulus,
            deck=placed.card.deck,
            page=page.number,
            x_mm=placed.box.x,
            y_mm=placed.box.y,
            width_mm=placed.box.width,
            height_mm=placed.box.height,
        )
        for page in pages
        for placed in page.cards
        if placed.face.symbol
    ]


def _sheets(
    decks: Iterable[Sequence[Card]], layout: SheetLayout, grid: Grid, marks: bool
) -> Iterator[tuple[Sequence[Card], tuple[TextLine, ...]]]:
    """The cards and instructions of each sheet."""
    first = True
    for deck in decks:
        left = deck
        while left:
            count, words = min(len(left), grid.cards_per_page), tuple[TextLine, ...]()
            if first:
                count, words = _first_sheet(count, layout, grid, marks)
            yield left[:count], words
            left, first = left[count:], False


def _first_sheet(
    count: int, layout: SheetLayout, grid: Grid, marks: bool
) -> tuple[int, tuple[TextLine, ...]]:
    """Number of cards, one less if the instructions need its room, and the instructions."""
    boxes = tuple(_place(index, layout, grid) for index in range(grid.cards_per_page))
    for cards in (count, count - 1):
        size = grid.width_mm, grid.height_mm
        cells = Cells(boxes[:cards], boxes[cards:], size, layout.gutter_mm)
        if words := cutting_advice(cells, marks):
            return cards, words
    return count, ()


def _add_sheet(
    pages: list[Page],
    cards: Sequence[Card],
    words: tuple[TextLine, ...],
    layout: SheetLayout,
    marks: bool,
) -> None:
    grid = Grid.of(layout)
    size = (grid.width_mm, grid.height_mm)
    boxes = [_place(index, layout, grid) for index in range(len(cards))]
    faces = [front(card, layout.card) for card in cards]
    fronts = tuple(map(PlacedCard, cards, faces, boxes))
    lines = cut_marks(boxes, size, layout.gutter_mm) if marks else ()
    pages.append(Page(len(pages) + 1, *size, fronts, lines, words))
    if layout.card.qr == "back":
        faces = [back(card, layout.card) for card in cards]
        backs = [back_position(box, layout, grid) for box in boxes]
        pages.append(Page(len(pages) + 1, *size, tuple(map(PlacedCard, cards, faces, backs))))


def _place(index: int, layout: SheetLayout, grid: Grid) -> Box:
    row, column = divmod(index, grid.columns)
    card, gutter = layout.card, layout.gutter_mm
    x = grid.left + column * (card.width_mm + gutter)
    y = grid.top + row * (card.height_mm + gutter)
    return Box(round(x, 4), round(y, 4), card.width_mm, card.height_mm)


def back_position(box: Box, layout: SheetLayout, grid: Grid) -> Box:
    """Position of a card's back on the back of its sheet.

    Flipping over the long edge swaps left and right on a portrait sheet, top and bottom on a
    landscape one; flipping over the short edge does the opposite.
    """
    x, y = box.x, box.y
    if (layout.flip == "long") == (grid.height_mm >= grid.width_mm):
        x = grid.width_mm - x - box.width
    else:
        y = grid.height_mm - y - box.height
    right, down = layout.offset_mm
    return Box(round(x + right, 4), round(y + down, 4), box.width, box.height)


def _add_calibration(pages: list[Page], layout: SheetLayout, grid: Grid) -> None:
    sides = ("front", "back") if layout.card.qr == "back" else ("front",)
    for side in sides:
        size = (grid.width_mm, grid.height_mm)
        lines, words = calibration_marks(*size, side, len(sides) == 2, layout.offset_mm)
        pages.append(Page(len(pages) + 1, *size, (), lines, words))
