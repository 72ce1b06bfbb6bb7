"""The consensus grouping."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.cluster import pair_confusion_matrix

from analysis.groupings.consensus import consensus_grouping
from analysis.groupings.pair_agreement import bcubed_pairs
from tests.analysis.groupings.strategies import groupings


def ari_to_participants(consensus, array):
    """From scikit-learn if all placed the same stimuli, otherwise from its counts of pairs."""
    there = (array >= 0).any(axis=0)
    rows = [row for row in array if (row >= 0).any()]
    parts = [row >= 0 for row in rows if (row >= 0).sum() > 1]
    if not parts:
        return np.nan
    if all((row >= 0)[there].all() for row in rows):
        return np.mean([adjusted_rand_score(consensus[there], row[there]) for row in rows])
    gain = room = 0
    for placed, row in zip(parts, (r for r in rows if (r >= 0).sum() > 1), strict=True):
        (apart, only_row), (only_ours, both) = pair_confusion_matrix(row[placed], consensus[placed])
        ours, theirs = both + only_row, both + only_ours
        expected = ours * theirs / (apart + only_row + only_ours + both)
        gain, room = gain + both - expected, room + (ours + theirs) / 2 - expected
    return gain / room if room > 0 else 1


def all_partitions(n):
    """Every partition of n stimuli, as restricted growth strings."""
    partitions = [[0]]
    for _ in range(n - 1):
        partitions = [[*p, g] for p in partitions for g in range(max(p) + 2)]
    return np.array(partitions)


def test_unanimous_participants_are_the_consensus():
    found = consensus_grouping([[4, 4, 4, 2, 2], [1, 1, 1, 0, 0]])
    np.testing.assert_array_equal(found.groups, [0, 0, 0, 1, 1])
    assert found.ari == 1


def test_the_largest_group_is_the_first():
    found = consensus_grouping([[0, 1, 1, 2, 2, 2]])
    np.testing.assert_array_equal(found.groups, [2, 1, 1, 0, 0, 0])


def test_stimuli_never_placed_are_in_no_group():
    found = consensus_grouping([[0, -1, 0, 1], [0, -1, 0, 1]])
    np.testing.assert_array_equal(found.groups, [0, -1, 0, 1])


@pytest.mark.parametrize("array", [[[0]], [[-1, 0]], [[-1, -1]]])
def test_fewer_than_two_stimuli_have_no_criterion(array):
    assert np.isnan(consensus_grouping(array).ari)


@settings(max_examples=60, deadline=None)
@given(groupings())
def test_the_criterion_is_ari_with_participants_and_moves_never_lower_it(array):
    found = consensus_grouping(array)
    np.testing.assert_allclose(found.ari, ari_to_participants(found.groups, array), atol=1e-9)
    assert np.isnan(found.ari) or found.ari >= found.ari_of_cut - 1e-12
    np.testing.assert_array_equal(found.groups >= 0, (array >= 0).any(axis=0))


def test_the_cut_has_the_highest_criterion_if_joins_tie():
    found = consensus_grouping([[0, 0, 3, 3, 3, 3, 3], [3, 3, 2, 0, 1, 3, 3]])
    assert found.ari >= found.ari_of_cut


def test_it_is_nearly_the_best_of_all_partitions():
    rng = np.random.default_rng(4)
    partitions = all_partitions(7)
    shortfall = []
    for _ in range(8):
        truth = rng.integers(0, 3, 7)
        array = np.where(rng.random((4, 7)) < 0.3, rng.integers(0, 3, (4, 7)), truth)
        ari = bcubed_pairs(np.vstack([array, partitions])).ari
        best = ari[:4, 4:].mean(axis=0).max()
        shortfall.append(best - consensus_grouping(array).ari)
    assert min(shortfall) >= -1e-9
    assert np.mean(shortfall) < 0.01


def test_participants_without_possible_gain_do_not_raise_the_criterion():
    # The third participant placed two stimuli, apart in both groupings: the index is always 1.
    found = consensus_grouping([[0, 0, 1, 1], [0, 0, 1, 1], [0, -1, 1, -1]])
    some = consensus_grouping([[0, 0, 1, 1, 1], [0, 1, 1, 1, 0], [0, -1, 1, -1, -1]])
    assert found.ari == 1
    alone = bcubed_pairs(np.vstack([[0, 0, 1, 1, 1], [0, 1, 1, 1, 0], some.groups])).ari[2, :2]
    assert some.ari == pytest.approx(alone.mean())


def test_parts_of_a_set_are_combined():
    truth = np.repeat([0, 1, 2], 4)
    array = np.tile(truth, (6, 1))
    rng = np.random.default_rng(2)
    for row in array:
        row[rng.choice(12, 4, replace=False)] = -1
    np.testing.assert_array_equal(consensus_grouping(array).groups, truth)


@pytest.mark.parametrize("stimuli", [127, 128, 129])
def test_a_group_of_as_many_as_a_small_type_nearly_holds_is_counted(stimuli):
    array = np.zeros((3, stimuli), int)
    array[1, :2] = 1
    found = consensus_grouping(array)
    # Two agree fully; the index of the third with everything together is 0.
    assert (len(set(found.groups.tolist())), found.ari) == (1, pytest.approx(2 / 3))


def test_tables_of_single_stimuli_are_counted_in_a_small_type():
    people, stimuli, groups = 300, 200, 20
    array = np.random.default_rng(1).integers(0, groups, (people, stimuli))
    consensus_grouping(array[:9])
    tracemalloc.start()
    try:
        consensus_grouping(array)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # There is a row for each stimulus at first. As floats, the rows alone need so much.
    assert most < 8 * stimuli * people * groups
