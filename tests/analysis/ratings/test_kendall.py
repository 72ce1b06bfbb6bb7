"""Kendall's W."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import chi2, friedmanchisquare, spearmanr

from analysis.ratings.kendall import kendall_w
from tests.analysis.ratings.test_components import by_regression

COMPLETE = st.tuples(st.integers(3, 6), st.integers(3, 6)).flatmap(
    lambda shape: arrays(float, shape, elements=st.integers(1, 4))
)


def test_three_judges_by_hand():
    # Rank sums of six works: 8, 14, 11, 11, 11, 8; S = 25.5, and without ties
    # W = 12 * 25.5 / (9 * 210) = 0.162 (Siegel & Castellan's applicants, judged by three).
    scores = [[1, 6, 3, 2, 5, 4], [1, 5, 6, 4, 2, 3], [6, 3, 2, 5, 4, 1]]
    found = kendall_w(scores)
    assert found.w == pytest.approx(12 * 25.5 / (9 * (6**3 - 6)))
    assert found.chi2 == pytest.approx(3 * 5 * found.w)
    assert (found.df, found.k, found.complete, found.of) == (5, 3, 3, 3)
    assert found.p == pytest.approx(chi2.sf(found.chi2, 5))


def test_ties_are_corrected_for():
    # Both have ranks 1, 2.5, 2.5: perfect agreement, but uncorrected W would be below 1.
    assert kendall_w([[1, 2, 2], [3, 5, 5]]).w == pytest.approx(1)


@given(COMPLETE)
def test_friedmans_test_of_scipy_agrees(scores):
    assume((np.ptp(scores, axis=1) > 0).any())
    found = kendall_w(scores)
    expected = friedmanchisquare(*scores.T)
    assert found.chi2 == pytest.approx(expected.statistic)
    assert found.p == pytest.approx(expected.pvalue)


def test_without_ties_it_is_the_mean_spearman_correlation_rescaled_to_0_and_1():
    rng = np.random.default_rng(1)
    scores = np.stack([rng.permutation(7) for _ in range(5)]).astype(float)
    rho = spearmanr(scores, axis=1).statistic[np.triu_indices(5, 1)].mean()
    assert kendall_w(scores).w == pytest.approx((rho * 4 + 1) / 5)


def test_with_a_missing_score_ranks_are_rescaled_and_all_scores_count():
    # Ranks 1 2 3 of three, 1 2 of two times 4/3, 2 1 3: by regressions
    scores = np.array([[1, 5, 9], [2, np.nan, 4], [3, 2, 7]])
    stretched = np.array([[1, 2, 3], [4 / 3, np.nan, 8 / 3], [2, 1, 3]])
    stimuli, _, rest = by_regression(stretched)
    k = 3 / (1 / 3 + 1 / 2 + 1 / 3)
    found = kendall_w(scores)
    assert (found.k, found.complete, found.of) == (pytest.approx(k), 2, 3)
    assert found.w == pytest.approx((stimuli + rest / k) / (stimuli + rest))
    assert found.chi2 == pytest.approx(k * 2 * found.w)


@pytest.mark.slow
def test_scores_missing_at_random_leave_w_nearly_where_it_was():
    rng = np.random.default_rng(3)
    gone = []
    for _ in range(60):
        scores = rng.normal(size=20) + rng.normal(size=(10, 20))
        found = kendall_w(np.where(rng.random(scores.shape) < 0.2, np.nan, scores))
        correlation = (found.k * found.w - 1) / (found.k - 1)
        gone.append(correlation - (10 * kendall_w(scores).w - 1) / 9)
    assert abs(np.mean(gone)) < 0.015


def test_a_participant_with_one_score_is_left_out():
    complete = [[1, 2, 3], [1, 3, 2]]
    found = kendall_w([*complete, [3, np.nan, np.nan]])
    assert found[:5] == kendall_w(complete)[:5]
    assert (found.complete, found.of) == (2, 3)


@pytest.mark.parametrize(
    "scores", [[[1, 2, 3]], [[1], [2]], [[2, 2], [3, 3]], [[1, np.nan], [1, 2]]]
)
def test_undefined_is_not_zero(scores):
    found = kendall_w(scores)
    assert np.isnan([found.w, found.chi2, found.p]).all()
