"""Speed of chance for clusterings and matrices, each beside a plain loop over the same draws.

Medians over repeats, the two sides of a line taken in turn. Run as
``python -m tests.bench.bench_clusterings``; it takes about a minute.
"""

from pathlib import Path

import numpy as np

from analysis import (
    agreement_with,
    cogrouping,
    correlation_with,
    mantel,
    shuffled_agreement,
    study_set,
)
from analysis.clusterings.clustering_evaluation import evaluate_clusterings
from analysis.files.clusterings import SystemClustering
from tests.bench.bench_evaluation import show, timed

RNG = np.random.default_rng(1)


def symmetric(stimuli):
    """A matrix between stimuli."""
    half = RNG.random((stimuli, stimuli))
    return half + half.T


def by_loop(system, people, draws):
    """Mantel's test, one order after the other."""
    upper = np.triu_indices(len(system), 1)
    theirs = people[upper].argsort().argsort()
    ranks = np.zeros(system.shape)
    ranks[upper] = system[upper].argsort().argsort()
    ranks += ranks.T
    for _ in range(draws):
        order = RNG.permutation(len(system))
        np.corrcoef(ranks[order][:, order][upper], theirs)


def matrices():
    """Mantel's test of one matrix and of many, of a table's sketches and of a large set's."""
    for stimuli, draws, repeats in ((300, 1_000, 3), (2_000, 100, 1)):
        system, people = symmetric(stimuli), cogrouping(RNG.integers(0, 25, (31, stimuli)))
        ours, peer = timed(
            lambda a=system, b=people, d=draws: mantel(a, b, d),
            lambda a=system, b=people, d=draws: by_loop(a, b, d),
            repeats=repeats,
        )
        show(f"Mantel's test, {stimuli} stimuli, {draws} draws", ours, peer, "a plain loop")
    many, people = np.stack([symmetric(300) for _ in range(60)]), cogrouping(human_agreement(300))
    (ours,) = timed(lambda: mantel(many, people), repeats=3)
    show("Mantel's test, 300 stimuli, 1,000 draws, a matrix of 60", ours / 60)
    (seconds,) = timed(lambda: correlation_with(many[0], human_agreement(300)), repeats=3)
    show("tau_b and Spearman of a matrix with each of 31 people", seconds)


def human_agreement(stimuli, participants=31):
    """Groupings into 25 groups."""
    return RNG.integers(0, 25, (participants, stimuli))


def clusterings():
    """BCubed of shuffled clusterings, and everything about sixty of them."""
    people = human_agreement(300)
    groups = RNG.integers(0, 25, 300)[:, None] == np.arange(25)
    twice = groups | (RNG.integers(0, 25, 300)[:, None] == np.arange(25))
    for name, membership in (("", groups), ("overlapping ", twice)):

        def loop(membership=membership):
            for _ in range(5):
                agreement_with(membership[RNG.permutation(300)], people)

        ours, five = timed(lambda m=membership: shuffled_agreement(m, people), loop, repeats=3)
        show(f"BCubed of 1,000 shuffled {name}clusterings", ours, 200 * five, "agreement_with")
    found = study_set(people)
    systems = [
        (str(k), SystemClustering(Path(), groups[RNG.permutation(300)], None, 0)) for k in range(60)
    ]
    (seconds,) = timed(lambda: evaluate_clusterings(systems, found), repeats=1)
    show("all of a clustering of 60: 300 stimuli, 31 people", seconds / 60)


def main():
    """Print the table."""
    matrices()
    clusterings()


if __name__ == "__main__":
    main()
