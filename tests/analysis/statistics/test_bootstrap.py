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


def test_one_query_has_no_interval():
    for values in ([[0.5]], [[0.5, np.nan, np.nan]]):
        assert np.isnan(bootstrap_interval(values)).all()
    assert np.isnan(bootstrap_interval([[0.5]], "zero")).all()
    assert bootstrap_interval([[0.5, np.nan]], "zero")[1] == 0.5


@pytest.mark.parametrize("values", [[], [[]], [1.0, 2.0], np.zeros((2, 2, 2))])
def test_refuses_other_shapes(values):
    with pytest.raises(InputError, match="shape"):
        bootstrap_interval(values)


def test_refuses_no_draws():
    with pytest.raises(InputError, match="draws is 0"):
        bootstrap_interval([[1.0]], draws=0)


@pytest.mark.parametrize(
    ("queries", "stretch", "together"),
    [(12, 8, 3), (12, 2_048, 3), (31, 2_048, 2), (90, 2_048, 1)],
)
def test_a_draw_takes_every_query_alike(queries, stretch, together, monkeypatch):
    from analysis.statistics import bootstrap

    assert bootstrap._queries_at_once(queries) == together
    monkeypatch.setattr(bootstrap, "_STRETCH", stretch)
    which = np.eye(queries)
    times = bootstrap._drawn_sums(np.random.default_rng(1), 4_000, which)
    assert np.array_equal(times, np.rint(times)) and times.min() >= 0
    assert np.all(times.sum(1) == queries)
    assert np.allclose(times.mean(0), 1, atol=0.1)
    covariance = np.cov(times.T)
    assert np.allclose(np.diag(covariance), 1 - 1 / queries, atol=0.17)
    assert np.allclose(covariance[~np.eye(queries, dtype=bool)], -1 / queries, atol=0.1)


@pytest.mark.parametrize("queries", [2, 3, 11, 31, 150, 182, 500])
def test_one_system_alone_has_the_interval_that_it_has_among_many(queries):
    values = np.random.default_rng(9).random((5, queries))
    together = bootstrap_interval(values, seed=4, draws=500)
    for k in range(5):
        alone = bootstrap_interval(values[k : k + 1], seed=4, draws=500)
        assert np.allclose([alone[0][0], alone[1][0]], [together[0][k], together[1][k]])


def test_many_queries_have_the_interval_of_the_normal_limit():
    values = np.random.default_rng(8).exponential(size=70_000)
    low, high = bootstrap_interval(values[None], draws=2_000)
    error = values.std() / np.sqrt(values.size)
    assert low[0] == pytest.approx(values.mean() - 1.96 * error, abs=0.25 * error)
    assert high[0] == pytest.approx(values.mean() + 1.96 * error, abs=0.25 * error)
