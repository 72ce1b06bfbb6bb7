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
    assert (found.participants, found.stimuli) == (4, 6)


def test_third_form_of_the_mean_is_cronbachs_alpha():
    scores = np.array(JUDGES, dtype=float)
    of_sum = scores.sum(axis=0).var(ddof=1)
    alpha = 4 / 3 * (1 - scores.var(axis=1, ddof=1).sum() / of_sum)
    assert icc(scores).icc_3_k == pytest.approx(alpha)


@given(arrays(float, (3, 5), elements=st.integers(1, 7)), st.integers(-3, 3))
def test_a_shift_of_everybody_changes_nothing(scores, shift):
    np.testing.assert_allclose(icc(scores), icc(scores + shift), atol=1e-9)


def test_a_shift_of_one_judge_leaves_only_the_third_form():
    scores = np.array(JUDGES, dtype=float)
    moved = scores + np.array([[3], [0], [0], [0]])
    assert icc(moved).icc_3_1 == pytest.approx(icc(scores).icc_3_1)
    assert icc(moved).icc_2_1 != pytest.approx(icc(scores).icc_2_1)


def test_who_left_a_stimulus_out_is_left_out():
    assert icc([*JUDGES, [1, 2, 3, 4, 5, np.nan]]) == icc(JUDGES)


@pytest.mark.parametrize(
    "scores", [[[1, 2, 3]], [[1], [2]], [[2, 2], [2, 2]], [[1, np.nan], [1, 2]]]
)
def test_undefined_is_not_zero(scores):
    assert np.isnan(icc(scores)[:6]).all()
