"""Partial decks: overlapping parts of a set, so that nobody has to sort all of a large set.

A pair of stimuli can be judged only if both are in the same deck. So parts are built card by card:
the least used stimulus first, and among these the one that shares the fewest decks with the cards
already chosen. Then two decks exchange two stimuli whenever that makes the numbers of shared decks
more even (a smaller sum of squares). The numbers of decks per stimulus differ by at most one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from study_app.core.errors import StudyError
from study_app.core.text.languages import rgettext

LARGEST_SET = 5000
# Exchanges are tried until no exchange helps, or this many table cells have been examined.
MOST_CELLS = 1_500_000_000


# Whether each deck has each stimulus, or how many decks two stimuli share.
Table = NDArray[np.float32]


class PartRefused(StudyError):
    """The partial decks are not possible."""


@dataclass(frozen=True)
class Coverage:
    """Numbers of decks that two stimuli of a set share.

    Attributes
    ----------
    least, mean : float
        Least and mean number of decks that a pair shares.
    never : int
        Number of pairs that share no deck.
    pairs : int
    """

    least: int
    mean: float
    never: int
    pairs: int

    def sentence(self) -> str:
        """The numbers in a sentence."""
        mean = f"{self.mean:.2g}"
        if not self.never:
            return rgettext(
                "Each pair of sketches is in %(mean)s decks on average, and in at least %(least)s.",
                mean=mean,
                least=self.least,
            )
        return rgettext(
            "Each pair of sketches is in %(mean)s decks on average, and in at least %(least)s; "
            "%(never)s of %(pairs)s pairs are in none: print more decks.",
            mean=mean,
            least=self.least,
            never=f"{self.never:,}",
            pairs=f"{self.pairs:,}",
        )


@lru_cache(maxsize=64)
def draw_parts(stimuli: int, size: int, decks: int, seed: int) -> tuple[tuple[int, ...], ...]:
    """Assign stimuli to balanced overlapping parts.

    Parameters
    ----------
    stimuli : int
        Number of stimuli in the set.
    size : int
        Cards in each deck.
    decks : int
    seed : int
        Random seed.

    Returns
    -------
    tuple of tuples of int
        For each deck, positions in the set, ascending.

    Raises
    ------
    PartRefused
        If a part is larger than the set, or has fewer than two stimuli.
    """
    if not 2 <= size <= stimuli:
        raise PartRefused(
            rgettext(
                "A part has 2 to %(stimuli)s of %(stimuli)s sketches, not %(size)s.",
                stimuli=stimuli,
                size=size,
            )
        )
    if stimuli > LARGEST_SET:
        raise PartRefused(
            rgettext(
                "Partial decks are possible for sets of up to %(largest_set)s sketches.",
                largest_set=format(LARGEST_SET, ","),
            )
        )
    inside = _dealt(stimuli, size, decks, np.random.default_rng(seed))
    _exchange(inside)
    return tuple(tuple(np.flatnonzero(row).tolist()) for row in inside)


def _dealt(stimuli: int, size: int, decks: int, random: np.random.Generator) -> Table:
    """Build one part after the other, with ties broken at random."""
    inside = np.zeros((decks, stimuli), np.float32)
    met = np.zeros((stimuli, stimuli), np.float32)
    for row in inside:
        # First by use, then by shared decks, then at random.
        rank = inside.sum(axis=0, dtype=np.float64) * 1e9 + random.permutation(stimuli) / stimuli
        for _ in range(size):
            chosen = rank.argmin()
            row[chosen] = 1
            rank += met[chosen]
            rank[chosen] = np.inf
        met += np.outer(row, row)
    return inside


def _exchange(inside: Table) -> None:
    """Exchange two stimuli between two decks whenever pairs are then more balanced; in place.

    If s moves from deck d to deck e and t the other way, the sum of squares changes by 2 (sum over
    the others x of (e - d)[x] (met[s, x] - met[t, x]) + their number in d or e alone).
    """
    decks, stimuli = inside.shape
    met = inside.T @ inside
    np.fill_diagonal(met, 0)
    pairs = [(d, e) for d in range(decks) for e in range(decks) if d < e]
    budget, since_last = MOST_CELLS // stimuli**2, 0
    while pairs and budget > 0 and since_last < len(pairs):
        d, e = pairs[budget % len(pairs)]
        budget, since_last = budget - 1, since_last + 1
        while swap := _best_exchange(met, inside[d], inside[e]):
            _apply(met, inside, (d, e), swap)
            budget, since_last = budget - 1, 0


def _best_exchange(met: Table, d: Table, e: Table) -> tuple[int, int] | None:
    """The best exchange of an s only in d and a t only in e, or None."""
    difference = e - d
    only_d, only_e = np.flatnonzero(difference < 0), np.flatnonzero(difference > 0)
    if not len(only_d) or not len(only_e):
        return None
    pull = met @ difference
    change = pull[only_d][:, None] - pull[only_e] - 2 * met[np.ix_(only_d, only_e)]
    change += len(only_d) + len(only_e) - 2
    best = np.unravel_index(change.argmin(), change.shape)
    return (only_d[best[0]], only_e[best[1]]) if change[best] < 0 else None


def _apply(met: Table, inside: Table, decks: tuple[int, int], swap: tuple[int, int]) -> None:
    (d, e), (s, t) = decks, swap
    moved = inside[e] - inside[d]
    moved[[s, t]] = 0
    for stimulus, change in ((s, moved), (t, -moved)):
        met[stimulus] += change
        met[:, stimulus] += change
    inside[d, [s, t]] = 0, 1
    inside[e, [s, t]] = 1, 0


@lru_cache(maxsize=64)
def coverage(stimuli: int, parts: Sequence[Sequence[int]]) -> Coverage:
    """Count how many parts the pairs of a set share.

    Parameters
    ----------
    stimuli : int
        In the set; at least two.
    parts : sequence of sequences of int
        From `draw_parts`.
    """
    inside = np.zeros((len(parts), stimuli), np.float32)
    for row, part in enumerate(parts):
        inside[row, list(part)] = 1
    met = (inside.T @ inside)[np.triu_indices(stimuli, 1)]
    return Coverage(int(met.min()), float(met.mean()), int((met == 0).sum()), len(met))
