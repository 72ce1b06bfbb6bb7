"""Sentences on some of several photos, with the numbers of these."""

from collections.abc import Sequence
from itertools import chain, groupby

from basics.wordings import Wording
from study_app.core.text.languages import translatable


def of_some(words: str, numbers: Sequence[int], count: int) -> str:
    """A sentence on some of so many photos, with their numbers if there are several photos.

    Examples
    --------
    >>> of_some("No card was found.", [1, 2, 3, 5], 6)
    'Photos 1–3 and 5: No card was found.'
    """
    if count == 1:
        return words
    if len(numbers) == 1:
        return Wording(translatable("Photo %(number)s: %(words)s"), number=numbers[0], words=words)
    return Wording(
        translatable("Photos %(numbers)s: %(words)s"), numbers=listed(numbers), words=words
    )


def listed(numbers: Sequence[int]) -> str:
    """Ascending numbers in words, at least one; three or more in a row as a range.

    Examples
    --------
    >>> str(listed([4, 7, 8, 9, 12]))
    '4, 7–9 and 12'
    """
    *most, last = _ranges(numbers)
    return Wording("%(most)s and %(last)s", most=", ".join(most), last=last) if most else last


def _ranges(numbers: Sequence[int]) -> list[str]:
    """Each number or range of numbers in words."""
    together = groupby(enumerate(numbers), lambda at: at[1] - at[0])
    rows = [[number for _, number in row] for _, row in together]
    each = ([f"{row[0]}–{row[-1]}"] if len(row) > 2 else map(str, row) for row in rows)
    return list(chain.from_iterable(each))
