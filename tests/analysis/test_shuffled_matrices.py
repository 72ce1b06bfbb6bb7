"""Mantel's test, against every order of few stimuli."""

from itertools import permutations

import numpy as np
import pytest
import scipy.stats

from analysis import mantel, shuffled_matrices
from analysis.errors import InputError
from tests.analysis.test_matrix_correlation import symmetric


@pytest.mark.parametrize("missing", [False, True])
def test_mantel_agrees_with_every_order(missing):
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


def test_mantel_finds_what_is_there_and_nothing_in_noise():
    rng = np.random.default_rng(6)
    people, noise = symmetric(rng, 12, 3), symmetric(rng, 12, 3)
    assert mantel(people, people, draws=199) == 1 / 200
    assert mantel(-people, people, draws=199) == 1
    assert mantel(noise, people, draws=199) > 0.02
    assert mantel(noise, people, seed=1) == mantel(noise, people, seed=1)


def test_rows_are_taken_a_few_at_a_time(monkeypatch):
    rng = np.random.default_rng(9)
    system, people = symmetric(rng), symmetric(rng)
    at_once = mantel(system, people)
    monkeypatch.setattr(shuffled_matrices, "_NUMBERS_IN_CACHE", 15)
    assert mantel(system, people) == at_once


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
    with pytest.raises(InputError, match="draws is 0"):
        mantel(np.ones((2, 2)), np.ones((2, 2)), draws=0)
