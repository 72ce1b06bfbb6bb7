"""Groups of cards that lie as people leave them rather than as they are asked to.

    python -m tests.bench.bench_gaps --tables 200

People are asked to leave at least 40 mm between groups and at most 25 mm between the cards of a
group. A line is for tables of 60 cards in rows of groups, with cards up to the first distance apart
within groups, and the next two between neighbouring groups, in millimetres. On *loose* tables one
card in 50 is up to 25 mm from its group, on *gaps* one in 20 is missing. Outlines have errors of
up to 1 mm. A line says the share of tables

- exact: whose groups are right, and needless: that are said to be in doubt although they are;
- flagged: whose groups are wrong and said to be in doubt;
- wrong: whose groups are wrong without a warning.
"""

import argparse

import numpy as np

from printables.tabletop.doubts import close_groups
from printables.tabletop.grouping import group_cards

CARD_MM = np.array([66.0, 46.0])
SIZES = (1, 2, 3, 5, 8, 11, 13, 17)
ASKED_MM, LOOSE, MISSING, ERROR_MM = 25.0, 0.02, 0.05, 1.0
INSIDE_MM = (5.0, 15.0, 25.0)
BETWEEN_MM = ((20.0, 30.0), (25.0, 40.0), (25.0, 60.0), (40.0, 60.0))
KINDS = ("", "loose", "gaps")


def group(size, inside, rng):
    """Upper left corners of a group's cards, in rows and columns that are up to `inside` apart."""
    columns = max(round((0.7 * size) ** 0.5), 1)
    place = np.stack(np.divmod(np.arange(size), columns)[::-1], -1).astype(float)
    steps = (CARD_MM + 0.6 * inside) * place
    return steps + rng.uniform(-0.2, 0.2, (size, 2)) * inside


def table(inside, between, kind, seed):
    """Outlines of a table's cards, in millimetres, and their groups."""
    rng = np.random.default_rng(seed)
    corners, groups, down = [], [], 0.0
    for row in np.array_split(rng.permutation(len(SIZES)), 3):
        across, lowest = 0.0, down
        for number in row:
            cards = group(SIZES[number], inside, rng)
            cards += [across, down] - cards.min(0)
            corners.append(cards)
            groups += [int(number)] * len(cards)
            right, under = cards.max(0) + CARD_MM
            across, lowest = right + rng.uniform(*between), max(lowest, under)
        down = lowest + rng.uniform(*between)
    places, labels = np.concatenate(corners), np.array(groups)
    if kind == "loose":
        moved = rng.random(len(places)) < LOOSE
        places[moved, 1] += rng.uniform(0, ASKED_MM - inside, moved.sum())
    ends = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * CARD_MM
    outlines = places[:, None] + ends + rng.uniform(-ERROR_MM, ERROR_MM, (len(places), 1, 2))
    kept = rng.random(len(places)) >= (MISSING if kind == "gaps" else 0)
    return outlines[kept], labels[kept]


def is_exact(found, groups):
    """Whether two numberings of groups are the same partition."""
    pairs = set(zip(found.tolist(), groups.tolist(), strict=True))
    return len(pairs) == len(set(found.tolist())) == len(set(groups.tolist()))


def line(inside, between, kind, tables):
    """The line of one kind of tables."""
    count = dict.fromkeys(("exact", "needless", "flagged", "wrong"), 0)
    for seed in range(tables):
        outlines, groups = table(inside, between, kind, seed)
        found = group_cards(outlines)
        doubt = bool(close_groups(outlines, found, outlines[:0]))
        exact = is_exact(found, groups)
        count["exact"] += exact
        count["needless" if exact else "flagged"] += doubt
        count["wrong"] += not exact and not doubt
    shares = "".join(f"{number / tables:10.1%}" for number in count.values())
    return f"{inside:8.0f}{between[0]:9.0f}{between[1]:5.0f}{kind:>8}{shares}"


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--tables", type=int, default=100)
    chosen = options.parse_args()
    heads = "".join(f"{head:>10}" for head in ("exact", "needless", "flagged", "wrong"))
    print(f"{'within':>8}{'between':>14}{'':8}{heads}")
    for kind in KINDS:
        for inside in INSIDE_MM:
            for between in (limits for limits in BETWEEN_MM if limits[0] > inside):
                print(line(inside, between, kind, chosen.tables), flush=True)


if __name__ == "__main__":
    main()
