"""Results for the groupings of a set, in plain Python with dictionaries and loops.

A reference implementation: slow, and written from the definitions alone. `None` is undefined, -1 is
not placed.
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
        """Mean share of a stimulus's group that is together with it on both sides."""
        shares = []
        for k in placed:
            group = [j for j in placed if groups[j] == groups[k]]
            both = [j for j in group if one[j] == one[k] and other[j] == other[k]]
            shares.append(len(both) / len(group))
        return fmean(shares)

    precision, recall = mean_share(one), mean_share(other)
    return 2 * precision * recall / (precision + recall)


def mean_f(people):
    """Mean over pairs of participants for which it is defined."""
    found = [bcubed_f(one, other) for one, other in combinations(people, 2)]
    known = [f for f in found if f is not None]
    return fmean(known) if known else None


def similarities(people):
    """Share of the participants who placed both who put them together, by pair of stimuli."""
    found = {}
    for i, j in combinations(range(len(people[0])), 2):
        both = [row for row in people if row[i] >= 0 and row[j] >= 0]
        if both:
            found[i, j] = fmean(row[i] == row[j] for row in both)
    return found


def correlation(one, other):
    """Pearson correlation over the pairs of stimuli that are known on both sides."""
    pairs = sorted(one.keys() & other.keys())
    if len(pairs) < 2:
        return None
    x, y = [one[pair] for pair in pairs], [other[pair] for pair in pairs]
    dx, dy = [value - fmean(x) for value in x], [value - fmean(y) for value in y]
    spread = sqrt(sum(d * d for d in dx)) * sqrt(sum(d * d for d in dy))
    return sum(a * b for a, b in zip(dx, dy, strict=True)) / spread if spread > 1e-9 else None


def all_halves(people, size):
    """Correlations of the similarities of all pairs of disjoint samples of a size."""
    found = []
    everybody = range(len(people))
    for one in combinations(everybody, size):
        for other in combinations([k for k in everybody if k not in one], size):
            if one < other:
                sides = [similarities([people[k] for k in side]) for side in (one, other)]
                found.append(correlation(*sides))
    return [r for r in found if r is not None]


def longer(r, times):
    """Spearman-Brown formula: the reliability of a longer measurement."""
    return times * r / (1 + (times - 1) * r) if r > 0 else r
