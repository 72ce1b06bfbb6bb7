"""Trees from rows of distances: checked against scipy and, if joins tie, the definition."""

import tracemalloc

import numpy as np
import pytest
from scipy.cluster.hierarchy import is_valid_linkage, linkage

from analysis.groupings import hierarchy
from analysis.groupings import linkage_by_rows as module
from analysis.groupings.linkage_by_rows import linkage_by_rows
from analysis.groupings.pair_counts import pair_counts


def sorted_stimuli(participants, stimuli, missing=0.0, groups=6):
    """Groupings with some agreement."""
    rng = np.random.default_rng(participants)
    own = rng.integers(0, groups, (participants, stimuli))
    found = np.where(rng.random(own.shape) < 0.6, np.arange(stimuli) % groups, own)
    return np.where(rng.random(own.shape) < missing, -1, found)


def wrong_joins(tree, distances):
    """Joins whose distance is not the mean, or not the least mean at that step."""
    count = len(distances)
    clusters = {number: [number] for number in range(count)}
    wrong = []
    for step, (one, other, distance, size) in enumerate(tree):
        means = [
            distances[np.ix_(clusters[a], clusters[b])].mean()
            for a in clusters
            for b in clusters
            if a < b
        ]
        joined = clusters.pop(int(one)), clusters.pop(int(other))
        own = distances[np.ix_(*joined)].mean()
        clusters[count + step] = joined[0] + joined[1]
        known = own == pytest.approx(distance, abs=1e-12) and size == len(clusters[count + step])
        if not known or distance > min(means) + 1e-12:
            wrong.append(step)
    return wrong


@pytest.mark.parametrize("stored_from", [2, 5, 32])
@pytest.mark.parametrize(("participants", "missing"), [(4, 0), (9, 0), (9, 0.4), (25, 0.5)])
def test_every_join_is_of_the_two_nearest_clusters(participants, missing, stored_from, monkeypatch):
    monkeypatch.setattr(module, "_STORED_FROM", stored_from)
    distances = pair_counts(sorted_stimuli(participants, 30, missing)).distances()
    tree = linkage_by_rows(distances)
    assert is_valid_linkage(tree)
    assert wrong_joins(tree, distances.to_array()) == []


def test_without_ties_it_is_scipys(monkeypatch):
    counts = pair_counts(sorted_stimuli(600, 25, 0.3))
    distances = counts.distances()
    expected = linkage(distances.condensed(), "average")
    assert len(np.unique(expected[:, 2])) == len(expected)
    monkeypatch.setattr(hierarchy, "_MAX_STIMULI_IN_MEMORY", 24)
    np.testing.assert_allclose(hierarchy.average_linkage(counts), expected, atol=1e-12)


def test_identical_stimuli_and_unknown_pairs():
    assert linkage_by_rows(pair_counts([[0] * 5]).distances())[:, 2].tolist() == [0] * 4
    alone = pair_counts(np.where(np.eye(4, dtype=bool), 0, -1))
    assert linkage_by_rows(alone.distances())[:, 2].tolist() == [1] * 3


@pytest.mark.slow
def test_tree_and_order_need_less_memory_than_all_distances(monkeypatch):
    stimuli = 600
    all_distances = 8 * stimuli * (stimuli - 1) / 2
    monkeypatch.setattr(hierarchy, "_MAX_STIMULI_IN_MEMORY", 500)
    tracemalloc.start()
    try:
        counts = pair_counts(sorted_stimuli(8, stimuli, groups=20))
        tracemalloc.reset_peak()
        tree = hierarchy.average_linkage(counts)
        of_tree = tracemalloc.get_traced_memory()[1]
        tracemalloc.reset_peak()
        order = hierarchy.seriate(counts, tree)
        of_order = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert sorted(order.tolist()) == list(range(stimuli))
    assert of_tree < all_distances / 4
    assert of_order < all_distances
