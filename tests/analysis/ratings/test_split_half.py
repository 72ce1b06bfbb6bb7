"""tau_b between the means of two halves of the participants."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import kendalltau

from analysis import split_half_tau_b
from analysis.errors import InputError


def test_two_participants_have_one_split():
    # Two of three pairs are concordant, one is discordant.
    assert split_half_tau_b([[1, 2, 3], [1, 3, 2]]) == pytest.approx(1 / 3)


def test_it_is_the_mean_over_every_split_in_plain_python():
    scores = np.random.default_rng(1).integers(1, 8, (6, 9)).astype(float)
    scores[0, :3] = scores[4, 5] = np.nan
    every = []
    for half in combinations(range(6), 3):
        other = [k for k in range(6) if k not in half]
        one, two = (np.nanmean(scores[list(side)], axis=0) for side in (half, other))
        every.append(kendalltau(np.rint(one * 6), np.rint(two * 6)).statistic)
    error = np.std(every) / np.sqrt(4_000)
    assert split_half_tau_b(scores, 4_000) == pytest.approx(np.mean(every), abs=5 * error)


def test_equal_means_of_tenths_are_tied():
    scores = np.array([[0.1, 0.3, 0.6], [0.2, 0.0, 0.5]] * 2)
    assert split_half_tau_b(scores) == split_half_tau_b(scores * 10)


def test_without_participants_it_is_undefined():
    assert np.isnan(split_half_tau_b([[1, 2, 3]]))
    assert np.isnan(split_half_tau_b([[1, 2, 3], [np.nan] * 3]))
    assert np.isnan(split_half_tau_b([[2, 2, 2], [1, 2, 3]]))


def test_zero_halves_are_an_error():
    with pytest.raises(InputError, match="halves should be at least 1"):
        split_half_tau_b([[1, 2], [1, 2]], 0)
