"""Card codes: encoding, decoding, drawing, and undoing a scanner's wrong keyboard layout.

A code has 14 digits: set (4), card (5), deck (2), edition (1) and two check digits (ISO 7064 MOD
97-10), which detect every single wrong digit and every transposition of two adjacent digits. Since
it has digits only, each symbol is a QR code of version 1 (21 x 21 modules) with error correction
level H. The mask is fixed, so that the same code always has the same modules.

Set 0000 is reserved for header cards: its card n is "Group n", in no deck.

References
----------
ISO/IEC 7064:2003, check character system MOD 97-10. ISO/IEC 18004:2015, QR Code.
"""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import qrcode
from numpy.typing import NDArray

from basics.wordings import Wording
from printables.cards.keyboards import digit_keys
from printables.errors import PaperError

DIGITS = 14
MODULES = 21
QUIET_MODULES = 4
MASK = 3

_FIELDS = {"set_number": 9999, "card": 99999, "deck": 99, "edition": 9}


@dataclass(frozen=True, order=True)
class CardCode:
    """The identity of one printed card.

    Parameters
    ----------
    set_number : int
        1 to 9999; 0 is reserved for header cards.
    card : int
        1 to 99999.
    deck : int
        1 to 99 (A, B, …); 0 on header cards only.
    edition : int
        0 to 9.

    Raises
    ------
    PaperError
        If a number is out of range.
    """

    set_number: int
    card: int
    deck: int
    edition: int

    def __post_init__(self) -> None:
        for field, most in _FIELDS.items():
            number = getattr(self, field)
            least = 1 if field == "card" else 0
            if not least <= number <= most:
                raise PaperError(
                    Wording(
                        "%(field)s %(number)s must be %(least)s to %(most)s on a card",
                        field=field,
                        number=number,
                        least=least,
                        most=most,
                    )
                )
        if (self.set_number == 0) != (self.deck == 0):
            raise PaperError("set 0 and deck 0 are reserved for header cards; number sets from 1")


def check_digits(digits: str) -> str:
    """Compute the two check digits of a string of digits (ISO 7064 MOD 97-10).

    Examples
    --------
    >>> check_digits("794")
    '44'
    """
    return f"{98 - int(digits) * 100 % 97:02d}"


def encode(code: CardCode) -> str:
    """Encode a card's identity as 14 digits.

    Parameters
    ----------
    code : CardCode

    Returns
    -------
    str
        Set (4), card (5), deck (2), edition (1), check (2).

    Examples
    --------
    >>> encode(CardCode(set_number=1, card=42, deck=1, edition=1))
    '00010004201119'
    """
    body = f"{code.set_number:04d}{code.card:05d}{code.deck:02d}{code.edition:d}"
    return body + check_digits(body)


def decode(text: str) -> CardCode:
    """Decode 14 digits to a card's identity.

    Parameters
    ----------
    text : str
        14 digits.

    Returns
    -------
    CardCode

    Raises
    ------
    PaperError
        If the text is not 14 digits, its check digits are wrong, or a field is out of range.
    """
    if not (text.isascii() and text.isdecimal()):
        raise PaperError(
            Wording(
                "%(text)s is not a card code: a code is %(digits)s digits",
                text=repr(text[:40]),
                digits=DIGITS,
            )
        )
    if len(text) != DIGITS:
        raise PaperError(
            Wording(
                "%(text)s has %(count)s digits; a card code has %(digits)s",
                text=text[:40],
                count=len(text),
                digits=DIGITS,
            )
        )
    if int(text) % 97 != 1:
        raise PaperError(
            Wording(
                "%(text)s fails its check digits: a digit was misread; scan it again", text=text
            )
        )
    return CardCode(int(text[:4]), int(text[4:9]), int(text[9:11]), int(text[11]))


def restore_digits(text: str) -> str:
    """Restore the 14 digits of a code from the text that a hand scanner or a person typed.

    Spaces are ignored and digits of other scripts are converted. Other characters are converted by
    every known keyboard layout (with and without shift, caps lock and number pad). The result is
    accepted only if its check digits are right and all layouts give the same code.

    Parameters
    ----------
    text : str
        One line.

    Returns
    -------
    str
        14 digits.

    Raises
    ------
    PaperError
        If no layout gives a card code, or two layouts give different codes.

    Examples
    --------
    >>> restore_digits("àààéààà'&à&è'é")  # through a French keyboard
    '00020004101742'
    >>> restore_digits("0001 00042 01 1 19")
    '00010004201119'
    """
    typed = "".join(text.split())
    if typed.isascii() and typed.isdecimal():
        decode(typed)
        return typed
    codes = {digits for keys in digit_keys().values() if (digits := _as_typed_on(typed, keys))}
    if len(codes) != 1:
        given = repr(text[:40])
        if codes:
            raise PaperError(
                Wording(
                    "%(given)s could be either of two cards; scan it again or type the number",
                    given=given,
                )
            )
        raise PaperError(
            Wording("%(given)s is not a card code; scan it again or type the number", given=given)
        )
    return codes.pop()


def _as_typed_on(typed: str, keys: dict[str, str]) -> str | None:
    """The code of a text typed on a keyboard layout; None if it is no code."""
    if len(typed) != DIGITS:
        return None
    digits = "".join(keys.get(c) or str(unicodedata.digit(c, "?")) for c in typed)
    try:
        decode(digits)
    except PaperError:
        return None
    return digits


def header_code(group: int) -> CardCode:
    """Make the code of the header card of a group.

    Parameters
    ----------
    group : int
        From 1.

    Returns
    -------
    CardCode
        In set 0.

    Examples
    --------
    >>> encode(header_code(1))
    '00000000100008'
    """
    return CardCode(set_number=0, card=group, deck=0, edition=0)


def header_group(code: CardCode) -> int | None:
    """Find the group of a header card.

    Parameters
    ----------
    code : CardCode

    Returns
    -------
    int or None
        None for the card of a stimulus.
    """
    return code.card if code.set_number == 0 else None


def deck_letter(deck: int) -> str:
    """Convert the number of a deck to its letter: 1 is A, 26 is Z, 27 is AA.

    Parameters
    ----------
    deck : int
        1 to 99.

    Returns
    -------
    str

    Raises
    ------
    PaperError
        If the number is not 1 to 99.
    """
    if not 1 <= deck <= _FIELDS["deck"]:
        raise PaperError(
            Wording("there is no deck %(deck)s; decks are numbered 1 (A) to 99 (CU)", deck=deck)
        )
    first, last = divmod(deck - 1, 26)
    return (chr(ord("A") + first - 1) if first else "") + chr(ord("A") + last)


def deck_number(letter: str) -> int:
    """Convert the letter of a deck to its number: A is 1, Z is 26, AA is 27.

    Parameters
    ----------
    letter : str
        Upper or lower case.

    Returns
    -------
    int
        1 to 99.

    Raises
    ------
    PaperError
        If the text is not the letter of a deck.
    """
    number = 0
    for character in letter.strip().upper():
        if not "A" <= character <= "Z" or number > _FIELDS["deck"]:
            number = 0
            break
        number = number * 26 + ord(character) - ord("A") + 1
    if not 1 <= number <= _FIELDS["deck"]:
        raise PaperError(
            Wording(
                "%(letter)s is not a deck; decks are named A to Z, AA to CU",
                letter=repr(letter[:20]),
            )
        )
    return number


@lru_cache(maxsize=8192)
def symbol(code: str) -> NDArray[np.bool_]:
    """Draw a code as a QR symbol.

    Parameters
    ----------
    code : str
        14 digits, from `encode`.

    Returns
    -------
    bool array, shape (21, 21)
        True where a module is dark, without the quiet zone; read-only.

    Raises
    ------
    PaperError
        If the text is not a card code.
    """
    decode(code)
    drawn = qrcode.QRCode(
        version=1,
        error_correction=qrcode.constants.ERROR_CORRECT_H,
        mask_pattern=MASK,
        border=0,
    )
    drawn.add_data(code, optimize=0)
    drawn.make(fit=False)
    modules = np.array(drawn.modules, dtype=bool)
    modules.setflags(write=False)
    return modules
