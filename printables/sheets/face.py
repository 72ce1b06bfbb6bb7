"""The two sides of a card: sketch, symbol and caption.

A face consists of plain shapes in millimetres from the card's upper left corner, so that the PDF
and the preview in a browser show the same. The caption is outside the symbol's quiet zone. On the
back everything is at least 3 mm from the edge, because printers shift the two sides of a sheet
against each other by up to 3 mm.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from basics.wordings import Wording
from printables.artwork.fonts import MM_PER_POINT, typeface
from printables.artwork.pictures import Picture
from printables.cards.card import Box, CardLayout, quiet_zone
from printables.cards.codes import CardCode, deck_letter, encode, header_code, header_group
from printables.errors import PaperError

SET_PT, SMALLEST_SET_PT, GROUP_PT, HINT_PT = 7.5, 5.5, 26.0, 7.0
CARD_PT, SMALLEST_CARD_PT = 7.0, 4.5
INK, QUIET, HAIRLINE = 0.0, 0.4, 0.8


@dataclass(frozen=True)
class TextLine:
    """One line of text.

    Parameters
    ----------
    text : str
    x, y : float
        Start of its baseline, or its centre if `centred`, millimetres.
    size_pt : float
        Font size, points.
    bold, centred : bool
    grey : float
        0 black to 1 white.
    """

    text: str
    x: float
    y: float
    size_pt: float
    bold: bool = False
    centred: bool = False
    grey: float = INK


@dataclass(frozen=True)
class Line:
    """A hairline between two points, in millimetres."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True)
class CardFace:
    """One side of a card.

    Attributes
    ----------
    picture, symbol : Box or None
        Sketch area and symbol (without its quiet zone); None if they are on the other side.
    words : tuple of TextLine
    lines : tuple of Line
    """

    picture: Box | None
    symbol: Box | None
    words: tuple[TextLine, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class CardWords:
    """The words on cards, in one language.

    Parameters
    ----------
    card, short : str
        Card number and deck, with the placeholders ``%(number)s`` and ``%(letter)s``; `short` is
        for small cards.
    group : str
        Name of a group, with the placeholder ``%(number)s``.
    start, header : str
        Instruction and name of a header card.
    """

    card: str = "Card %(number)s · Deck %(letter)s"
    short: str = "%(number)s · Deck %(letter)s"
    group: str = "Group %(number)s"
    start: str = "scan to start this group"
    header: str = "header card"


ENGLISH = CardWords()


@dataclass(frozen=True)
class Card:
    """A card to print.

    Parameters
    ----------
    code : CardCode
    set_name, stimulus : str
        The set's name is printed on the card; the stimulus's name is only in the manifest.
    picture : path or Strokes, optional
        The sketch; None on header cards.
    words : CardWords, optional
        In English by default.
    """

    code: CardCode
    set_name: str
    stimulus: str
    picture: Picture | None = None
    words: CardWords = ENGLISH

    @property
    def deck(self) -> str:
        """The deck's letter; empty on a header card."""
        return deck_letter(self.code.deck) if self.code.deck else ""


@dataclass(frozen=True)
class SetOfCards:
    """A stimulus set to print.

    Parameters
    ----------
    number : int
        1 to 9999, unique in an installation.
    name : str
    stimuli : tuple of (card number, stimulus name, picture)
    edition : int
        0 to 9; increase it if a set is printed with changed sketches.
    """

    number: int
    name: str
    stimuli: tuple[tuple[int, str, Picture | None], ...]
    edition: int = 1

    def deck(self, deck: int, only: Iterable[int] | None = None) -> list[Card]:
        """The cards of one printed copy of the set.

        Parameters
        ----------
        deck : int
            1 is A, 2 is B, …
        only : iterable of int, optional
            Only these card numbers, to replace lost cards.

        Returns
        -------
        list of Card

        Raises
        ------
        PaperError
            If the set is empty, two stimuli have the same card number, or `only` has a card that is
            not in the set.
        """
        numbers = {number for number, _, _ in self.stimuli}
        wanted = numbers if only is None else set(only)
        if not numbers:
            raise PaperError(
                Wording("set %(name)s has no sketches; import some first", name=self.name)
            )
        if len(numbers) < len(self.stimuli):
            raise PaperError(
                Wording("set %(name)s has two sketches with the same card number", name=self.name)
            )
        if wanted - numbers:
            raise PaperError(
                Wording(
                    "set %(name)s has no card %(card)s",
                    name=self.name,
                    card=min(wanted - numbers),
                )
            )
        return [
            Card(CardCode(self.number, number, deck, self.edition), self.name, stimulus, picture)
            for number, stimulus, picture in self.stimuli
            if number in wanted
        ]


def header_cards(groups: int) -> list[Card]:
    """Make header cards "Group 1", "Group 2", …; scanning one starts its group.

    Parameters
    ----------
    groups : int
        Number of cards.

    Returns
    -------
    list of Card
    """
    return [Card(header_code(group), "", f"Group {group}") for group in range(1, groups + 1)]


def front(card: Card, layout: CardLayout) -> CardFace:
    """Lay out the front of a card."""
    words = _group_words(card, layout.picture)
    if layout.qr == "back":
        return CardFace(layout.picture, None, words, ())
    caption = _caption(card, layout)
    return CardFace(layout.picture, layout.symbol, words + caption, (_divider(layout),))


def back(card: Card, layout: CardLayout) -> CardFace:
    """Lay out the back of a card, for cards with the code on the back."""
    return CardFace(None, layout.symbol, _caption(card, layout), ())


def spaced_digits(code: str) -> str:
    """Insert spaces between a code's set, card, deck, edition and check digits."""
    return " ".join((code[:4], code[4:9], code[9:11], code[11:12], code[12:]))


def printed_name(set_number: int, set_name: str) -> str:
    """The set's name as printed: "Set 7" if no font has one of its characters.

    Parameters
    ----------
    set_number : int
    set_name : str

    Returns
    -------
    str

    Examples
    --------
    >>> printed_name(7, "chairs"), printed_name(7, "𒀀")
    ('chairs', 'Set 7')
    """
    return set_name if typeface(bold=True).can_show(set_name) else f"Set {set_number}"


def _caption(card: Card, layout: CardLayout) -> tuple[TextLine, ...]:
    """The caption: the code's digits, as wide as the symbol, then set, card and deck in words."""
    box, centred = layout.caption, layout.qr == "back"
    x = box.x + box.width / 2 if centred else box.x
    regular, bold = typeface(), typeface(bold=True)
    number = spaced_digits(encode(card.code))
    size = min(box.width, layout.symbol.width) / regular.width_mm(number, 1)
    group = header_group(card.code)
    name = printed_name(card.code.set_number, card.set_name)
    name = name if group is None else card.words.group % {"number": group}
    whose, card_pt = _number_and_deck(card, box.width)
    whose = whose if group is None else card.words.header
    set_pt = max(SMALLEST_SET_PT, min(SET_PT, box.width / max(bold.width_mm(name, 1), 1e-9)))
    return (
        TextLine(number, x, box.y + 1.9, size, centred=centred, grey=QUIET),
        TextLine(bold.shorten(name, set_pt, box.width), x, box.y + 5.9, set_pt, True, centred),
        TextLine(whose, x, box.y + 9.1, card_pt, centred=centred),
    )


def _number_and_deck(card: Card, room: float) -> tuple[str, float]:
    """Card and deck in words, without "Card" if the text would be too small; and its font size."""
    for wording in (card.words.card, card.words.short):
        # The same font size for a whole set, whatever the number of digits.
        widest = wording % {"number": max(card.code.card, 9999), "letter": card.deck}
        size = min(CARD_PT, room / typeface().width_mm(widest, 1))
        if size >= SMALLEST_CARD_PT:
            break
    return wording % {"number": card.code.card, "letter": card.deck}, size


def _group_words(card: Card, box: Box) -> tuple[TextLine, ...]:
    """Name and instruction on a header card."""
    group = header_group(card.code)
    if group is None:
        return ()
    x, y = box.x + box.width / 2, box.y + box.height / 2
    name, hint = card.words.group % {"number": group}, card.words.start
    size = min(GROUP_PT, 0.8 * box.width / typeface(bold=True).width_mm(name, 1))
    hint_size = min(HINT_PT, box.width / typeface().width_mm(hint, 1))
    return (
        TextLine(name, x, y + 0.36 * size * MM_PER_POINT, size, bold=True, centred=True),
        TextLine(hint, x, y + 8.0, hint_size, centred=True, grey=QUIET),
    )


def _divider(layout: CardLayout) -> Line:
    """The hairline between the sketch and the symbol."""
    quiet = quiet_zone(layout.symbol.width)
    if layout.width_mm >= layout.height_mm:
        x = layout.symbol.x - quiet
        return Line(x, 3.0, x, layout.height_mm - 3.0)
    y = layout.symbol.y - quiet
    return Line(3.0, y, layout.width_mm - 3.0, y)
