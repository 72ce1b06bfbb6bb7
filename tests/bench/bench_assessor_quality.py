"""Which sittings the quality page of assessors points out, among careful ones.

Each set has 60 cards in 12 groups of the same size. Careful assessors put a card astray with a
probability of .1 to .4, each their own, and take 20 minutes, give or take. One assessor of each set
is careless: puts all cards on one `pile`, deals them out at `random`, or is in a `hurry` and done
in 4 minutes with more cards astray (.5).

    python -m tests.bench.bench_assessor_quality [--sets 300]

`found` is the share of careless sittings with a flag (sensitivity), `false` the share of careful
ones with a flag (false alarms).
"""

import argparse

import numpy as np

from analysis.groupings.pair_agreement import bcubed_pairs
from study_app.sittings.chance import chances
from study_app.sittings.quality import Sorting, flagged

CARDS, GROUPS = 60, 12
KINDS = ("pile", "random", "hurry")


def main():
    """Print one row for each number of assessors."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=300)
    parser.add_argument("--assessors", type=int, nargs="+", default=[5, 9, 20])
    chosen = parser.parse_args()
    print(f"{'assessors':>9}{'pile':>8}{'random':>8}{'hurry':>8}{'false':>8}")
    for assessors in chosen.assessors:
        draw = np.random.default_rng(assessors)
        found, false = dict.fromkeys(KINDS, 0), 0
        for at in range(chosen.sets):
            kind = KINDS[at % len(KINDS)]
            first, *careful = flagged(_sortings(assessors, kind, draw))
            found[kind] += bool(first.flags)
            false += sum(bool(one.flags) for one in careful)
        each = chosen.sets / len(KINDS)
        rates = [count / each for count in found.values()]
        rates.append(false / (chosen.sets * (assessors - 1)))
        print(f"{assessors:>9}" + "".join(f"{rate:>8.0%}" for rate in rates), flush=True)


def _sortings(assessors, kind, draw):
    """One set, the careless sitting first."""
    rows = [_sorted(draw, draw.uniform(0.1, 0.4)) for _ in range(assessors)]
    minutes = 20 * draw.lognormal(0, 0.3, assessors)
    if kind == "pile":
        rows[0] = np.zeros(CARDS, dtype=int)
    elif kind == "random":
        rows[0] = draw.integers(0, GROUPS, CARDS)
    else:
        rows[0], minutes[0] = _sorted(draw, 0.5), 4
    matrix = np.stack(rows)
    f = bcubed_pairs(matrix).f.copy()
    np.fill_diagonal(f, np.nan)
    chance = chances(matrix)
    return [
        Sorting(
            set="s",
            assessor=f"P{at}",
            sitting=f"T{at}",
            placed=CARDS,
            groups=len(np.unique(row)),
            largest=int(np.bincount(row).max()),
            alone=int((np.bincount(row) == 1).sum()),
            minutes=float(minutes[at]),
            agreement=float(np.nanmean(f[at])),
            chance=chance[at],
        )
        for at, row in enumerate(rows)
    ]


def _sorted(draw, astray):
    """Groups of all cards, some of them astray."""
    row = np.arange(CARDS) % GROUPS
    moved = draw.random(CARDS) < astray
    return np.where(moved, draw.integers(0, GROUPS, CARDS), row)


if __name__ == "__main__":
    main()
