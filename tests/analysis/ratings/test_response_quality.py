"""Runs, outliers and chance, checked against counts by hand and random draws."""

from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from analysis.errors import InputError
from analysis.ratings.response_quality import chance_bound, longest_run, modified_z


@given(st.lists(st.integers(1, 3)))
def test_the_longest_run_agrees_with_counting(scores):
    counted = max((len(list(run)) for _, run in groupby(scores)), default=0)
    assert longest_run(scores) == counted


def test_an_unknown_score_is_an_error():
    with pytest.raises(InputError):
        longest_run([1.0, np.nan])


def test_outliers_are_separated_and_missing_values_stay_missing():
    found = modified_z([1, 2, np.nan, 3, 4, 100])
    # Median 3, median absolute deviation 1: 97 / (1 / 0.6745).
    assert found[5] == pytest.approx(97 * 0.6745)
    assert np.isnan(found[2]) and abs(found[0]) < 3.5
    assert modified_z([4, 4, 4]).tolist() == [0, 0, 0]
    # Half of the values are equal, so the mean absolute deviation is used, 9 / 4.
    assert modified_z([1, 1, 1, 10])[3] == pytest.approx(9 / (9 / 4 / 0.7979))
    assert np.isnan(modified_z([np.nan])).all()


@pytest.mark.slow
def test_by_chance_one_in_twenty_is_above_the_bound():
    rng = np.random.default_rng(3)
    sizes = [8, 12, 20]
    order = {n: np.arange(n) for n in sizes}
    means = [
        np.mean([kendalltau(order[n], rng.permutation(n)).statistic for n in sizes])
        for _ in range(2000)
    ]
    above = np.mean(np.array(means) > chance_bound(sizes))
    assert 0.035 < above < 0.065
    assert np.isnan(chance_bound([1])) and chance_bound([1, 40]) == chance_bound([40])
