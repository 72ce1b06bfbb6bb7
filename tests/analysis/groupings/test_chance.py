"""Chance agreement."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from analysis.errors import InputError
from analysis.groupings import chance
from analysis.groupings.chance import adjusted, p_value, random_agreement, shuffled
from analysis.groupings.pair_agreement import bcubed, bcubed_pairs
from tests.analysis.groupings.strategies import groupings


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


@given(groupings(), st.integers(0, 9))
def test_shuffling_preserves_placed_stimuli_and_group_sizes(array, seed):
    for draw in shuffled(array, 3, np.random.default_rng(seed)):
        np.testing.assert_array_equal(draw == -1, array == -1)
        np.testing.assert_array_equal(np.sort(draw, axis=1), np.sort(array, axis=1))


class Stuck:
    """A generator whose first random numbers are all equal."""

    def __init__(self):
        self.rng, self.calls = np.random.default_rng(0), 0

    def integers(self, low, high, shape, **options):
        self.calls += 1
        numbers = self.rng.integers(low, high, shape, **options)
        return np.zeros_like(numbers) if self.calls == 1 else numbers


def test_rows_with_tied_random_numbers_are_drawn_again():
    rng, array = Stuck(), np.arange(40)[None] % 4
    drawn = shuffled(array, 5, rng)
    assert rng.calls == 2
    np.testing.assert_array_equal(np.sort(drawn, axis=2), np.sort(array, axis=1)[None].repeat(5, 0))
    assert (drawn != np.sort(array, axis=1)).any(axis=2).all()


def test_every_order_is_equally_likely():
    drawn = shuffled(np.array([[0, 1, 2]]), 6_000, np.random.default_rng(8))[:, 0]
    _, counts = np.unique(drawn, axis=0, return_counts=True)
    assert len(counts) == 6
    assert chisquare(counts).pvalue > 0.001


def test_the_seed_determines_draws_and_batches_do_not_change_their_number():
    array = np.random.default_rng(0).integers(0, 3, (4, 12))
    first, again, other = (random_agreement(array, 20, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


def test_parts_of_a_set_use_the_pairs_with_stimuli_in_common():
    array = [[0, 0, 1, 1, -1, -1], [0, 1, 1, 0, -1, -1], [-1, -1, -1, -1, 0, 0]]
    # Two groups of two compared with two groups of two: in each draw, all equal or all crossed.
    assert set(random_agreement(array, 50, 1)) == {0.5, 1.0}


def test_the_number_of_processors_has_no_effect(monkeypatch):
    monkeypatch.setattr(chance, "_ENTRIES_PER_BATCH", 100)
    array = np.random.default_rng(0).integers(-1, 3, (4, 12))
    found = []
    for processors in (1, 3, None):
        monkeypatch.setattr(chance.os, "cpu_count", lambda processors=processors: processors)
        found.append(random_agreement(array, 20, 1))
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_progress_is_reported_up_to_the_last_draw(monkeypatch):
    monkeypatch.setattr(chance, "_ENTRIES_PER_BATCH", 48)
    reports = []
    drawn = random_agreement(
        [[0, 0, 1, 1], [0, 1, 1, 0]], 20, 1, lambda *report: reports.append(report)
    )
    assert reports == [(5, 20), (10, 20), (15, 20), (20, 20)]
    assert len(drawn) == 20


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
