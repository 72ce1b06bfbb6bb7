"""Groupings: time of agreement, co-grouping, chance and a whole set, each beside its floor or peer.

Floor and ours take turns in one process; a ratio is the median over the rounds of ours over floor.

    python -m tests.bench.bench_groupings
"""

import argparse
import statistics
import time

import numpy as np
from scipy import sparse
from sklearn.metrics.cluster import contingency_matrix

from analysis.groupings.chance import random_agreement
from analysis.groupings.pair_agreement import bcubed_pairs
from analysis.groupings.set_agreement import study_set
from analysis.groupings.similarity import cogrouping_counts


def sorted_stimuli(participants, stimuli, groups, noise=0.5, seed=0):
    """Groupings around a common one: each place is somebody's own whim with a chance of `noise`."""
    rng = np.random.default_rng(seed)
    common = rng.integers(0, groups, stimuli)
    own = rng.integers(0, groups, (participants, stimuli))
    return np.where(rng.random(own.shape) < noise, own, common)


def all_pairs(array):
    return [(r, s) for r in range(len(array)) for s in range(r + 1, len(array))]


def bincount_a_pair(array):
    """Nothing but the contingency table of each pair, by one bincount."""
    width = int(array.max()) + 1
    for r, s in all_pairs(array):
        np.bincount(array[r] * width + array[s], minlength=width * width)


def bcubed_from_bincounts(array):
    """The same, reduced to BCubed F."""
    width, n = int(array.max()) + 1, array.shape[1]
    sizes = [np.maximum(np.bincount(row, minlength=width), 1) for row in array]
    for r, s in all_pairs(array):
        table = np.bincount(array[r] * width + array[s], minlength=width * width)
        squares = table.reshape(width, width) ** 2
        precision = (squares.sum(1) / sizes[r]).sum() / n
        recall = (squares.sum(0) / sizes[s]).sum() / n
        _ = 2 * precision * recall / (precision + recall)


def scikit_learn_a_pair(array):
    for r, s in all_pairs(array):
        contingency_matrix(array[r], array[s])


def sparse_product(array):
    """Both counts' worth of work: the memberships as one sparse matrix, times its transpose."""
    participants, stimuli = array.shape
    width = int(array.max()) + 1
    columns = (array + np.arange(participants)[:, None] * width).T.ravel()
    memberships = sparse.csr_array(
        (
            np.ones(array.size, dtype=np.int32),
            columns,
            np.arange(0, array.size + 1, participants),
        ),
        shape=(stimuli, participants * width),
    )
    return memberships @ memberships.T


def draw_permutations(array, draws=1000):
    rng = np.random.default_rng(0)
    return rng.permuted(np.broadcast_to(array, (draws, *array.shape)), axis=2)


def random_f(array):
    """Draw the same number of groupings, and BCubed F of all 36 pairs in each."""
    return random_agreement(array, 1000, 0)


def seconds(function, *arguments):
    """Wall time and the processor's time; only the latter means much on a loaded machine."""
    wall, busy = time.perf_counter(), time.process_time()
    function(*arguments)
    return time.perf_counter() - wall, time.process_time() - busy


def compare(name, ours, floor, array, rounds):
    """Take turns, and print the medians and the median ratio, by the clock and by the processor."""
    ours(array)
    turns = [(seconds(floor, array), seconds(ours, array)) for _ in range(rounds)]
    cells = []
    for kind in (0, 1):
        pairs = [(a[kind], b[kind]) for a, b in turns]
        theirs, own = (statistics.median(column) * 1e3 for column in zip(*pairs, strict=True))
        ratio = statistics.median(b / a for a, b in pairs)
        cells.append(f"{theirs:>10.1f}{own:>10.1f}{ratio:>7.2f}")
    print(f"{name:<48}{''.join(cells)}")


def alone(name, function, array, rounds):
    wall, busy = (
        statistics.median(column) * 1e3
        for column in zip(*(seconds(function, array) for _ in range(rounds)), strict=True)
    )
    print(f"{name:<48}{'':>10}{wall:>10.1f}{'':>17}{busy:>10.1f}")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=7)
    rounds = options.parse_args().rounds
    print(f"{'ours beside':<48}" + f"{'floor ms':>10}{'ours ms':>10}{'ratio':>7}" * 2)
    print(f"{'':<48}{'(by the clock)':>27}{'(processor)':>27}")
    many = sorted_stimuli(100, 2000, 20)
    finer = sorted_stimuli(100, 2000, 60)
    table = sorted_stimuli(9, 300, 20)
    parts = np.where(np.random.default_rng(1).random(many.shape) < 0.3, -1, many)
    for name, ours, floor, array in (
        ("BCubed, Rand, 4,950 pairs: bincount a pair", bcubed_pairs, bincount_a_pair, many),
        ("the same: bincount a pair and its F", bcubed_pairs, bcubed_from_bincounts, many),
        ("the same, 60 groups: bincount and F", bcubed_pairs, bcubed_from_bincounts, finer),
        ("the same, 20 groups: scikit-learn's table", bcubed_pairs, scikit_learn_a_pair, many),
        ("co-grouping 100 x 2,000: sparse product", cogrouping_counts, sparse_product, many),
        ("F of 1,000 draws of 9 x 300: drawing", random_f, draw_permutations, table),
    ):
        compare(name, ours, floor, array, rounds)
    alone("a whole set, 9 x 300, 1,000 draws", study_set, table, rounds)
    alone("a whole set, 9 x 300 in parts, 1,000 draws", study_set, parts[:9, :300], rounds)
    alone("BCubed, Rand, 4,950 pairs, 30 % not placed", bcubed_pairs, parts, rounds)
    alone("a whole set, 100 x 2,000, 1,000 draws", study_set, many, 1)


if __name__ == "__main__":
    main()
