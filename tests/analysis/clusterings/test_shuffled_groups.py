"""Clusterings shuffled among the stimuli: against BCubed of each order, and every order."""

from itertools import permutations

import numpy as np
import pytest

from analysis.clusterings import shuffled_groups, shuffling
from analysis.clusterings.agreement import agreement_with
from analysis.clusterings.shuffled_groups import shuffled_agreement
from analysis.errors import InputError


def _clustering(rng, stimuli=9, overlapping=True):
    """A clustering in three groups, in which some stimuli stand in a second and a third."""
    membership = rng.integers(0, 3, stimuli)[:, None] == np.arange(3)
    return membership | (rng.random(membership.shape) < 0.3 * overlapping)


def _people(rng, lowest, stimuli=9):
    people = rng.integers(lowest, 4, (5, stimuli))
    people[3] = people[2] + (people[2] >= 0)
    return people


@pytest.mark.parametrize("pair_cost", [0, 1e9])
@pytest.mark.parametrize("overlapping", [False, True])
@pytest.mark.parametrize("lowest", [-1, 0])
def test_it_is_the_agreement_of_each_order(monkeypatch, overlapping, lowest, pair_cost):
    monkeypatch.setattr(shuffled_groups, "_PAIR_COST", pair_cost)
    rng = np.random.default_rng(3)
    membership, people = _clustering(rng, overlapping=overlapping), _people(rng, lowest)
    people[4] = -1
    random = shuffled_agreement(membership, people, draws=50, seed=8)
    orders = np.random.default_rng(8).permuted(np.tile(np.arange(9), (50, 1)), axis=1)
    expected = [agreement_with(membership[order], people).f for order in orders]
    np.testing.assert_allclose(random, expected)


@pytest.mark.parametrize("with_overlap", ["_by_pairs", "_by_kinds"])
def test_overlap_without_overlap_is_the_same(monkeypatch, with_overlap):
    rng = np.random.default_rng(5)
    membership, people = _clustering(rng, overlapping=False), _people(rng, -1)
    plain = shuffled_agreement(membership, people, draws=40)
    monkeypatch.setattr(shuffled_groups, "_without_overlap", getattr(shuffled_groups, with_overlap))
    np.testing.assert_allclose(shuffled_agreement(membership, people, draws=40), plain)


@pytest.mark.parametrize("pair_cost", [0, 1e9])
@pytest.mark.parametrize("overlapping", [False, True])
def test_nothing_depends_on_how_much_is_taken_at_a_time(monkeypatch, overlapping, pair_cost):
    monkeypatch.setattr(shuffled_groups, "_PAIR_COST", pair_cost)
    rng = np.random.default_rng(9)
    membership, people = _clustering(rng, overlapping=overlapping), _people(rng, -1)
    at_once = shuffled_agreement(membership, people, draws=30)
    monkeypatch.setattr(shuffled_groups, "_ORDERS_AT_ONCE", 7)
    monkeypatch.setattr(shuffled_groups, "_CELLS_AT_ONCE", 40)
    monkeypatch.setattr(shuffling, "_PLACES_IN_CACHE", 20)
    monkeypatch.setattr(shuffling, "_NUMBERS_AT_ONCE", 60)
    np.testing.assert_allclose(shuffled_agreement(membership, people, draws=30), at_once)


@pytest.mark.parametrize("overlapping", [False, True])
def test_draws_have_the_chance_of_every_order(overlapping):
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


def test_nobody_and_everything_alone():
    assert np.isnan(shuffled_agreement([[1], [1]], [[-1, -1]], draws=3)).all()
    assert shuffled_agreement(np.eye(3), [[0, 0, 1]], draws=3) == pytest.approx(0.8)
    assert np.isnan(shuffled_agreement([[1, 1], [1, 0]], [[-1, -1], [0, 1]], draws=3)[:, 0]).all()


def test_refusals():
    with pytest.raises(InputError, match="should be in a group"):
        shuffled_agreement([[1, 1], [0, 0]], [[0, 1]])
    with pytest.raises(InputError, match="draws is 0"):
        shuffled_agreement([[1], [1]], [[0, 1]], draws=0)
