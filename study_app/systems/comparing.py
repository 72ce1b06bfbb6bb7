"""Systems compared two by two, in the words of a page."""

from math import isnan

# Up to so many pairs, a page lists them all; a system's own page lists its own always.
MOST_LISTED = 45
SURE = 0.05


def told(names, pairs, difference, p, p_holm):
    """Every two systems, the better one first; the surest differences at the top."""
    rows = [
        {
            "first": names[a if gap >= 0 else b],
            "second": names[b if gap >= 0 else a],
            "difference": abs(gap),
            "p": chance,
            "p_holm": corrected,
        }
        for (a, b), gap, chance, corrected in zip(
            pairs.tolist(), difference.tolist(), p.tolist(), p_holm.tolist(), strict=True
        )
    ]
    return sorted(rows, key=lambda row: (isnan(row["p_holm"]), row["p_holm"], row["p"]))


def standing(compared):
    """How many others each system is surely better, and surely worse than, by its name."""
    counts = {}
    for row in compared:
        for name in (row["first"], row["second"]):
            counts.setdefault(name, [0, 0])
        if row["p_holm"] < SURE:
            counts[row["first"]][0] += 1
            counts[row["second"]][1] += 1
    return counts


def of_one(compared, name):
    """The comparisons of one system with the others, from its side: the least difference first."""
    rows = []
    for row in compared:
        if name in (row["first"], row["second"]):
            better = name == row["first"]
            other = row["second"] if better else row["first"]
            gap = row["difference"] if better else -row["difference"]
            rows.append({"other": other, "gap": gap, "p": row["p"], "p_holm": row["p_holm"]})
    return sorted(rows, key=lambda row: (isnan(row["gap"]), -row["gap"], row["other"]))
