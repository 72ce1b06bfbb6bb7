"""Chance agreement."""

from itertools import permutations

import numpy as np
import pytest

from analysis.errors import InputError
from analysis.groupings.chance import adjusted, p_value, random_agreement
from analysis.groupings.pair_agreement import bcubed, bcubed_pairs


def test_draws_have_the_mean_of_all_permutations():
    one, other = [0, 0, 0, 1, 1], [0, 0, 1, 2, 2]
    every = np.mean([bcubed(one, order).f for order in permutations(other)])
    drawn = random_agreement([one, other], draws=4000, seed=5)
    assert drawn.mean() == pytest.approx(every, abs=4 * drawn.std() / np.sqrt(len(drawn)))


def test_closed_form_precision_is_the_mean_over_all_permutations():
    one, other = [0, 0, 0, 1, 1], [0, 0, 1, 2, 2]
    every = [bcubed(one, order) for order in permutations(other)]
    precision, recall = (np.mean([b[k] for b in every]) for k in (0, 1))
    expected = 2 * precision * recall / (precision + recall)
    assert bcubed_pairs([one, other]).f_random[0, 1] == pytest.approx(expected)


def test_the_seed_determines_draws():
    array = np.random.default_rng(0).integers(0, 3, (4, 12))
    first, again, other = (random_agreement(array, 20, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


def test_parts_of_a_set_use_the_pairs_with_stimuli_in_common():
    array = [[0, 0, 1, 1, -1, -1], [0, 1, 1, 0, -1, -1], [-1, -1, -1, -1, 0, 0]]
    # Two groups of two compared with two groups of two: in each draw, all equal or all crossed.
    assert set(random_agreement(array, 50, 1)) == {0.5, 1.0}


@pytest.mark.parametrize("array", [[[0, 1, 1]], [[0, -1], [-1, 0]]])
def test_without_a_pair_there_is_no_chance_level(array):
    drawn = random_agreement(array, 3, 0)
    assert np.isnan(drawn).all()
    assert np.isnan(p_value(float("nan"), drawn))


def test_p_includes_the_observed_value_and_counts_ties_as_hits():
    assert p_value(0.5, np.array([0.1, 0.5, 0.5 - 1e-15, 0.7])) == pytest.approx(4 / 5)
    assert p_value(0.9, np.zeros(99)) == pytest.approx(1 / 100)


def test_adjusted_is_0_at_chance_1_at_full_agreement_and_undefined_if_chance_is_1():
    assert adjusted(0.4, 0.4) == 0
    assert adjusted(1.0, 0.4) == 1
    assert np.isnan(adjusted(1.0, 1.0))


def test_zero_draws_are_an_error():
    with pytest.raises(InputError, match="draws should be at least 1"):
        random_agreement([[0, 1]], 0, 1)
