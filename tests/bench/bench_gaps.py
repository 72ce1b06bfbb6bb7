"""Groups of cards that lie as people leave them rather than as they are asked to.

    python -m tests.bench.bench_gaps --tables 400

People are asked to leave at least 40 mm between groups and at most 25 mm between the cards of a
group. A line is for tables of 60 cards with the greatest distance within groups and the least
between them that it begins with, in millimetres; with *loose*, one card in 50 is up to 25 mm from
its group. Outlines have errors of up to 1 mm. Of each, it prints the share of tables

- exact: whose groups are right, and needless: that are said to be in doubt although they are;
- flagged: whose groups are wrong and said to be in doubt;
- wrong: whose groups are wrong without a doubt.
"""

import argparse

import numpy as np

from printables.scenes.layout import Arrangement, arrange_groups
from printables.tabletop.doubts import close_groups
from printables.tabletop.grouping import group_cards

CARD_MM = (66.0, 46.0)
SIZES = [1, 2, 3, 5, 8, 11, 13, 17]
ASKED_MM = 25.0
LOOSE = 0.02
INSIDE_MM, BETWEEN_MM = (5.0, 10.0, 15.0, 25.0), (20.0, 25.0, 30.0, 40.0)


def table(inside, between, loose, seed):
    """Outlines of a table's cards, in millimetres, and their groups."""
    rng = np.random.default_rng(seed)
    places = arrange_groups(SIZES, CARD_MM, rng, Arrangement(inside, between))
    outlines = np.stack([place.outline(*CARD_MM) for place in places])
    groups = np.array([place.group for place in places])
    outlines += rng.uniform(-1, 1, outlines.shape)
    if loose:
        middles = np.stack([outlines[groups == group].mean((0, 1)) for group in groups])
        away = outlines.mean(1) - middles
        away /= np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
        moved = rng.random(len(outlines)) < LOOSE
        outlines[moved] += (away * rng.uniform(0, ASKED_MM - inside, (len(away), 1)))[moved, None]
    return outlines, groups


def is_exact(found, groups):
    """Whether two numberings of groups are the same partition."""
    pairs = set(zip(found.tolist(), groups.tolist(), strict=True))
    return len(pairs) == len(set(found.tolist())) == len(set(groups.tolist()))


def line(inside, between, loose, tables):
    """The line of one kind of tables."""
    count = dict.fromkeys(("exact", "needless", "flagged", "wrong"), 0)
    for seed in range(tables):
        outlines, groups = table(inside, between, loose, seed)
        found = group_cards(outlines)
        doubt, exact = bool(close_groups(outlines, found, outlines[:0])), is_exact(found, groups)
        count["exact"] += exact
        count["needless" if exact else "flagged"] += doubt
        count["wrong"] += not exact and not doubt
    shares = "".join(f"{number / tables:10.1%}" for number in count.values())
    return f"{inside:8.0f}{between:9.0f}{'loose' if loose else '':>8}{shares}"


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--tables", type=int, default=100)
    chosen = options.parse_args()
    heads = "".join(f"{head:>10}" for head in ("exact", "needless", "flagged", "wrong"))
    print(f"{'within':>8}{'between':>9}{'':8}{heads}")
    for loose in (False, True):
        for inside in INSIDE_MM:
            for between in (mm for mm in BETWEEN_MM if mm > inside):
                print(line(inside, between, loose, chosen.tables), flush=True)


if __name__ == "__main__":
    main()
