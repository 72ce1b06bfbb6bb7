"""CG, DCG and normalised gain: by hand, by properties, and checked against scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from analysis import cumulative_gain, discounted_cumulative_gain, normalised_gain
from analysis.errors import InputError

# The worked example of Järvelin and Kekäläinen 2002, section 2.1, with base 2.
GAINS = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]


def test_the_paper_s_vectors():
    cg = [cumulative_gain(GAINS[:k]) for k in range(1, 11)]
    dcg = [discounted_cumulative_gain(GAINS[:k]) for k in range(1, 11)]
    assert cg == [3, 5, 8, 8, 8, 9, 11, 13, 16, 16]
    expected = [3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61]
    assert dcg == pytest.approx(expected, abs=0.006)


def test_the_two_forms_differ_and_have_names():
    assert discounted_cumulative_gain([0, 1]) == 1
    assert discounted_cumulative_gain([0, 1], form="trec") == pytest.approx(1 / np.log2(3))
    with pytest.raises(InputError, match="'shrec' or 'trec'"):
        discounted_cumulative_gain([1], form="other")


def test_normalised_by_hand():
    # SHREC: class of 3, hits at ranks 2 and 4, one missing
    ideal = 1 + 1 / np.log2(2) + 1 / np.log2(3)
    expected = (1 / np.log2(2) + 1 / np.log2(4)) / ideal
    assert normalised_gain([0, 1, 0, 1], [1, 1, 1]) == pytest.approx(expected)


@given(st.lists(st.integers(0, 4), min_size=2, max_size=20))
def test_trec_form_agrees_with_scikit_learn(gains):
    if any(gains):
        scores = -np.arange(len(gains))
        ours = normalised_gain(gains, gains, form="trec")
        assert ours == pytest.approx(ndcg_score([gains], [scores]))


@given(st.lists(st.floats(0, 5), min_size=1, max_size=20))
def test_the_ideal_order_has_gain_1_and_no_order_has_more(gains):
    if any(g > 1e-6 for g in gains):
        assert normalised_gain(sorted(gains, reverse=True), gains) == pytest.approx(1)
        assert 0 <= normalised_gain(gains, gains) <= 1


def test_nothing_relevant_is_undefined():
    assert np.isnan(normalised_gain([0, 0], [0]))


def test_a_gain_above_the_ideal_is_an_error():
    with pytest.raises(InputError, match="higher DCG than its ideal"):
        normalised_gain([1, 1], [1])
