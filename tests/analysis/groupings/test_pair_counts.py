"""Counts of pairs computed on demand equal whole matrices."""

import numpy as np
import pytest

from analysis.groupings import pair_counts as module
from analysis.groupings.hierarchy import average_linkage, seriate
from analysis.groupings.pair_counts import pair_counts, pairs_by_both
from analysis.groupings.similarity import cogrouping, cogrouping_counts

BY_HAND = np.array([[0, 0, 1, -1], [0, 0, 0, -1], [0, 1, -1, -1]])


def test_by_hand():
    counts = pair_counts(BY_HAND)
    assert counts.together[:3].tolist() == [[3, 2, 1, 0], [2, 3, 1, 0], [1, 1, 2, 0]]
    assert counts.both[2:].tolist() == [[2, 2, 2, 0], [0, 0, 0, 0]]
    similarity = counts.similarity.to_array()
    assert similarity[0].tolist()[:3] == [1, 2 / 3, 1 / 2]
    assert np.isnan(similarity[0, 3]) and (np.diag(similarity) == 1).all()
    # Two pairs with the third stimulus were placed by two participants, one pair by three.
    assert pairs_by_both(BY_HAND).tolist() == [3, 0, 2, 1]
    # The unknown distances are the mean of the known ones: 1/3, 1/2 and 1/2.
    mean = 4 / 9
    assert counts.distances().condensed() == pytest.approx([1 / 3, 1 / 2, mean, 1 / 2, mean, mean])


def _drawn(participants, stimuli, missing):
    rng = np.random.default_rng(participants)
    groups = rng.integers(0, 7, (participants, stimuli))
    return np.where(rng.random(groups.shape) < missing, -1, groups)


@pytest.mark.parametrize(
    ("participants", "stimuli", "missing", "width"),
    [(5, 150, 0, 1), (9, 150, 0.4, 1), (40, 70, 0.5, 2), (300, 70, 0, 2), (300, 70, 0.9, 4)],
)
def test_lookups_equal_the_whole_matrices(participants, stimuli, missing, width, monkeypatch):
    monkeypatch.setattr(module, "_ROWS_PER_BATCH", 11)
    groups = _drawn(participants, stimuli, missing)
    counts, whole = pair_counts(groups), cogrouping_counts(groups)
    assert counts.similarity.codes.dtype.itemsize == width
    for found, expected in zip((counts.together, counts.both), whole, strict=True):
        assert found.dtype == expected.dtype and found.shape == expected.shape
        np.testing.assert_array_equal(found.to_array(), expected)
    similarity = cogrouping(groups)
    np.testing.assert_array_equal(counts.similarity[20:33], similarity[20:33])
    order = np.random.default_rng(0).permutation(stimuli)
    np.testing.assert_array_equal(
        counts.similarity.ordered(order)[:9], similarity[np.ix_(order, order)][:9]
    )
    upper = whole[1][np.triu_indices(stimuli, 1)]
    np.testing.assert_array_equal(
        pairs_by_both(groups), np.bincount(upper, minlength=participants + 1)
    )
    tree = average_linkage(similarity)
    np.testing.assert_array_equal(average_linkage(counts), tree)
    # Orders of equal length can differ: integer steps are added exactly, shares are rounded.
    orders = [seriate(given, tree) for given in (counts, similarity)]
    lengths = [np.nansum(similarity[order[:-1], order[1:]]) for order in orders]
    assert lengths[0] == pytest.approx(lengths[1], abs=1e-9)


def test_distances_are_integer_steps_with_few_participants():
    for missing, steps in ((0, 9), (0.2, 2520)):
        distances = pair_counts(_drawn(9, 40, missing)).distances()
        whole, found = distances.in_steps(5_000)
        assert found == steps and whole.dtype.kind == "u"
        assert whole.condensed() / steps == pytest.approx(distances.condensed(), abs=1e-15)
        assert distances.in_steps(steps - 1) == (distances, 1)
    # Unknown distances are replaced by the mean of the known ones.
    unknown = pair_counts(BY_HAND).distances()
    assert unknown.in_steps(5_000) == (unknown, 1)


def test_without_pairs_placed_by_anyone_all_distances_are_1():
    counts = pair_counts([[0, -1, -1], [-1, 0, -1], [-1, -1, 0]])
    assert counts.distances().condensed().tolist() == [1, 1, 1]
