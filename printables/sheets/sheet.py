"""Imposition: cards on pages, with cut marks, backs that meet their fronts, and a calibration page.

Cards are arranged in a grid in the middle of the page, row by row; the sheet is landscape if more
cards fit. Cut marks are in the margins and, as ticks, at every corner of every card along the cut
itself, so they remain when the first cuts have removed the margins.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from basics.wordings import Wording
from printables.cards.card import Box, CardLayout, refuse_narrow
from printables.cards.codes import encode
from printables.cards.manifest import ManifestRow
from printables.errors import PaperError
from printables.sheets.calibration import calibration_marks
from printables.sheets.face import QUIET, Card, CardFace, Line, Words, back, front

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
FLIPS = ("long", "short")
LARGEST_PAPER_MM = 1200.0
TICK_MM, MARK_GAP_MM, MARK_MM = 2.5, 1.0, 5.0
CUTTING = ("Cut straight from mark to mark.", "Keep the white around each code.")
CUTTING_ROOM_MM, CUTTING_WIDTH_MM = 10.0, 45.0


@dataclass(frozen=True)
class SheetLayout:
    """How cards are arranged on paper.

    Parameters
    ----------
    card : CardLayout
    paper_mm : (float, float)
        Width and height, either way up.
    gutter_mm : float
        White between two cards; with 0 one cut separates them.
    margin_mm : float
        Smallest white margin around the cards.
    flip : {"long", "short"}
        The edge on which the printer flips a sheet.
    offset_mm : (float, float)
        How far backs are shifted right and down, to correct the printer's drift.

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
        refuse_narrow(self.card)
        Grid.of(self)


@dataclass(frozen=True)
class Grid:
    """The grid of a page: its size as oriented, columns, rows, and the first card's corner (mm)."""

    width_mm: float
    height_mm: float
    columns: int
    rows: int
    left: float
    top: float

    @classmethod
    def of(cls, layout: SheetLayout) -> "Grid":
        """Choose the orientation that fits more cards; if equal, that of the given paper size."""
        width, height = sorted(layout.paper_mm)
        card, gutter = layout.card, layout.gutter_mm
        ways = [_columns_and_rows(layout, *way) for way in ((width, height), (height, width))]
        turned = ways[1][0] * ways[1][1] > ways[0][0] * ways[0][1]
        columns, rows = ways[turned]
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
    def places(self) -> int:
        """Cards on a full page."""
        return self.columns * self.rows


def _columns_and_rows(layout: SheetLayout, width: float, height: float) -> tuple[int, int]:
    def fit(room: float, card: float) -> int:
        least = 2 * layout.margin_mm
        return int((room - least + layout.gutter_mm + 1e-6) // (card + layout.gutter_mm))

    return fit(width, layout.card.width_mm), fit(height, layout.card.height_mm)


def paper_size(name: str) -> tuple[float, float]:
    """The size in mm of "a4", "letter", or of a size written as "210x297".

    Returns
    -------
    (float, float)
        Width and height in mm.

    Raises
    ------
    PaperError
        If it is not one of these.
    """
    if name.lower() in PAPERS:
        return PAPERS[name.lower()]
    try:
        width, height = (float(mm) for mm in name.lower().replace("×", "x").split("x"))
    except ValueError:
        width = height = 0.0
    if not (0 < width <= LARGEST_PAPER_MM and 0 < height <= LARGEST_PAPER_MM):
        raise PaperError(
            Wording(
                "%(name)s is not a paper size: give a4, letter or e.g. 210x297",
                name=repr(name[:40]),
            )
        )
    return width, height


@dataclass(frozen=True)
class PlacedCard:
    """One side of a card on a page: `box` is the trimmed card, in mm from the page's corner."""

    card: Card
    face: CardFace
    box: Box


@dataclass(frozen=True)
class Page:
    """One side of a sheet, in mm; `number` counts from 1."""

    number: int
    width_mm: float
    height_mm: float
    cards: tuple[PlacedCard, ...]
    marks: tuple[Line, ...] = ()
    words: tuple[Words, ...] = ()


def impose(
    decks: Iterable[Sequence[Card]], layout: SheetLayout, calibration: bool = False
) -> list[Page]:
    """Arrange cards on pages; each deck starts on a new sheet.

    With the code on the back, every front is followed by its back.

    Parameters
    ----------
    decks : iterable of sequences of Card
        `SetOfCards.deck`, `header_cards`.
    layout : SheetLayout
    calibration : bool
        Add a last sheet with rulers (and, with the code on the back, crosses on both sides).

    Returns
    -------
    list of Page

    Raises
    ------
    PaperError
        If there is nothing to print.
    """
    grid = Grid.of(layout)
    pages: list[Page] = []
    for deck in decks:
        for start in range(0, len(deck), grid.places):
            _add_sheet(pages, deck[start : start + grid.places], layout, grid)
    if calibration:
        _add_calibration(pages, layout, grid)
    if not pages:
        raise PaperError("there is no card to print")
    return pages


def manifest_rows(pages: Iterable[Page]) -> list[ManifestRow]:
    """List every card's rectangle on the page with its code.

    Parameters
    ----------
    pages : iterable of Page
        As `impose` returns them.

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


def _add_sheet(pages: list[Page], cards: Sequence[Card], layout: SheetLayout, grid: Grid) -> None:
    boxes = [_place(index, layout, grid) for index in range(len(cards))]
    faces = [front(card, layout.card) for card in cards]
    fronts = tuple(map(PlacedCard, cards, faces, boxes))
    size = (grid.width_mm, grid.height_mm)
    words = () if pages else how_to_cut(boxes, grid)
    pages.append(Page(len(pages) + 1, *size, fronts, cut_marks(boxes, grid), words))
    if layout.card.qr == "back":
        faces = [back(card, layout.card) for card in cards]
        backs = [turned_over(box, layout, grid) for box in boxes]
        pages.append(Page(len(pages) + 1, *size, tuple(map(PlacedCard, cards, faces, backs))))


def how_to_cut(boxes: Sequence[Box], grid: Grid) -> tuple[Words, ...]:
    """Instructions for cutting on the first page; left out if the margin is too small."""
    below = max(box.y + box.height for box in boxes)
    first = boxes[0]
    if grid.height_mm - below < CUTTING_ROOM_MM or first.width < CUTTING_WIDTH_MM:
        return ()
    return tuple(
        Words(line, first.x + 2.0, below + 3.2 + 2.6 * number, 6.0, grey=QUIET)
        for number, line in enumerate(CUTTING)
    )


def _place(index: int, layout: SheetLayout, grid: Grid) -> Box:
    row, column = divmod(index, grid.columns)
    card, gutter = layout.card, layout.gutter_mm
    x = grid.left + column * (card.width_mm + gutter)
    y = grid.top + row * (card.height_mm + gutter)
    return Box(round(x, 4), round(y, 4), card.width_mm, card.height_mm)


def turned_over(box: Box, layout: SheetLayout, grid: Grid) -> Box:
    """The place of a card's back on the back of its sheet.

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


def cut_marks(boxes: Iterable[Box], grid: Grid) -> tuple[Line, ...]:
    """Marks in the margins at every cut, and ticks at each corner along both cuts."""
    boxes = list(boxes)
    ticks = [line for box in boxes for line in _corner_ticks(box)]
    columns = sorted({x for box in boxes for x in (box.x, box.x + box.width)})
    rows = sorted({y for box in boxes for y in (box.y, box.y + box.height)})
    for near, far in _in_margins(rows[0], rows[-1], grid.height_mm):
        ticks += [Line(x, near, x, far) for x in columns]
    for near, far in _in_margins(columns[0], columns[-1], grid.width_mm):
        ticks += [Line(near, y, far, y) for y in rows]
    return tuple(dict.fromkeys(ticks))


def _in_margins(first: float, last: float, whole: float) -> list[tuple[float, float]]:
    """Start and end of the marks in the two margins, as far as there is room."""
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


def _add_calibration(pages: list[Page], layout: SheetLayout, grid: Grid) -> None:
    sides = ("front", "back") if layout.card.qr == "back" else ("front",)
    for side in sides:
        size = (grid.width_mm, grid.height_mm)
        lines, words = calibration_marks(*size, side, len(sides) == 2, layout.offset_mm)
        pages.append(Page(len(pages) + 1, *size, (), lines, words))
