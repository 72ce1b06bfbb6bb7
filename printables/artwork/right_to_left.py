"""Arabic and Hebrew lines for printing: letters are joined and put into visual order.

This is a small part of the Unicode bidirectional algorithm, for one line without embeddings. Joined
letters are replaced by Unicode's presentation forms, which DejaVu Sans has.

References
----------
Unicode Standard Annex 9: Unicode Bidirectional Algorithm. The Unicode Standard, 9.2 (Arabic).
"""

import unicodedata
from functools import cache
from itertools import pairwise

PRESENTATION_FORMS = (*range(0xFB50, 0xFC00), *range(0xFE80, 0xFEFD))
LONGEST_LIGATURE = 2
_RTL, _NUMBER = ("R", "AL"), ("EN", "AN")
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


def is_right_to_left(text: str) -> bool:
    """Whether a line contains a letter of a right-to-left script."""
    return any(unicodedata.bidirectional(character) in _RTL for character in text)


def visual_order(text: str) -> str:
    """Join the letters of a line and put them into visual order, from left to right.

    Parameters
    ----------
    text : str
        One line in logical order (as read).

    Returns
    -------
    str
        The same line if it has no right-to-left letters.
    """
    if not is_right_to_left(text):
        return text
    clusters = _clusters(_shaped(text))
    levels = _levels([unicodedata.bidirectional(cluster[0]) for cluster in clusters])
    placed = [
        cluster.translate(_MIRRORED) if level % 2 else cluster
        for cluster, level in zip(clusters, levels, strict=True)
    ]
    for lowest in range(max(levels), 0, -1):
        placed, levels = _with_runs_reversed(placed, levels, lowest)
    return "".join(placed)


def base_letters(character: str) -> str:
    """The letters of a presentation form, for searching and copying text."""
    return (
        unicodedata.normalize("NFKC", character)
        if ord(character) in PRESENTATION_FORMS
        else character
    )


@cache
def _forms() -> dict[str, dict[str, str]]:
    """Presentation forms of each letter or pair of letters: isolated, initial, medial, final."""
    found: dict[str, dict[str, str]] = {}
    for number in PRESENTATION_FORMS:
        name, *letters = unicodedata.decomposition(chr(number)).split() or [""]
        if name and len(letters) <= LONGEST_LIGATURE:
            base = "".join(chr(int(letter, 16)) for letter in letters)
            found.setdefault(base, {})[name.strip("<>")] = chr(number)
    return found


def _shaped(text: str) -> str:
    """The text with presentation forms instead of letters, in logical order."""
    forms, units = _forms(), []
    while text:
        length = LONGEST_LIGATURE if text[:LONGEST_LIGATURE] in forms else 1
        units.append(text[:length])
        text = text[length:]
    # Letters join across combining marks.
    letters = [at for at, unit in enumerate(units) if unicodedata.category(unit[0]) != "Mn"]
    joins = [False] + [
        "initial" in forms.get(units[one], {}) and "final" in forms.get(units[two], {})
        for one, two in pairwise(letters)
    ]
    names = {(False, False): "isolated", (False, True): "initial", (True, True): "medial"}
    for at, before, after in zip(letters, joins, [*joins[1:], False], strict=True):
        name = names.get((before, after), "final")
        units[at] = forms.get(units[at], {}).get(name, units[at])
    return "".join(units)


def _clusters(text: str) -> list[str]:
    """Each character with the combining marks that follow it."""
    found: list[str] = []
    for character in text:
        if found and unicodedata.category(character) == "Mn":
            found[-1] += character
        else:
            found.append(character)
    return found


def _levels(kinds: list[str]) -> list[int]:
    """Embedding levels: even for left-to-right, odd for right-to-left; numbers are even."""
    base = int(next(kind for kind in kinds if kind in ("L", *_RTL)) != "L")
    # A separator between two digits belongs to the number.
    for at in range(1, len(kinds) - 1):
        around = kinds[at - 1], kinds[at + 1]
        if kinds[at] in ("CS", "ES") and around[0] == around[1] and around[0] in _NUMBER:
            kinds[at] = around[0]
    strong, sides = base, []
    for kind in kinds:
        strong = 0 if kind == "L" else 1 if kind in _RTL else strong
        known = kind in ("L", *_RTL, *_NUMBER)
        sides.append(strong if known else None)
    for at, side in enumerate(sides):
        if side is None:
            after = next((one for one in sides[at:] if one is not None), base)
            before = sides[at - 1] if at else base
            sides[at] = after if after == before else base
    return [
        2 if kind in _NUMBER and side else 2 if base and not side else int(bool(side))
        for kind, side in zip(kinds, sides, strict=True)
    ]


def _with_runs_reversed(
    placed: list[str], levels: list[int], lowest: int
) -> tuple[list[str], list[int]]:
    """Reverse every run of at least this level (rule L2 of UAX 9)."""
    start = 0
    while start < len(levels):
        end = start
        while end < len(levels) and levels[end] >= lowest:
            end += 1
        placed[start:end] = placed[start:end][::-1]
        levels[start:end] = levels[start:end][::-1]
        start = end + 1
    return placed, levels
