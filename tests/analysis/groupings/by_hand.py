"""What the groupings of a set tell, in plain Python: dictionaries, loops and the definitions.

An oracle: slow, and written from the definitions alone. `None` is undefined, -1 is not placed.
"""

from itertools import combinations
from math import sqrt
from statistics import fmean


def bcubed_f(one, other):
    """F of the mean precision and the mean recall, over the stimuli that both placed."""
    placed = [k for k, pair in enumerate(zip(one, other, strict=True)) if min(pair) >= 0]
    if not placed:
        return None

    def mean_share(groups):
        """Mean share of a stimulus's group that is with it on both sides."""
        shares = []
        for k in placed:
            group = [j for j in placed if groups[j] == groups[k]]
            both = [j for j in group if one[j] == one[k] and other[j] == other[k]]
            shares.append(len(both) / len(group))
        return fmean(shares)

    precision, recall = mean_share(one), mean_share(other)
    return 2 * precision * recall / (precision + recall)


def mean_f(people):
    """Mean over pairs of participants where it is defined."""
    found = [bcubed_f(one, other) for one, other in combinations(people, 2)]
    known = [f for f in found if f is not None]
    return fmean(known) if known else None


def similarities(people):
    """Share of those who placed both that put them together, by pair of stimuli."""
    found = {}
    for i, j in combinations(range(len(people[0])), 2):
        both = [row for row in people if row[i] >= 0 and row[j] >= 0]
        if both:
            found[i, j] = fmean(row[i] == row[j] for row in both)
    return found


def correlation(one, other):
    """Pearson's, over the pairs of stimuli that both similarities know."""
    pairs = sorted(one.keys() & other.keys())
    if len(pairs) < 2:
        return None
    x, y = [one[pair] for pair in pairs], [other[pair] for pair in pairs]
    dx, dy = [value - fmean(x) for value in x], [value - fmean(y) for value in y]
    spread = sqrt(sum(d * d for d in dx)) * sqrt(sum(d * d for d in dy))
    return sum(a * b for a, b in zip(dx, dy, strict=True)) / spread if spread > 1e-9 else None


def all_halves(people, size):
    """Correlation of the similarities of every two disjoint samples of so many participants."""
    found = []
    everybody = range(len(people))
    for one in combinations(everybody, size):
        for other in combinations([k for k in everybody if k not in one], size):
            if one < other:
                sides = [similarities([people[k] for k in side]) for side in (one, other)]
                found.append(correlation(*sides))
    return [r for r in found if r is not None]


def longer(r, times):
    """Spearman and Brown: the reliability of a measurement so many times as long."""
    return times * r / (1 + (times - 1) * r) if r > 0 else r
