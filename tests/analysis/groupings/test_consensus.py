"""The consensus of participants."""

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.metrics import adjusted_rand_score

from analysis.groupings.consensus import consensus_grouping
from analysis.groupings.pair_agreement import bcubed_pairs
from tests.analysis.groupings.strategies import groupings


def mean_ari(consensus, array):
    values = []
    for row in array:
        placed = row >= 0
        if placed.sum() > 1:
            values.append(adjusted_rand_score(consensus[placed], row[placed]))
    return np.mean(values) if values else np.nan


def all_partitions(n):
    """Every partition of n stimuli, as restricted growth strings."""
    partitions = [[0]]
    for _ in range(n - 1):
        partitions = [[*p, g] for p in partitions for g in range(max(p) + 2)]
    return np.array(partitions)


def test_participants_of_one_mind_are_the_consensus():
    found = consensus_grouping([[4, 4, 4, 2, 2], [1, 1, 1, 0, 0]])
    np.testing.assert_array_equal(found.groups, [0, 0, 0, 1, 1])
    assert found.ari == 1


def test_the_largest_group_is_the_first():
    found = consensus_grouping([[0, 1, 1, 2, 2, 2]])
    np.testing.assert_array_equal(found.groups, [2, 1, 1, 0, 0, 0])


def test_what_nobody_placed_is_in_no_group():
    found = consensus_grouping([[0, -1, 0, 1], [0, -1, 0, 1]])
    np.testing.assert_array_equal(found.groups, [0, -1, 0, 1])


@pytest.mark.parametrize("array", [[[0]], [[-1, 0]], [[-1, -1]]])
def test_fewer_than_two_stimuli_have_no_criterion(array):
    assert np.isnan(consensus_grouping(array).ari)


@settings(max_examples=60, deadline=None)
@given(groupings())
def test_the_criterion_is_the_mean_ari_and_moves_never_lower_it(array):
    found = consensus_grouping(array)
    np.testing.assert_allclose(found.ari, mean_ari(found.groups, array), atol=1e-9)
    assert np.isnan(found.ari) or found.ari >= found.ari_of_cut - 1e-12
    np.testing.assert_array_equal(found.groups >= 0, (array >= 0).any(axis=0))


def test_the_cut_is_the_one_whose_criterion_was_highest_where_joins_tie():
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


def test_parts_of_a_set_are_joined():
    truth = np.repeat([0, 1, 2], 4)
    array = np.tile(truth, (6, 1))
    rng = np.random.default_rng(2)
    for row in array:
        row[rng.choice(12, 4, replace=False)] = -1
    np.testing.assert_array_equal(consensus_grouping(array).groups, truth)
