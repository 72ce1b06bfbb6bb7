"""Mantel test, checked against all orders of a few stimuli."""

from itertools import permutations

import numpy as np
import pytest
import scipy.stats

from analysis import mantel
from analysis.clusterings import mantel_test, shuffling
from analysis.errors import InputError
from tests.analysis.clusterings.test_correlation import symmetric


@pytest.mark.parametrize("missing", [False, True])
def test_mantel_agrees_with_all_orders_enumerated(missing):
    rng = np.random.default_rng(5)
    system, people = symmetric(rng, 6), symmetric(rng, 6)
    people += 0.4 * system
    if missing:
        people[0, 1] = people[1, 0] = people[2, 4] = people[4, 2] = np.nan
    upper = np.triu_indices(6, 1)
    known = ~np.isnan(people[upper])
    ranks = np.zeros((6, 6))
    ranks[upper] = scipy.stats.rankdata(system[upper])
    ranks += ranks.T
    theirs = scipy.stats.rankdata(people[upper][known])
    rhos = [
        np.corrcoef(ranks[np.ix_(o, o)][upper][known], theirs)[0, 1] for o in permutations(range(6))
    ]
    exact = np.mean(np.array(rhos) >= rhos[0] - 1e-9)
    assert 0.01 < exact < 0.5
    assert mantel(system, people, draws=6_000, seed=1) == pytest.approx(exact, abs=0.025)


def test_mantel_detects_structure_but_not_noise():
    rng = np.random.default_rng(6)
    people, noise = symmetric(rng, 12, 3), symmetric(rng, 12, 3)
    assert mantel(people, people, draws=199) == 1 / 200
    assert mantel(-people, people, draws=199) == 1
    assert mantel(noise, people, draws=199) > 0.02
    assert mantel(noise, people, seed=1) == mantel(noise, people, seed=1)


def _of_a_plain_loop(system, people, draws, seed):
    """p-value from one order after the other, with numpy's correlations."""
    stimuli = len(people)
    upper = np.triu_indices(stimuli, 1)
    orders = np.tile(np.arange(stimuli), (draws, 1))
    orders = np.random.default_rng(seed).permuted(orders, axis=1)
    ranks = scipy.stats.rankdata(system[upper])
    theirs = np.full(people.shape, np.nan)
    known = ~np.isnan(people[upper])
    theirs[upper] = scipy.stats.rankdata(people[upper], nan_policy="omit")
    theirs.T[upper] = theirs[upper]
    found = []
    for order in (np.arange(stimuli), *orders):
        one = theirs[np.ix_(order, order)][upper]
        known = ~np.isnan(one)
        found.append(np.corrcoef(ranks[known], one[known])[0, 1])
    return (np.sum(np.array(found[1:]) >= found[0] - 1e-9) + 1) / (draws + 1)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("at_once", [20, 1 << 15])
def test_a_plain_loop_over_the_same_orders_agrees(monkeypatch, missing, at_once):
    monkeypatch.setattr(shuffling, "_ENTRIES_IN_CACHE", at_once)
    monkeypatch.setattr(shuffling, "_NUMBERS_PER_BATCH", 10 * at_once)
    monkeypatch.setattr(mantel_test, "_ORDERS_PER_BATCH", 150)
    rng = np.random.default_rng(9)
    people = symmetric(rng, 12)
    systems = np.stack([symmetric(rng, 12) + share * people for share in (0, 0.2, 0.5)]).round(9)
    if missing:
        gone = rng.random((12, 12)) < 0.15
        people[gone | gone.T] = np.nan
    expected = [_of_a_plain_loop(one, people, 400, seed=4) for one in systems]
    assert mantel(systems, people, draws=400, seed=4) == pytest.approx(expected)
    assert 0.01 < expected[1] < expected[0]
    assert mantel(systems[1], people, draws=400, seed=4) == pytest.approx(expected[1])


@pytest.mark.parametrize("looked_up", [0, 1e9])
def test_a_plain_loop_agrees_for_groups(monkeypatch, looked_up):
    monkeypatch.setattr(mantel_test, "_LOOKUP_COST", looked_up)
    rng = np.random.default_rng(3)
    people, groups = symmetric(rng, 12), rng.integers(0, 4, (2, 12))
    systems = (groups[:, :, None] == groups[:, None]).astype(float)
    expected = [_of_a_plain_loop(one, people, 400, seed=4) for one in systems]
    assert mantel(systems, people, draws=400, seed=4) == pytest.approx(expected)
    both = np.stack((systems[0], symmetric(rng, 12)))
    assert mantel(both, people, draws=400, seed=4)[0] == pytest.approx(expected[0])


def test_ranks_too_large_for_single_precision(monkeypatch):
    rng = np.random.default_rng(9)
    system, people = symmetric(rng), symmetric(rng)
    exact = mantel(system, people)
    monkeypatch.setattr(mantel_test, "_EXACT", 0)
    assert mantel(system, people) == exact


def test_only_the_constant_one_of_several_systems_is_undefined():
    people = symmetric(np.random.default_rng(2))
    p = mantel([np.ones((7, 7)), people], people)
    assert np.isnan(p[0]) and p[1] < 0.05


def test_a_constant_side_is_undefined():
    people = [[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]]
    assert np.isnan(mantel(np.ones((3, 3)), people))
    assert np.isnan(mantel(people, np.ones((3, 3))))


@pytest.mark.parametrize(
    ("system", "finding"),
    [
        ([[0, 1], [2, 0]], "not symmetric"),
        (np.ones((3, 3)), "the same stimuli"),
        ([[0, np.nan], [np.nan, 0]], "NaN"),
    ],
)
def test_refusals(system, finding):
    with pytest.raises(InputError, match=finding):
        mantel(system, np.ones((2, 2)))
    with pytest.raises(InputError, match="draws should be at least 1"):
        mantel(np.ones((2, 2)), np.ones((2, 2)), draws=0)
    with pytest.raises(InputError, match="no system to test"):
        mantel(np.ones((0, 2, 2)), np.ones((2, 2)))
