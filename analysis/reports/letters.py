"""Compact letter display: systems that share a letter do not differ significantly.

References
----------
.. [1] H.-P. Piepho, "An algorithm for a letter-based representation of all-pairwise comparisons",
   Journal of Computational and Graphical Statistics 13 (2004) 456-466.
"""

from collections.abc import Iterable, Sequence
from itertools import count, product
from string import ascii_lowercase


def compact_letters(systems: Sequence[str], differing: Iterable[tuple[str, str]]) -> list[str]:
    """Assign letters so that two systems share a letter if and only if they do not differ.

    Parameters
    ----------
    systems : sequence of str
        Best first; the best has the letter a.
    differing : iterable of (str, str)
        Pairs that differ significantly, after correction for their number.

    Returns
    -------
    list of str
        Letters of each system, in the same order.

    Examples
    --------
    >>> compact_letters(["best", "middle", "worst"], [("best", "worst")])
    ['a', 'ab', 'b']
    >>> compact_letters(["best", "worst"], [])
    ['a', 'a']
    """
    columns = [frozenset(systems)]
    for pair in differing:
        split: list[frozenset[str]] = []
        for column in columns:
            both = set(pair) <= column
            split += [column - {one} for one in pair] if both else [column]
        columns = _absorbed(split)
    place = {name: k for k, name in enumerate(systems)}
    columns = sorted(filter(None, columns), key=lambda column: sorted(place[n] for n in column))
    letters = dict(zip(columns, _letters(), strict=False))
    return ["".join(letters[c] for c in columns if name in c) for name in systems]


def _absorbed(columns: list[frozenset[str]]) -> list[frozenset[str]]:
    """Leave out columns that are subsets of others."""
    distinct = list(dict.fromkeys(columns))
    return [one for one in distinct if not any(one < other for other in distinct)]


def _letters() -> Iterable[str]:
    """a … z, then aa, ab …"""
    for length in count(1):
        yield from map("".join, product(ascii_lowercase, repeat=length))
