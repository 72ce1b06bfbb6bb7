"""Co-grouping similarity."""

import numpy as np
import pytest
from hypothesis import given

from analysis.errors import InputError
from analysis.groupings.similarity import cogrouping, cogrouping_counts
from tests.analysis.groupings.strategies import groupings


def test_counts_by_hand():
    together, both = cogrouping_counts([[0, 0, 1, -1], [3, 3, 3, 0], [0, 1, -1, -1]])
    np.testing.assert_array_equal(
        together, [[3, 2, 1, 0], [2, 3, 1, 0], [1, 1, 2, 0], [0, 0, 0, 1]]
    )
    np.testing.assert_array_equal(both, [[3, 3, 2, 1], [3, 3, 2, 1], [2, 2, 2, 1], [1, 1, 1, 1]])


def test_a_pair_never_placed_is_nan_and_the_diagonal_is_one():
    similarity = cogrouping([[0, -1, -1], [-1, 0, -1]])
    nan = np.nan
    np.testing.assert_array_equal(similarity, [[1, nan, nan], [nan, 1, nan], [nan, nan, 1]])


@given(groupings())
def test_counts_equal_plain_counting(array):
    together, both = cogrouping_counts(array)
    placed = array >= 0
    for i in range(array.shape[1]):
        for j in range(array.shape[1]):
            seen = placed[:, i] & placed[:, j]
            assert both[i, j] == seen.sum()
            assert together[i, j] == (seen & (array[:, i] == array[:, j])).sum()


@given(groupings(lowest=0))
def test_order_of_participants_and_numbers_of_groups_do_not_matter(array):
    relabelled = (7 - array)[::-1]
    np.testing.assert_array_equal(cogrouping(array), cogrouping(relabelled))


def test_more_than_255_participants_are_counted():
    together, _ = cogrouping_counts(np.zeros((300, 3), int))
    assert (together == 300).all()


def test_more_stimuli_than_a_batch():
    rng = np.random.default_rng(1)
    array = rng.integers(-1, 4, (3, 150))
    together, both = cogrouping_counts(array)
    placed = array >= 0
    same = (array[:, :, None] == array[:, None, :]) & placed[:, :, None] & placed[:, None, :]
    np.testing.assert_array_equal(together, same.sum(0))
    np.testing.assert_array_equal(both, (placed[:, :, None] & placed[:, None, :]).sum(0))


def test_invalid_groupings_are_an_error():
    with pytest.raises(InputError):
        cogrouping([0, 1])
