"""Groupings in random order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from analysis.groupings.draws.random_orders import (
    block_of_orders,
    draws_per_block,
    in_order_of_stimuli,
    keys_of,
    shuffled,
)
from tests.analysis.groupings.strategies import groupings


@given(groupings(), st.integers(0, 9))
def test_shuffling_preserves_placed_stimuli_and_group_sizes(array, seed):
    numbered = in_order_of_stimuli(array)
    orders = block_of_orders(numbered, keys_of(numbered), seed, 0)
    assert len(orders) == draws_per_block(array.shape[1])
    for draw in orders:
        np.testing.assert_array_equal(draw == -1, array == -1)
        np.testing.assert_array_equal(np.sort(draw, axis=1), np.sort(numbered, axis=1))


class Stuck:
    """A generator whose first random numbers are all equal."""

    def __init__(self):
        self.rng, self.calls = np.random.default_rng(0), 0

    def integers(self, low, high, shape, **options):
        self.calls += 1
        numbers = self.rng.integers(low, high, shape, **options)
        return np.zeros_like(numbers) if self.calls == 1 else numbers


def test_draws_with_tied_random_numbers_are_drawn_again():
    rng, grouping = Stuck(), np.arange(40) % 4
    drawn = shuffled(grouping, 5, rng)
    assert rng.calls == 2
    np.testing.assert_array_equal(np.sort(drawn, axis=1), np.sort(grouping)[None].repeat(5, 0))
    assert (drawn != np.sort(grouping)).any(axis=1).all()


def test_every_order_is_equally_likely():
    drawn = shuffled(np.array([0, 1, 2]), 6_000, np.random.default_rng(8))
    _, counts = np.unique(drawn, axis=0, return_counts=True)
    assert len(counts) == 6
    assert chisquare(counts).pvalue > 0.001


def test_equal_groupings_blocks_and_seeds_have_streams_of_their_own():
    groups = np.arange(12)[None].repeat(2, axis=0)
    keys = keys_of(groups)
    orders = [block_of_orders(groups, keys, *which) for which in ((0, 0), (0, 1), (1, 0))]
    streams = [order[:, person].tobytes() for order in orders for person in (0, 1)]
    assert len(set(streams)) == 6


def test_equal_keys_are_those_of_equal_groupings_whatever_their_groups_are_called():
    numbered = in_order_of_stimuli(np.array([[2, 2, -1, 0], [0, 0, -1, 7], [0, 1, -1, 1]]))
    assert numbered.tolist() == [[0, 0, -1, 1], [0, 0, -1, 1], [0, 1, -1, 1]]
    first, copy, other = keys_of(numbered)
    assert (first.digest, first.copy, copy.copy) == (copy.digest, 0, 1)
    assert other.digest != first.digest


@pytest.mark.parametrize(("stimuli", "draws"), [(2, 64), (2_048, 64), (10_000, 8), (10**6, 8)])
def test_blocks_of_many_stimuli_have_few_draws(stimuli, draws):
    assert draws_per_block(stimuli) == draws
