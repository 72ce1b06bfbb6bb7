"""Validation and numbering of groupings."""

import numpy as np
import pytest
from hypothesis import given

from analysis.errors import InputError
from analysis.groupings.grouping import groups_per_participant, renumber, validate
from analysis.groupings.pair_agreement import bcubed
from tests.analysis.groupings.strategies import groupings


@pytest.mark.parametrize(
    ("wrong", "finding"),
    [
        ([0, 1], r"have shape \(2,\)"),
        (np.zeros((0, 3), int), r"have shape \(0, 3\)"),
        ([[0.0, 1.0]], "contain float64"),
        ([[0, 1], [0, -2]], "group number -2 of participant 1, stimulus 1 is below -1"),
    ],
)
def test_invalid_groupings_are_an_error(wrong, finding):
    with pytest.raises(InputError, match=finding):
        validate(wrong)


def test_groups_are_numbered_without_gaps_and_not_placed_stays_minus_1():
    given_ = np.array([[7, -1, 3, 7], [-1, -1, -1, -1], [10**9, 5, 5, 0]])
    expected = [[1, -1, 0, 1], [-1, -1, -1, -1], [2, 1, 1, 0]]
    np.testing.assert_array_equal(renumber(given_), expected)
    np.testing.assert_array_equal(groups_per_participant(given_), [2, 0, 3])


@given(groupings())
def test_both_ways_of_numbering_agree(array):
    apart = array.copy()
    apart[apart >= 0] *= 10**6
    np.testing.assert_array_equal(renumber(array), renumber(apart))


def test_labels_of_groups_are_numbered():
    labels = [["bird", "bird", "house", None], ["a", "b", "", "b"]]
    found = validate(labels)
    assert (found == -1).tolist() == [[False] * 3 + [True], [False, False, True, False]]
    assert found[0, 0] == found[0, 1] != found[0, 2] and found[1, 1] == found[1, 3] != found[1, 0]
    assert validate([[1, -1, 2], ["a", "a", ""]])[0, 1] == -1, "numbers beside strings"


def test_labels_mixed_with_other_values_are_an_error():
    with pytest.raises(InputError, match="should be an array of numbers"):
        validate(np.array([["a", 2.5, None]], dtype=object))


def test_one_side_may_have_labels_and_the_other_numbers():
    # Half of the first stimulus's pair is right; the third is alone on one side: P and R are 2/3.
    assert bcubed(["a", "a", "b"], [1, 2, 2]) == pytest.approx((2 / 3, 2 / 3, 2 / 3))
    assert bcubed(["a", "a", "b"], [1, 2, 2]) == bcubed([0, 0, 1], ["x", "y", "y"])
