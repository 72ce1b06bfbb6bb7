"""Where things lie on a card, in millimetres from its upper left corner as trimmed.

A card is wider than high or higher than wide; its symbol stands at the right or at the foot, and
what is left belongs to the sketch. With the code on the back, the sketch has the front alone.
The symbol's place follows from the card's size and side alone, so that a reader who knows the
size of a card knows its outline as soon as it has read the symbol.
"""

from dataclasses import dataclass

from printables.cards.codes import MODULES, QUIET_MODULES
from printables.errors import PaperError

SIDES = ("front", "back")
SMALLEST_SYMBOL_MM = 18.0
LARGEST_SYMBOL_MM = 24.0
MARGIN_MM = 3.0
CAPTION_HEIGHT_MM = 10.5
CAPTION_WIDTH_MM = 17.0
SMALLEST_PICTURE_MM = 15.0


@dataclass(frozen=True)
class Box:
    """A rectangle in millimetres; x to the right, y down."""

    x: float
    y: float
    width: float
    height: float


def quiet_zone(side_mm: float) -> float:
    """The white that a symbol needs on each of its four sides: four modules, in mm."""
    return side_mm * QUIET_MODULES / MODULES


def symbol_square(width_mm: float, height_mm: float, qr: str) -> tuple[float, float, float]:
    """Where a card's symbol lies, from the card's size alone.

    Parameters
    ----------
    width_mm, height_mm : float
        The card as trimmed.
    qr : {"front", "back"}
        The side that bears the code.

    Returns
    -------
    x, y, side : float
        Upper left corner and side of the 21 x 21 modules, in mm from the card's upper left
        corner; the quiet zone lies around it. The side is 18 to 24 mm, as the card allows.

    Raises
    ------
    PaperError
        If the card is too small for a symbol with its caption.

    Examples
    --------
    >>> symbol_square(66, 46, "front")
    (44.095, 3.505, 18.4)
    """
    if qr not in SIDES:
        raise PaperError(f"a code stands on the front or the back of a card, not {qr!r}")
    _check_size(width_mm, height_mm, qr)
    if qr == "back":
        return _on_back(width_mm, height_mm)
    short, long = sorted((width_mm, height_mm))
    side = _within_bounds(min(0.4 * short, 0.29 * long))
    quiet = quiet_zone(side)
    if width_mm >= height_mm:
        return _micrometres(width_mm - quiet - side, quiet, side)
    return _micrometres(quiet, height_mm - quiet - side, side)


def _on_back(width_mm: float, height_mm: float) -> tuple[float, float, float]:
    """Symbol and caption stand centred as one block, as far as the quiet zone lets them."""
    quiet_share = 1 + 2 * QUIET_MODULES / MODULES
    room = min(width_mm, height_mm - CAPTION_HEIGHT_MM - MARGIN_MM)
    side = _within_bounds(room / quiet_share)
    quiet = quiet_zone(side)
    above = (height_mm - side - quiet - CAPTION_HEIGHT_MM) / 2
    return _micrometres((width_mm - side) / 2, max(above, quiet), side)


def _within_bounds(side: float) -> float:
    return min(max(int(side * 10 + 1e-6) / 10, SMALLEST_SYMBOL_MM), LARGEST_SYMBOL_MM)


def _micrometres(x: float, y: float, side: float) -> tuple[float, float, float]:
    return round(x, 3), round(y, 3), round(side, 3)


def smallest_card(width_mm: float, height_mm: float, qr: str) -> tuple[float, float]:
    """The least width and height, in mm, of a card of such a shape (wide or high)."""
    symbol = SMALLEST_SYMBOL_MM + 2 * quiet_zone(SMALLEST_SYMBOL_MM)
    under = symbol + CAPTION_HEIGHT_MM + MARGIN_MM
    if qr == "back":
        return symbol, under
    if width_mm >= height_mm:
        return symbol + SMALLEST_PICTURE_MM + MARGIN_MM, under
    return symbol + CAPTION_WIDTH_MM + MARGIN_MM, symbol + SMALLEST_PICTURE_MM + MARGIN_MM


def _check_size(width_mm: float, height_mm: float, qr: str) -> None:
    least_width, least_height = smallest_card(width_mm, height_mm, qr)
    if not (width_mm >= least_width and height_mm >= least_height):
        raise PaperError(
            f"a card of {width_mm:g} x {height_mm:g} mm is too small for its code on the {qr}; "
            f"make it at least {least_width:.0f} x {least_height:.0f} mm"
        )


@dataclass(frozen=True)
class CardLayout:
    """The size of a card and the side of its code; every place on it follows.

    Parameters
    ----------
    width_mm, height_mm : float
        The card as trimmed.
    qr : {"front", "back"}
        The side that bears the code.

    Raises
    ------
    PaperError
        If the card is too small.
    """

    width_mm: float = 66.0
    height_mm: float = 46.0
    qr: str = "front"

    def __post_init__(self) -> None:
        symbol_square(self.width_mm, self.height_mm, self.qr)

    @property
    def symbol(self) -> Box:
        """The symbol's modules, on the side that bears the code."""
        x, y, side = symbol_square(self.width_mm, self.height_mm, self.qr)
        return Box(x, y, side, side)

    @property
    def picture(self) -> Box:
        """The sketch's room on the front."""
        width, height = self.width_mm - 2 * MARGIN_MM, self.height_mm - 2 * MARGIN_MM
        if self.qr == "front":
            taken = self.symbol.width + 2 * quiet_zone(self.symbol.width) - MARGIN_MM + 1.0
            if self.width_mm >= self.height_mm:
                width -= taken
            else:
                height -= taken
        return Box(MARGIN_MM, MARGIN_MM, width, height)

    @property
    def caption(self) -> Box:
        """The words' room: under the symbol, or beside it at the foot of a high card."""
        symbol = self.symbol
        quiet = quiet_zone(symbol.width)
        if self.qr == "back":
            top = symbol.y + symbol.height + quiet
            return Box(MARGIN_MM, top, self.width_mm - 2 * MARGIN_MM, CAPTION_HEIGHT_MM)
        if self.width_mm >= self.height_mm:
            top = symbol.y + symbol.height + quiet
            width = self.width_mm - symbol.x - 2.0
            return Box(symbol.x, top, width, CAPTION_HEIGHT_MM)
        left = symbol.x + symbol.width + quiet
        return Box(left, symbol.y, self.width_mm - left - MARGIN_MM, CAPTION_HEIGHT_MM)
