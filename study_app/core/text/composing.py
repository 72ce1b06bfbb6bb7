"""Composed Unicode (NFC), in a time that grows with the length of the text.

Python sorts the combining marks of a letter in a time that grows with the square of their number:
a hundred thousand of them take 20 seconds, during which no other thread runs.
"""

import unicodedata
from collections.abc import Iterator

# As in Unicode's stream-safe texts (UAX #15): more than any script needs.
MOST_MARKS = 30
# Of shorter texts any marks are sorted quickly.
SHORT = 1000
# Tibetan vowels that are composed of two marks but do not count as marks themselves.
_OF_MARKS = "\u0f73\u0f75\u0f81"


def composed(text: str) -> str:
    """A text in composed Unicode; in a long one, a letter has at most 30 marks."""
    if len(text) > SHORT and not text.isascii():
        text = "".join(_with_few_marks(text))
    return unicodedata.normalize("NFC", text)


def _with_few_marks(text: str) -> Iterator[str]:
    marks = 0
    for character in text:
        is_mark = unicodedata.combining(character) or character in _OF_MARKS
        marks = marks + 1 if is_mark else 0
        if marks <= MOST_MARKS:
            yield character
