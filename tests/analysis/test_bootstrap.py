"""Intervals of a mean over queries: by hand, by simulation, and reproducible."""

import numpy as np
import pytest
import scipy.stats

from analysis import bootstrap_interval, bootstrap_with_participants, macro_mean, tau_b
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


def _people(missing=0.0, participants=9):
    rng = np.random.default_rng(7)
    liking = rng.normal(size=(6, 10))
    noise = rng.normal(size=(participants, 6, 10))
    ratings = np.clip(np.rint(4 + 1.5 * (liking + noise)), 1, 7)
    ratings[rng.random(ratings.shape) < missing] = np.nan
    return ratings, np.stack(
        [liking + rng.normal(size=liking.shape), rng.normal(size=liking.shape)]
    )


def test_one_participant_leaves_only_the_queries_to_draw():
    ratings, scores = _people(participants=1)
    joint = bootstrap_with_participants(ratings, scores, draws=4000, seed=1)
    over_queries = bootstrap_interval(tau_b(scores, ratings[0]), draws=4000, seed=2)
    assert np.allclose(joint, over_queries, atol=0.03)


@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_every_draw_is_the_tau_b_of_its_participants(missing, monkeypatch):
    from analysis import bootstrap

    ratings, scores = _people(missing)
    seen = []
    real = bootstrap._tau_of_draws
    monkeypatch.setattr(
        bootstrap,
        "_tau_of_draws",
        lambda weights, *rest: seen.append((weights, real(weights, *rest))) or seen[-1][1],
    )
    bootstrap_with_participants(ratings, scores, draws=5, seed=1)
    weights, tau = seen[0]
    for draw in range(5):
        drawn = np.repeat(ratings, weights[draw], axis=0)
        rated = ~np.isnan(drawn)
        mean = np.where(rated, drawn, 0).sum(0) / np.maximum(rated.sum(0), 1)
        expected = tau_b(scores, mean, where=rated.any(0))
        assert np.allclose(tau[draw].T, expected, equal_nan=True)


def test_joint_interval_is_wider_than_over_queries_alone():
    ratings, scores = _people(participants=4)
    low, high = bootstrap_with_participants(ratings, scores, seed=1)
    q_low, q_high = bootstrap_interval(tau_b(scores, ratings.mean(0)), seed=1)
    assert high[0] - low[0] > q_high[0] - q_low[0]


def test_joint_refuses_shapes_that_do_not_fit():
    with pytest.raises(InputError, match="do not fit"):
        bootstrap_with_participants(np.ones((2, 3, 4)), np.ones((1, 3, 5)))
