"""Intraclass correlation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analysis.ratings.intraclass import icc

# Four judges (rows here) and six targets: Shrout & Fleiss 1979, table 2.
JUDGES = [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]]


def test_the_published_six_forms():
    found = icc(JUDGES)
    assert found[:6] == pytest.approx([0.166, 0.290, 0.715, 0.443, 0.620, 0.909], abs=6e-4)
    assert (found.k, found.complete, found.of, found.stimuli) == (4, 4, 4, 6)


def test_third_form_of_the_mean_is_cronbachs_alpha():
    scores = np.array(JUDGES, dtype=float)
    of_sum = scores.sum(axis=0).var(ddof=1)
    alpha = 4 / 3 * (1 - scores.var(axis=1, ddof=1).sum() / of_sum)
    assert icc(scores).icc_3_k == pytest.approx(alpha)


@given(arrays(float, (3, 5), elements=st.integers(1, 7)), st.integers(-3, 3))
def test_a_shift_of_all_scores_changes_nothing(scores, shift):
    np.testing.assert_allclose(icc(scores), icc(scores + shift), atol=1e-9)


def test_a_shift_of_one_judge_leaves_only_the_third_form():
    scores = np.array(JUDGES, dtype=float)
    moved = scores + np.array([[3], [0], [0], [0]])
    assert icc(moved).icc_3_1 == pytest.approx(icc(scores).icc_3_1)
    assert icc(moved).icc_2_1 != pytest.approx(icc(scores).icc_2_1)


def test_with_a_score_missing_by_hand():
    # The components are 5/6, 1/2 and 0 (test_components), k = 3 / (1/2 + 1/2 + 1). Between stimuli
    # with means 1.5, 2.5, 3: within 1/2 of two free scores; (1.7 / 2 - 1/2) / ((5 - 9/5) / 2).
    found = icc([[1, 2, 3], [2, 3, np.nan]])
    assert (found.k, found.complete, found.of) == (1.5, 1, 2)
    assert (found.icc_2_1, found.icc_3_1) == pytest.approx((5 / 8, 1))
    assert found.icc_2_k == pytest.approx((5 / 6) / (5 / 6 + 1 / 2 / 1.5))
    among = 2 * (1.5 - 2.2) ** 2 + 2 * (2.5 - 2.2) ** 2 + (3 - 2.2) ** 2
    between = (among / 2 - 0.5) / 1.6
    assert found.icc_1_1 == pytest.approx(between / (between + 0.5))
    assert found.icc_1_k == pytest.approx(between / (between + 0.5 / 1.5))


def test_scores_missing_at_random_leave_the_forms_where_they_were():
    rng = np.random.default_rng(2)
    gone, left_out = [], []
    for _ in range(60):
        scores = rng.normal(size=20) + rng.normal(size=(10, 1)) + rng.normal(size=(10, 20))
        some = np.where(rng.random(scores.shape) < 0.2, np.nan, scores)
        gone.append(icc(some).icc_2_1 - icc(scores).icc_2_1)
        left_out.append(icc(some).complete)
    assert abs(np.mean(gone)) < 0.01 and np.mean(left_out) < 1


@pytest.mark.parametrize(
    "scores", [[[1, 2, 3]], [[1], [2]], [[2, 2], [2, 2]], [[1, np.nan], [1, 2]]]
)
def test_undefined_is_not_zero(scores):
    assert np.isnan(icc(scores)[:6]).all()
