"""Intervals of a mean over queries: by hand, by simulation, and reproducible."""

import numpy as np
import pytest
import scipy.stats

from analysis import bootstrap_interval, macro_mean
from analysis.errors import InputError


def test_macro_mean_leaves_undefined_out_or_counts_it_zero():
    values = [[1.0, 0.5, np.nan], [np.nan, np.nan, np.nan]]
    assert macro_mean(values)[0] == 0.75
    assert np.isnan(macro_mean(values)[1])
    assert macro_mean(values, "zero").tolist() == [0.5, 0.0]


def test_interval_agrees_with_scipy():
    values = np.random.default_rng(5).normal(0.4, 0.2, 31)
    low, high = bootstrap_interval(values[None], draws=20_000, seed=1)
    theirs = scipy.stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=2
    ).confidence_interval
    assert low[0] == pytest.approx(theirs.low, abs=0.004)
    assert high[0] == pytest.approx(theirs.high, abs=0.004)


def test_two_queries_by_hand():
    # means of two drawn queries of {0, 1}: 0, 1/2, 1 with chances 1/4, 1/2, 1/4
    low, high = bootstrap_interval([[0.0, 1.0]])
    assert (low[0], high[0]) == (0.0, 1.0)


def test_same_seed_same_interval_and_another_another():
    values = np.random.default_rng(6).random((2, 12))
    assert np.array_equal(bootstrap_interval(values, seed=3), bootstrap_interval(values, seed=3))
    assert not np.array_equal(
        bootstrap_interval(values, seed=3), bootstrap_interval(values, seed=4)
    )


def test_undefined_queries():
    low, high = bootstrap_interval([[np.nan, 0.5, 0.5], [np.nan] * 3])
    assert (low[0], high[0]) == (0.5, 0.5)
    assert np.isnan(low[1]) and np.isnan(high[1])
    low, _ = bootstrap_interval([[np.nan, 0.5, 0.5]], "zero")
    assert low[0] < 0.5


@pytest.mark.parametrize("values", [[], [[]], [1.0, 2.0], np.zeros((2, 2, 2))])
def test_refuses_other_shapes(values):
    with pytest.raises(InputError, match="shape"):
        bootstrap_interval(values)


def test_refuses_no_draws():
    with pytest.raises(InputError, match="draws is 0"):
        bootstrap_interval([[1.0]], draws=0)


def test_a_draw_of_many_queries_in_two_steps_is_a_draw(monkeypatch):
    from analysis import bootstrap

    monkeypatch.setattr(bootstrap, "_STRETCH", 8)
    which = np.eye(20)
    times = bootstrap._drawn_sums(np.random.default_rng(1), 4_000, which)
    assert np.array_equal(times, np.rint(times)) and times.min() >= 0
    assert np.all(times.sum(1) == 20)
    assert np.allclose(times.mean(0), 1, atol=0.1)
    covariance = np.cov(times.T)
    assert np.allclose(np.diag(covariance), 1 - 1 / 20, atol=0.15)
    assert np.allclose(covariance[~np.eye(20, dtype=bool)], -1 / 20, atol=0.1)


def test_many_queries_have_the_interval_of_the_normal_limit():
    values = np.random.default_rng(8).exponential(size=70_000)
    low, high = bootstrap_interval(values[None], draws=2_000)
    error = values.std() / np.sqrt(values.size)
    assert low[0] == pytest.approx(values.mean() - 1.96 * error, abs=0.25 * error)
    assert high[0] == pytest.approx(values.mean() + 1.96 * error, abs=0.25 * error)
