"""Checking and numbering groupings."""

import numpy as np
import pytest
from hypothesis import given

from analysis.errors import InputError
from analysis.groupings.grouping import groups_per_participant, renumber, validate
from tests.analysis.groupings.strategies import groupings


@pytest.mark.parametrize(
    ("wrong", "finding"),
    [
        ([0, 1], r"have shape \(2,\)"),
        (np.zeros((0, 3), int), r"have shape \(0, 3\)"),
        ([[0.0, 1.0]], "hold float64"),
        ([["a"]], "hold <U1"),
        ([[0, 1], [0, -2]], "group number -2 of participant 1, stimulus 1 is below -1"),
    ],
)
def test_what_is_no_grouping_is_refused(wrong, finding):
    with pytest.raises(InputError, match=finding):
        validate(wrong)


def test_groups_are_numbered_without_gaps_and_not_placed_stays():
    given_ = np.array([[7, -1, 3, 7], [-1, -1, -1, -1], [10**9, 5, 5, 0]])
    expected = [[1, -1, 0, 1], [-1, -1, -1, -1], [2, 1, 1, 0]]
    np.testing.assert_array_equal(renumber(given_), expected)
    np.testing.assert_array_equal(groups_per_participant(given_), [2, 0, 3])


@given(groupings())
def test_both_ways_of_numbering_agree(array):
    apart = array.copy()
    apart[apart >= 0] *= 10**6
    np.testing.assert_array_equal(renumber(array), renumber(apart))
