"""The layout of a card, in millimetres from the upper left corner of the trimmed card.

On a landscape card the symbol is at the right, on a portrait card at the bottom; the rest is for
the sketch. If the code is on the back, the sketch has the whole front. The symbol's position
depends only on the card's size and the side of the code, so that the position of a symbol in a
photo gives the outline of its card.
"""

import math
from dataclasses import dataclass

from basics.wordings import Wording
from printables.cards.codes import MODULES, QUIET_MODULES
from printables.errors import PaperError

SIDES = ("front", "back")
SMALLEST_SYMBOL_MM = 18.0
LARGEST_SYMBOL_MM = 24.0
MARGIN_MM = 3.0
CAPTION_HEIGHT_MM = 10.5
CAPTION_WIDTH_MM = 16.2
CAPTION_MARGIN_MM = 2.0
SMALLEST_PICTURE_MM = 15.0
# Distance of the symbol from the cut lines. Cuts by hand are off by 1-2 mm and 1-2 degrees, and
# with this distance they leave enough of the quiet zone.
INSET_MM = 5.5


@dataclass(frozen=True)
class Box:
    """A rectangle in millimetres, given by its upper left corner; x is to the right, y down."""

    x: float
    y: float
    width: float
    height: float


def quiet_zone(side_mm: float) -> float:
    """Width of the quiet zone on each side of a symbol, in millimetres: four modules.

    References
    ----------
    ISO/IEC 18004:2015, 6.3.8.
    """
    return side_mm * QUIET_MODULES / MODULES


def _fits(width_mm: float, height_mm: float, least: tuple[float, float]) -> bool:
    return width_mm >= least[0] and height_mm >= least[1]


def _inset(width_mm: float, height_mm: float, qr: str) -> float:
    """Distance of the symbol from the cut lines, in millimetres; 0 on small cards of earlier
    decks."""
    return INSET_MM if _fits(width_mm, height_mm, smallest_card(width_mm, height_mm, qr)) else 0.0


def symbol_square(width_mm: float, height_mm: float, qr: str) -> tuple[float, float, float]:
    """Compute the position of a card's symbol from the card's size.

    Parameters
    ----------
    width_mm, height_mm : float
        Size of the trimmed card.
    qr : {"front", "back"}
        The side with the code.

    Returns
    -------
    x, y, side : float
        Upper left corner and side of the 21 x 21 modules, in millimetres from the card's upper left
        corner. The quiet zone is outside, and the cut lines are at least 5.5 mm away. The side is
        18 to 24 mm, depending on the card.

    Raises
    ------
    PaperError
        If the card is too small for a symbol with its caption, or `qr` is no side.

    Examples
    --------
    >>> symbol_square(66, 46, "front")
    (42.1, 5.5, 18.4)
    """
    if qr not in SIDES:
        raise PaperError(
            Wording("a code is on the front or the back of a card, not %(qr)s", qr=repr(qr))
        )
    _check_size(width_mm, height_mm, qr)
    inset = _inset(width_mm, height_mm, qr)
    if qr == "back":
        return _on_back(width_mm, height_mm, inset)
    short, long = sorted((width_mm, height_mm))
    side = _within_bounds(min(0.4 * short, 0.29 * long))
    rim = max(quiet_zone(side), inset)
    if width_mm >= height_mm:
        return _micrometres(width_mm - rim - side, rim, side)
    return _micrometres(rim, height_mm - rim - side, side)


def _on_back(width_mm: float, height_mm: float, inset: float) -> tuple[float, float, float]:
    """Position of the symbol on the back: centred together with the caption, if the distance to the
    cut lines allows."""
    quiet_share = 1 + QUIET_MODULES / MODULES
    room = height_mm - CAPTION_HEIGHT_MM - MARGIN_MM
    whole = quiet_share + QUIET_MODULES / MODULES
    high = min((room - inset) / quiet_share, room / whole)
    side = _within_bounds(min(high, width_mm - 2 * inset, width_mm / whole))
    above = (height_mm - side - quiet_zone(side) - CAPTION_HEIGHT_MM) / 2
    return _micrometres((width_mm - side) / 2, max(above, quiet_zone(side), inset), side)


def _within_bounds(side: float) -> float:
    return min(max(int(side * 10 + 1e-6) / 10, SMALLEST_SYMBOL_MM), LARGEST_SYMBOL_MM)


def _micrometres(x: float, y: float, side: float) -> tuple[float, float, float]:
    return round(x, 3), round(y, 3), round(side, 3)


def smallest_card(
    width_mm: float, height_mm: float, qr: str, inset: float = INSET_MM
) -> tuple[float, float]:
    """Least width and height, in millimetres, of a card of this orientation (landscape or
    portrait).

    Parameters
    ----------
    width_mm, height_mm : float
        Any card of this orientation.
    qr : {"front", "back"}
        The side with the code.
    inset : float
        Least distance of the symbol from the cut lines, millimetres.
    """
    quiet = quiet_zone(SMALLEST_SYMBOL_MM)
    rim = max(quiet, inset)
    symbol = rim + SMALLEST_SYMBOL_MM + quiet
    under = symbol + CAPTION_HEIGHT_MM + MARGIN_MM
    if qr == "back":
        return SMALLEST_SYMBOL_MM + 2 * rim, under
    if width_mm >= height_mm:
        return symbol + SMALLEST_PICTURE_MM + MARGIN_MM, under
    return symbol + CAPTION_WIDTH_MM + CAPTION_MARGIN_MM, symbol + SMALLEST_PICTURE_MM + MARGIN_MM


def check_printable(card: "CardLayout") -> None:
    """Check that the symbol of a card to print is far enough from the cut lines.

    Raises
    ------
    PaperError
        If the card is too small for a symbol 5.5 mm inside its cut lines.
    """
    least = smallest_card(card.width_mm, card.height_mm, card.qr)
    if not _fits(card.width_mm, card.height_mm, least):
        raise _too_small(card.width_mm, card.height_mm, card.qr, least)


def _too_small(
    width_mm: float, height_mm: float, qr: str, least: tuple[float, float]
) -> PaperError:
    sizes = {
        "width": f"{width_mm:g}",
        "height": f"{height_mm:g}",
        "narrowest": f"{math.ceil(least[0])}",
        "lowest": f"{math.ceil(least[1])}",
    }
    if qr == "front":
        return PaperError(
            Wording(
                "a card of %(width)s x %(height)s mm is too small for its code on the front; "
                "make it at least %(narrowest)s x %(lowest)s mm",
                **sizes,
            )
        )
    return PaperError(
        Wording(
            "a card of %(width)s x %(height)s mm is too small for its code on the back; make it "
            "at least %(narrowest)s x %(lowest)s mm",
            **sizes,
        )
    )


def _check_size(width_mm: float, height_mm: float, qr: str) -> None:
    # Cards of earlier decks may be smaller than those printed now, and must remain readable.
    least = smallest_card(width_mm, height_mm, qr, inset=0.0)
    if not _fits(width_mm, height_mm, least):
        raise _too_small(width_mm, height_mm, qr, smallest_card(width_mm, height_mm, qr))


@dataclass(frozen=True)
class CardLayout:
    """The layout of a card, which follows from its size and the side of its code.

    Parameters
    ----------
    width_mm, height_mm : float
        Size of the trimmed card.
    qr : {"front", "back"}
        The side with the code.

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
        """The symbol without its quiet zone, on the side with the code."""
        x, y, side = symbol_square(self.width_mm, self.height_mm, self.qr)
        return Box(x, y, side, side)

    @property
    def picture(self) -> Box:
        """The sketch area on the front."""
        width, height = self.width_mm - 2 * MARGIN_MM, self.height_mm - 2 * MARGIN_MM
        if self.qr == "front":
            side = self.symbol.width
            rim = max(quiet_zone(side), _inset(self.width_mm, self.height_mm, self.qr))
            taken = rim + side + quiet_zone(side) - MARGIN_MM + 1.0
            if self.width_mm >= self.height_mm:
                width -= taken
            else:
                height -= taken
        return Box(MARGIN_MM, MARGIN_MM, width, height)

    @property
    def caption(self) -> Box:
        """The caption area: below the symbol, or to its right on portrait cards with the code on
        the front."""
        symbol = self.symbol
        quiet = quiet_zone(symbol.width)
        if self.qr == "back":
            top = symbol.y + symbol.height + quiet
            return Box(MARGIN_MM, top, self.width_mm - 2 * MARGIN_MM, CAPTION_HEIGHT_MM)
        if self.width_mm >= self.height_mm:
            top = symbol.y + symbol.height + quiet
            width = self.width_mm - symbol.x - CAPTION_MARGIN_MM
            return Box(symbol.x, top, width, CAPTION_HEIGHT_MM)
        left = symbol.x + symbol.width + quiet
        return Box(left, symbol.y, self.width_mm - left - CAPTION_MARGIN_MM, CAPTION_HEIGHT_MM)
