"""Intervals of means: by hand, and checked against scipy."""

import numpy as np
import pytest
import scipy.stats

from analysis import jackknife_interval, macro_mean, t_interval, wilson_interval
from analysis.errors import InputError

NAN = float("nan")


def test_macro_mean_leaves_undefined_out():
    values = [[1.0, 0.5, NAN], [NAN, NAN, NAN]]
    assert macro_mean(values)[0] == 0.75
    assert np.isnan(macro_mean(values)[1])


def test_t_by_hand():
    # Mean 5, variance 20/3, standard error sqrt(5/3), t with 3 degrees of freedom 3.182446.
    low, high = t_interval([[2.0, 4.0, 6.0, 8.0]])
    assert (low[0], high[0]) == pytest.approx((5 - 4.1085205, 5 + 4.1085205), abs=1e-6)


def test_t_agrees_with_scipy():
    values = np.random.default_rng(5).normal(0.4, 0.2, (3, 31))
    values[1, 4:9] = NAN
    found = np.array(t_interval(values))
    for k, row in enumerate(values):
        known = row[~np.isnan(row)]
        theirs = scipy.stats.ttest_1samp(known, 0).confidence_interval(0.95)
        assert found[:, k] == pytest.approx(theirs, abs=1e-12)


def test_below_four_there_is_no_interval():
    for interval in (t_interval, wilson_interval):
        low, high = interval([[1, 0, 1, NAN], [1, 0, 1, 1], [NAN] * 4])
        assert np.isnan([low[0], high[0], low[2], high[2]]).all() and low[1] < 0.75 < high[1]
    assert np.isnan(jackknife_interval(0.5, [0.4, 0.5, 0.6])).all()


def test_bounds_stay_within_the_possible_range():
    low, high = t_interval([[1.0, 1.0, 1.0, -0.5]], within=(-1, 1))
    assert -1 < low[0] < 0.625 and high[0] == 1
    assert jackknife_interval(0.9, [0.5, 1.0, 1.0, 0.9], within=(-1, 1))[1] == 1


def test_equal_values_have_an_interval_of_no_width():
    low, high = t_interval([[0.25] * 5])
    assert (low[0], high[0]) == (0.25, 0.25)


def test_the_jackknife_of_a_mean_is_t():
    values = np.random.default_rng(6).random(7)
    without = (values.sum() - values) / 6
    low, high = t_interval(values[None])
    assert jackknife_interval(values.mean(), without) == pytest.approx((low[0], high[0]))


def test_the_jackknife_of_a_mean_over_pairs_by_hand():
    # Of the pairs of four people, 12 and 23 are 1, the others 0. Without each: 1/3, 0, 1/3, 2/3.
    low, high = jackknife_interval(1 / 3, [1 / 3, 0, 1 / 3, 2 / 3])
    error = np.sqrt(3 / 4 * (1 / 9 + 1 / 9))
    assert (high - low) / 2 == pytest.approx(3.182446 * error, abs=1e-6)
    assert (high + low) / 2 == pytest.approx(1 / 3)


def test_the_jackknife_of_undefined_estimates_is_undefined():
    assert np.isnan(jackknife_interval(0.5, [0.4, NAN, 0.6, 0.5])).all()
    assert np.isnan(jackknife_interval(NAN, [0.4, 0.5, 0.6, 0.5])).all()


@pytest.mark.parametrize(("hits", "of"), [(0, 10), (7, 10), (4, 5), (31, 31), (1, 4)])
def test_wilson_agrees_with_scipy(hits, of):
    low, high = wilson_interval([[1] * hits + [0] * (of - hits)])
    theirs = scipy.stats.binomtest(hits, of).proportion_ci(method="wilson")
    assert (low[0], high[0]) == pytest.approx(theirs, abs=1e-12)


def test_wilson_accepts_only_hits_and_misses():
    with pytest.raises(InputError, match="hits should be 1, misses 0"):
        wilson_interval([[0.5, 1, 0, 1]])


@pytest.mark.parametrize("values", [[], [[]], [1.0, 2.0], np.zeros((2, 2, 2))])
@pytest.mark.parametrize("interval", [t_interval, wilson_interval])
def test_refuses_other_shapes(interval, values):
    with pytest.raises(InputError, match="shape"):
        interval(values)


def test_the_jackknife_of_other_shapes_is_an_error():
    with pytest.raises(InputError, match="one per participant, but have shape"):
        jackknife_interval(0.5, [[0.5]])
