"""Reliability of mean orders, and numbers of scores needed."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import spearmanr

from analysis.errors import InputError
from analysis.ratings.order_reliability import OrderReliability, order_reliability


def raters(people, queries, noise, seed=1):
    rng = np.random.default_rng(seed)
    liking = rng.normal(size=(queries, 9))
    return [liking[q] + noise * rng.normal(size=(people, 9)) for q in range(queries)]


def test_by_hand():
    # Three people, three stimuli: rank correlations 1/2, 1/2 and -1/2, with mean 1/6.
    found = order_reliability([np.array([[1.0, 2, 3], [1, 3, 2], [2, 1, 3]])])
    assert found.reliability == pytest.approx(3 / 6 / (1 + 2 / 6))
    assert found.k == 3 and np.isnan([found.low, found.high]).all()


def test_it_is_the_mean_spearman_correlation_and_its_jackknife():
    queries = raters(6, 4, 1.0)

    def mean(people):
        pairs = combinations(people, 2)
        return np.mean([[spearmanr(q[a], q[b]).statistic for q in queries] for a, b in pairs])

    def of_six(r):
        return 6 * r / (1 + 5 * r)

    without = [mean([k for k in range(6) if k != gone]) for gone in range(6)]
    half = 2.570582 * np.sqrt(5 / 6 * ((without - np.mean(without)) ** 2).sum())
    found = order_reliability(queries)
    r = mean(range(6))
    assert found.reliability == pytest.approx(of_six(r))
    assert (found.low, found.high) == pytest.approx((of_six(r - half), of_six(r + half)))


def test_additional_scores_bring_the_lower_bound_to_the_target():
    found = order_reliability(raters(6, 4, 1.0))
    more = found.more(0.9)
    assert found.low < 0.9 and more > 0
    r = found.low / (6 - 5 * found.low)
    n = 6 + more
    assert n * r / (1 + (n - 1) * r) >= 0.9 > (n - 1) * r / (1 + (n - 2) * r)
    assert order_reliability(raters(30, 4, 0.1)).more(0.9) == 0


def test_parts_of_the_queries_for_each_participant_and_scores_missing():
    queries = raters(8, 4, 0.7)
    whole = order_reliability(queries)
    queries[0][:4] = queries[1][6:] = np.nan
    queries[2][1, 3] = np.nan
    parts = order_reliability(queries)
    assert parts.low < parts.reliability < parts.high
    assert parts.k < whole.k == 8
    assert parts.reliability == pytest.approx(whole.reliability, abs=0.1)


@pytest.mark.parametrize("scores", [[[1.0, 2, 3]], [[2.0, 2], [2, 2]], [[1, np.nan], [np.nan, 2]]])
def test_without_scores_to_compare_it_is_undefined(scores):
    found = order_reliability([np.array(scores)])
    assert np.isnan(found.reliability) and found.more(0.9) is None


def test_people_who_disagree_are_reliable_at_0_and_more_do_not_help():
    found = order_reliability([np.array([[1.0, 2, 3], [3, 2, 1], [2, 1, 3], [2, 3, 1]])])
    assert found.reliability == 0 and found.more(0.9) is None
    assert OrderReliability(1.0, 1.0, 1.0, 5.0).more(0.9) == 0


def test_different_participants_by_query_are_an_error():
    with pytest.raises(InputError, match="every query should have the same participants"):
        order_reliability([np.ones((2, 3)), np.ones((3, 3))])
