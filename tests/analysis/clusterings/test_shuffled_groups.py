"""Clusterings shuffled among the stimuli: checked against BCubed of each order, and all orders."""

from itertools import permutations

import numpy as np
import pytest

from analysis.clusterings import shuffled_groups, shuffling
from analysis.clusterings.agreement import agreement_with
from analysis.clusterings.shuffled_groups import shuffled_agreement
from analysis.errors import InputError


def _clustering(rng, stimuli=9, overlapping=True):
    """A clustering in three groups; some stimuli are in a second or third group."""
    membership = rng.integers(0, 3, stimuli)[:, None] == np.arange(3)
    return membership | (rng.random(membership.shape) < 0.3 * overlapping)


def _people(rng, lowest, stimuli=9):
    people = rng.integers(lowest, 4, (5, stimuli))
    people[3] = people[2] + (people[2] >= 0)
    return people


@pytest.mark.parametrize("pair_cost", [0, 1e9])
@pytest.mark.parametrize("overlapping", [False, True])
@pytest.mark.parametrize("lowest", [-1, 0])
def test_each_draw_is_the_agreement_of_its_order(monkeypatch, overlapping, lowest, pair_cost):
    monkeypatch.setattr(shuffled_groups, "_PAIR_COST", pair_cost)
    rng = np.random.default_rng(3)
    membership, people = _clustering(rng, overlapping=overlapping), _people(rng, lowest)
    people[4] = -1
    random = shuffled_agreement(membership, people, draws=50, seed=8)
    orders = np.random.default_rng(8).permuted(np.tile(np.arange(9), (50, 1)), axis=1)
    expected = [agreement_with(membership[order], people).f for order in orders]
    np.testing.assert_allclose(random, expected)


@pytest.mark.parametrize("with_overlap", ["_by_pairs", "_by_profiles"])
def test_extended_bcubed_equals_bcubed_without_overlap(monkeypatch, with_overlap):
    rng = np.random.default_rng(5)
    membership, people = _clustering(rng, overlapping=False), _people(rng, -1)
    plain = shuffled_agreement(membership, people, draws=40)
    monkeypatch.setattr(shuffled_groups, "_without_overlap", getattr(shuffled_groups, with_overlap))
    np.testing.assert_allclose(shuffled_agreement(membership, people, draws=40), plain)


@pytest.mark.parametrize("pair_cost", [0, 1e9])
@pytest.mark.parametrize("overlapping", [False, True])
def test_results_do_not_depend_on_batch_sizes(monkeypatch, overlapping, pair_cost):
    monkeypatch.setattr(shuffled_groups, "_PAIR_COST", pair_cost)
    rng = np.random.default_rng(9)
    membership, people = _clustering(rng, overlapping=overlapping), _people(rng, -1)
    at_once = shuffled_agreement(membership, people, draws=30)
    monkeypatch.setattr(shuffled_groups, "_ORDERS_PER_BATCH", 7)
    monkeypatch.setattr(shuffled_groups, "_CELLS_PER_BATCH", 40)
    monkeypatch.setattr(shuffling, "_ENTRIES_IN_CACHE", 20)
    monkeypatch.setattr(shuffling, "_NUMBERS_PER_BATCH", 60)
    np.testing.assert_allclose(shuffled_agreement(membership, people, draws=30), at_once)


@pytest.mark.parametrize("overlapping", [False, True])
def test_draws_have_the_distribution_over_all_orders(overlapping):
    rng = np.random.default_rng(1)
    membership, people = _clustering(rng, 6, overlapping), _people(rng, 0, 6)
    exact = np.array(
        [agreement_with(membership[list(order)], people).f for order in permutations(range(6))]
    )
    random = shuffled_agreement(membership, people, draws=4_000)
    error = exact.std(axis=0) / np.sqrt(4_000)
    assert (np.abs(random.mean(axis=0) - exact.mean(axis=0)) < 5 * error + 1e-12).all()
    observed = agreement_with(membership, people).f - 1e-9
    share, p = (random >= observed).mean(axis=0), (exact >= observed).mean(axis=0)
    assert (np.abs(share - p) < 5 * np.sqrt(p * (1 - p) / 4_000) + 1e-12).all()


def test_participants_without_stimuli_and_stimuli_alone():
    assert np.isnan(shuffled_agreement([[1], [1]], [[-1, -1]], draws=3)).all()
    assert shuffled_agreement(np.eye(3), [[0, 0, 1]], draws=3) == pytest.approx(0.8)
    assert np.isnan(shuffled_agreement([[1, 1], [1, 0]], [[-1, -1], [0, 1]], draws=3)[:, 0]).all()


def test_refusals():
    with pytest.raises(InputError, match="should be in a group"):
        shuffled_agreement([[1, 1], [0, 0]], [[0, 1]])
    with pytest.raises(InputError, match="draws should be at least 1"):
        shuffled_agreement([[1], [1]], [[0, 1]], draws=0)
