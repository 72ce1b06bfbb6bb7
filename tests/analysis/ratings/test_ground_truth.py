"""Ground truth and leave-one-out ceilings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kendalltau, rankdata

from analysis.errors import InputError
from analysis.ratings.ground_truth import (
    ground_truth,
    leave_one_out,
    leave_one_out_tau_b,
    mean_ranks,
    whole_multiples,
)

SHAPES = st.tuples(st.integers(1, 5), st.integers(1, 6))
SCORES = SHAPES.flatmap(
    lambda shape: arrays(float, shape, elements=st.sampled_from([1, 2, 3, 4, np.nan]))
)


def test_one_query_by_hand():
    truth = ground_truth([[1, 7, 2, np.nan], [3, 7, 2, np.nan], [np.nan, 4, 2, np.nan]], "low")
    np.testing.assert_allclose(truth.mean, [2, 6, 2, np.nan])
    np.testing.assert_array_equal(truth.n, [2, 3, 3, 0])
    np.testing.assert_allclose(truth.sd, [np.sqrt(2), np.sqrt(3), 0, np.nan])
    np.testing.assert_allclose(truth.se, [1, 1, 0, np.nan])
    np.testing.assert_allclose(truth.rank, [1.5, 3, 1.5, np.nan])


def test_the_direction_only_reverses_the_ranks():
    scores = [[1, 2, 3], [1, 2, 2]]
    low, high = ground_truth(scores, "low"), ground_truth(scores, "high")
    np.testing.assert_array_equal(low.mean, high.mean)
    np.testing.assert_array_equal(low.rank, 4 - high.rank)
    with pytest.raises(InputError, match="should be low or high, but is 'up'"):
        ground_truth(scores, "up")


def test_floating_point_noise_does_not_create_an_order():
    # 0.1 + 0.2 is not 0.3 in binary, but the means are equal.
    truth = ground_truth([[0.1, 0.3], [0.2, 0.0]], "high")
    assert truth.mean[0] == truth.mean[1]
    np.testing.assert_array_equal(truth.rank, [1.5, 1.5])
    np.testing.assert_array_equal(ground_truth([[0.1 + 0.2, 0.3, 0.5]], "low").rank, [1.5, 1.5, 3])


def test_equal_means_of_different_numbers_of_scores_are_equal():
    truth = ground_truth([[1, 1], [2, 2], [np.nan, 1], [np.nan, 2], [np.nan, 1.5]], "low")
    np.testing.assert_array_equal(truth.rank, [1.5, 1.5])


@pytest.mark.parametrize("parts", [3, 7, 9, 60, 999])
def test_equal_averages_of_several_questions_tie(parts):
    truth = ground_truth(np.array([[2 / parts, 1.0], [2.0, 1 + 2 / parts]]), "low")
    assert truth.rank.tolist() == [1.5, 1.5]
    assert truth.mean.tolist() == pytest.approx([1 + 1 / parts] * 2, rel=4e-16)


def test_a_mean_has_full_precision():
    scores = np.array([[np.pi, np.e], [np.sqrt(2), np.sqrt(3)]])
    truth = ground_truth(scores, "low")
    np.testing.assert_allclose(truth.mean, scores.mean(axis=0), rtol=1e-15)
    np.testing.assert_allclose(truth.sd, scores.std(axis=0, ddof=1), rtol=1e-14)


def test_one_score_has_no_standard_deviation():
    truth = ground_truth([[3.0]], "low")
    assert (truth.mean[0], truth.n[0], truth.rank[0]) == (3, 1, 1)
    assert np.isnan([truth.sd[0], truth.se[0]]).all()


@given(SCORES)
def test_numpy_and_scipy_agree(scores):
    truth = ground_truth(scores, "low")
    for k, column in enumerate(scores.T):
        known = column[~np.isnan(column)]
        assert truth.n[k] == len(known)
        if len(known):
            assert truth.mean[k] == pytest.approx(known.mean())
        if len(known) > 1:
            assert truth.sd[k] == pytest.approx(known.std(ddof=1))
    known = truth.mean[~np.isnan(truth.mean)].round(9)
    np.testing.assert_array_equal(truth.rank[~np.isnan(truth.mean)], rankdata(known))


@given(arrays(float, st.integers(0, 8), elements=st.sampled_from([0.5, 1, 2, 3])))
def test_ranks_agree_with_scipy(values):
    np.testing.assert_array_equal(mean_ranks(values), rankdata(values))


@pytest.mark.parametrize(
    ("scores", "unit"),
    [
        ([1, 7], 1),
        ([0.5, 2], 10),
        ([0.25, 1e6], 100),
        ([-1.5, np.nan], 10),
        ([0, 0], 1),
        ([1e15], 1),
    ],
)
def test_whole_multiples_give_the_scores_back(scores, unit):
    whole, found = whole_multiples(np.array(scores))
    assert found == unit
    np.testing.assert_array_equal(whole / found, scores)
    np.testing.assert_array_equal(whole[~np.isnan(whole)] % 1, 0)


@given(SCORES)
def test_ceilings_agree_with_scipy_for_each_participant(scores):
    lower, upper = leave_one_out_tau_b(scores)
    for person, own in enumerate(scores):
        rest = np.delete(scores, person, axis=0)
        used = ~np.isnan(own) & (~np.isnan(rest)).any(axis=0)
        for found, mean_of in ((lower[person], rest), (upper[person], scores)):
            mean = [np.nanmean(mean_of[:, k]) for k in np.flatnonzero(used)]
            constant = used.sum() < 2 or np.ptp(own[used]) == 0 or np.ptp(np.round(mean, 9)) == 0
            expected = np.nan if constant else kendalltau(own[used], np.round(mean, 9)).statistic
            assert found == pytest.approx(expected, nan_ok=True)


def test_ceilings_are_means_over_participants_then_queries():
    scores = np.random.default_rng(0).integers(1, 8, (5, 3, 10)).astype(float)
    found = leave_one_out(scores)
    by_query = [leave_one_out(scores[:, q]) for q in range(3)]
    assert found.lower == pytest.approx(np.mean([c.lower for c in by_query]))
    assert found.upper == pytest.approx(np.mean([c.upper for c in by_query]))
    assert found.lower < found.upper


def test_an_order_can_be_above_the_upper_ceiling_by_hand():
    # The mean, 2 5 5, ties stimuli that two of the three participants distinguish.
    scores = [[1, 4, 7], [1, 4, 7], [4, 7, 1]]
    to_each = np.mean([kendalltau([1, 2, 3], row).statistic for row in scores])
    assert to_each == pytest.approx((1 + 1 - 1 / 3) / 3)
    assert leave_one_out(scores).upper == pytest.approx(2 * 2 / 6**0.5 / 3)
    assert to_each > leave_one_out(scores).upper


def test_one_participant_has_no_ceiling():
    found = leave_one_out([[1.0, 2.0, 3.0]])
    assert np.isnan(found.lower) and np.isnan(found.upper)


@pytest.mark.parametrize(
    ("wrong", "finding"),
    [
        ([1.0, 2.0], r"have shape \(2,\)"),
        (np.zeros((0, 2)), r"have shape \(0, 2\)"),
        ([[1.0, np.inf]], "a score is infinite"),
        ([[1.0, -1e200]], "a score is -1e[+]200; scores should be 0, or between"),
        ([[1.0, 1e-310]], "a score is 1e-310"),
    ],
)
def test_invalid_scores_are_an_error(wrong, finding):
    for measure in (lambda s: ground_truth(s, "low"), leave_one_out):
        with pytest.raises(InputError, match=finding):
            measure(wrong)


def test_ranks_of_many_rows_are_those_of_each():
    rng = np.random.default_rng(3)
    rows = rng.integers(1, 5, (40, 9)).astype(float)
    rows[rng.random(rows.shape) < 0.2] = np.nan
    rows[0] = np.nan

    def rank(own, row):
        return np.nan if np.isnan(own) else (row < own).sum() + ((row == own).sum() + 1) / 2

    expected = [[rank(own, row) for own in row] for row in rows]
    np.testing.assert_array_equal(mean_ranks(rows), expected)
    np.testing.assert_array_equal([mean_ranks(row) for row in rows], expected)
