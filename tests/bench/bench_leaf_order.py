"""The order of a dendrogram's leaves: how often it is the best, and its time beside scipy's.

    python -m tests.bench.bench_leaf_order [--large]

`--large` adds 2,000 stimuli, for which scipy takes half a minute.
"""

import argparse
from time import perf_counter

import numpy as np
from scipy.cluster.hierarchy import leaves_list, optimal_leaf_ordering
from scipy.spatial.distance import squareform

from analysis.groupings.hierarchy import average_linkage, seriate
from analysis.groupings.similarity import cogrouping
from tests.analysis.groupings.test_leaf_order import every_order, random_distances, total
from tests.bench.bench_groupings import sorted_stimuli


def small():
    """Both orders of 24 small matrices beside the best of every order that the tree allows."""
    ours = theirs = 0
    for seed in range(24):
        distances = random_distances(9, seed)
        tree = average_linkage(1 - distances)
        every = every_order(tree, 2 * len(tree))
        least = min(total(distances, np.array(order)) for order in every) + 1e-12
        ours += total(distances, seriate(1 - distances, tree)) <= least
        other = leaves_list(optimal_leaf_ordering(tree, squareform(distances)))
        theirs += total(distances, other) <= least
    print(f"24 matrices of 9 stimuli, at the best order: ours {ours}, scipy's {theirs}")


def timed(stimuli, repeats):
    """Seconds and lengths of ours and scipy's, the two taken in turn."""
    similarity = cogrouping(sorted_stimuli(12, stimuli, stimuli // 15, noise=0.4))
    tree, distances = average_linkage(similarity), 1 - similarity
    np.fill_diagonal(distances, 0)
    condensed = squareform(distances)
    seconds = [[], []]
    for _ in range(repeats):
        start = perf_counter()
        ours = seriate(similarity, tree)
        middle = perf_counter()
        theirs = leaves_list(optimal_leaf_ordering(tree, condensed))
        seconds[0].append(middle - start)
        seconds[1].append(perf_counter() - middle)
    mine, peer = (float(np.median(side)) for side in seconds)
    lengths = total(distances, ours), total(distances, theirs)
    print(
        f"{stimuli:,} stimuli: {mine:.3f} s, scipy {peer:.3f} s, ours/scipy {mine / peer:.2f} "
        f"(wanted <= 2); sum of neighbours {lengths[0]:.2f}, scipy's {lengths[1]:.2f}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true")
    small()
    timed(300, 7)
    if parser.parse_args().large:
        timed(2_000, 1)


if __name__ == "__main__":
    main()
