"""Clusterings against people: by hand, and consistent with BCubed itself."""

import numpy as np
import pytest
import scipy.stats
from sklearn.metrics import adjusted_rand_score

from analysis import bcubed
from analysis.clustering_evaluation import agreement_with, pair_correlation, same_group
from analysis.errors import InputError


def _membership(groups):
    return np.asarray(groups)[:, None] == np.unique(groups)


def test_each_participant_is_compared_on_what_they_placed():
    own = [0, 0, 1, 1, 2, 2]
    people = np.array([[0, 0, 0, 1, 1, 1], [5, 5, 2, 2, -1, -1], [-1] * 6])
    found = agreement_with(_membership(own), people)
    assert found.stimuli.tolist() == [6, 4, 0]
    expected = bcubed(own, people[0])
    assert (found.precision[0], found.recall[0], found.f[0]) == pytest.approx(expected)
    assert found.ari[0] == pytest.approx(adjusted_rand_score(people[0], own))
    assert found.f[1] == found.ari[1] == 1
    assert np.isnan(found.f[2])


def test_overlap_without_overlap_is_the_same():
    from analysis.clustering_evaluation import _overlapping

    rng = np.random.default_rng(1)
    own, people = _membership(rng.integers(0, 4, 30)), rng.integers(-1, 3, (5, 30))
    plain, extended = agreement_with(own, people), _overlapping(own, people)
    for name in ("stimuli", "precision", "recall", "f"):
        assert getattr(extended, name) == pytest.approx(getattr(plain, name))


def test_groups_correlate_as_zero_and_one():
    people = np.array([[1, 0.8, 0.1], [0.8, 1, 0.3], [0.1, 0.3, 1]])
    found = pair_correlation(same_group(_membership([0, 0, 1])), people)
    expected = scipy.stats.kendalltau([1, 0, 0], [0.8, 0.1, 0.3]).statistic
    assert found.tau_b == pytest.approx(expected) and found.pairs == 3


def test_pairs_that_nobody_placed_are_left_out():
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


def test_one_pair_or_none_is_undefined():
    assert np.isnan(pair_correlation(np.ones((2, 2)), np.ones((2, 2))).tau_b)
    assert pair_correlation([[0.0]], [[1.0]]).pairs == 0


def test_refusals():
    with pytest.raises(InputError, match=r"not symmetric: 1.0 at \(0, 1\), 2.0"):
        pair_correlation([[0, 1], [2, 0]], np.ones((2, 2)))
    with pytest.raises(InputError, match="the same stimuli"):
        pair_correlation(np.ones((2, 2)), np.ones((3, 3)))
    with pytest.raises(InputError, match="do not fit"):
        agreement_with(np.ones((3, 1)), np.zeros((2, 4), dtype=int))
