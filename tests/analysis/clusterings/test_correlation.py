"""Matrices compared with people: checked against scipy, by pairs and by participants."""

import numpy as np
import pytest
import scipy.stats

from analysis import (
    cogrouping,
    correlation_ceiling,
    correlation_with,
    pair_correlation,
    same_group,
)
from analysis.errors import InputError

UPPER = np.triu_indices(7, 1)


def _membership(groups):
    return np.asarray(groups)[:, None] == np.unique(groups)


def symmetric(rng, size=7, decimals=1):
    half = np.triu(rng.random((size, size)).round(decimals), 1)
    return half + half.T


def test_groups_correlate_as_zero_and_one():
    people = np.array([[1, 0.8, 0.1], [0.8, 1, 0.3], [0.1, 0.3, 1]])
    found = pair_correlation(same_group(_membership([0, 0, 1])), people)
    expected = scipy.stats.kendalltau([1, 0, 0], [0.8, 0.1, 0.3]).statistic
    assert found.tau_b == pytest.approx(expected) and found.pairs == 3


def test_pairs_without_participants_are_left_out():
    rng = np.random.default_rng(2)
    ours, theirs = (np.triu(rng.random((6, 6)), 1) for _ in range(2))
    ours, theirs = ours + ours.T, theirs + theirs.T
    theirs[0, 1:] = theirs[1:, 0] = np.nan
    found = pair_correlation(ours, theirs)
    upper = np.triu_indices(5, 1)
    rest = ours[1:, 1:][upper], theirs[1:, 1:][upper]
    assert found.pairs == 10
    assert found.tau_b == pytest.approx(scipy.stats.kendalltau(*rest).statistic)
    assert found.spearman == pytest.approx(scipy.stats.spearmanr(*rest).statistic)


def test_fewer_than_two_pairs_are_undefined():
    assert np.isnan(pair_correlation(np.ones((2, 2)), np.ones((2, 2))).tau_b)
    assert pair_correlation([[0.0]], [[1.0]]).pairs == 0


def test_each_participant_s_groups_are_ones_and_zeros():
    rng = np.random.default_rng(3)
    system, people = symmetric(rng), rng.integers(-1, 3, (12, 7))
    found = correlation_with(system, people)
    for k, person in enumerate(people):
        placed = person != -1
        upper = np.triu_indices(placed.sum(), 1)
        ours = system[np.ix_(placed, placed)][upper]
        theirs = (person[placed, None] == person[placed])[upper]
        if np.unique(theirs).size < 2 or np.unique(ours).size < 2:
            assert np.isnan(found.tau_b[k]) and np.isnan(found.spearman[k])
            continue
        assert found.tau_b[k] == pytest.approx(scipy.stats.kendalltau(ours, theirs).statistic)
        assert found.spearman[k] == pytest.approx(scipy.stats.spearmanr(ours, theirs).statistic)


@pytest.mark.parametrize("person", [[0] * 7, list(range(7)), [-1] * 7, [0] + [-1] * 6])
def test_a_participant_with_one_group_is_undefined(person):
    found = correlation_with(symmetric(np.random.default_rng(1)), [person])
    assert np.isnan(found.tau_b[0]) and np.isnan(found.spearman[0])


def test_a_constant_system_is_undefined():
    assert np.isnan(correlation_with(np.ones((3, 3)), [[0, 0, 1]]).tau_b[0])


def test_the_ceiling_compares_each_participant_with_the_others_and_with_all():
    people = np.array([[0, 0, 1, 1, 2, 2, 2], [0, 1, 1, 1, 2, 2, 0], [0, 0, 1, 2, 2, -1, -1]])
    lower, upper = [], []
    for k, person in enumerate(people):
        for bounds, of in ((lower, np.delete(people, k, 0)), (upper, people)):
            similarity, placed = cogrouping(of)[UPPER], (person != -1)
            mine = (person[:, None] == person)[UPPER]
            known = (placed[:, None] & placed)[UPPER] & ~np.isnan(similarity)
            tau = scipy.stats.kendalltau(similarity[known], mine[known]).statistic
            bounds.append(tau)
    assert correlation_ceiling(people) == pytest.approx((np.mean(lower), np.mean(upper)))
    assert np.isnan(correlation_ceiling(people[:1])[0])


@pytest.mark.parametrize(
    "measure",
    [
        lambda system: pair_correlation(system, np.ones((2, 2))),
        lambda system: correlation_with(system, [[0, 1]]),
    ],
)
@pytest.mark.parametrize(
    ("system", "finding"),
    [
        ([[0, 1], [2, 0]], r"not symmetric: 1.0 at \(0, 1\), 2.0"),
        (np.ones((3, 3)), "the same stimuli"),
        ([1, 2], "the same stimuli"),
        ([[0, np.nan], [np.nan, 0]], "NaN"),
    ],
)
def test_refusals(measure, system, finding):
    with pytest.raises(InputError, match=finding):
        measure(system)
