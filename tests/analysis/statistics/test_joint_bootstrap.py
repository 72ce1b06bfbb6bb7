"""Intervals over participants and queries together, against draws made one by one."""

import numpy as np
import pytest

from analysis import bootstrap_interval, bootstrap_with_participants, tau_b
from analysis.errors import InputError
from analysis.statistics import joint_bootstrap


def _people(missing=0.0, participants=9):
    rng = np.random.default_rng(7)
    liking = rng.normal(size=(6, 10))
    noise = rng.normal(size=(participants, 6, 10))
    ratings = np.clip(np.rint(4 + 1.5 * (liking + noise)), 1, 7)
    ratings[rng.random(ratings.shape) < missing] = np.nan
    return ratings, np.stack(
        [liking + rng.normal(size=liking.shape), rng.normal(size=liking.shape)]
    )


def test_one_participant_and_one_query_leave_nothing_to_draw():
    for bound in bootstrap_with_participants([[[1, 2, 3]]], [[[1, 2, 3]], [[3, 1, 2]]]):
        assert bound.shape == (2,) and np.isnan(bound).all()


def test_one_participant_leaves_only_the_queries_to_draw():
    ratings, scores = _people(participants=1)
    joint = bootstrap_with_participants(ratings, scores, draws=4000, seed=1)
    over_queries = bootstrap_interval(tau_b(scores, ratings[0]), draws=4000, seed=2)
    assert np.allclose(joint, over_queries, atol=0.03)


def _without_rows(ratings):
    """Each participant leaves out a query as a whole, and the last one all of a query's."""
    ratings[np.arange(len(ratings)), np.arange(len(ratings)) % 5] = np.nan
    return ratings


@pytest.mark.parametrize(
    "change",
    [
        lambda ratings: ratings,
        _without_rows,
        lambda ratings: np.where(np.arange(10) < 7, ratings, np.nan),
        lambda ratings: ratings / 10,
        lambda ratings: ratings * 1e7,
    ],
    ids=["whole", "whole queries missing", "candidates nobody rated", "tenths", "large"],
)
@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_every_draw_is_the_tau_b_of_its_participants(missing, change):
    ratings, scores = _people(missing)
    ratings = change(ratings)
    weights = np.random.default_rng(3).multinomial(9, np.full(9, 1 / 9), 5)
    for q in range(ratings.shape[1]):
        query = joint_bootstrap._prepared(ratings[:, q], scores[:, q])
        tau = joint_bootstrap._tau_of_draws(weights.astype(float), query)
        for draw in range(5):
            drawn = np.repeat(ratings[:, q], weights[draw], axis=0)
            rated = ~np.isnan(drawn)
            mean = np.where(rated, drawn, 0).sum(0) / np.maximum(rated.sum(0), 1)
            expected = tau_b(scores[:, q], mean, where=rated.any(0))
            assert np.allclose(tau[draw], expected, equal_nan=True)


def test_the_interval_is_that_of_draws_made_one_by_one():
    ratings, scores = _people(missing=0.2, participants=5)
    rng = np.random.default_rng(11)
    means = []
    for _ in range(4_000):
        drawn = ratings[rng.integers(0, 5, 5)]
        rated = ~np.isnan(drawn)
        mean = np.where(rated, drawn, 0).sum(0) / np.maximum(rated.sum(0), 1)
        tau = tau_b(scores, mean, where=rated.any(0))
        means.append(np.nanmean(tau[:, rng.integers(0, 6, 6)], axis=1))
    low, high = bootstrap_with_participants(ratings, scores, draws=20_000)
    assert np.allclose((low, high), np.quantile(means, [0.025, 0.975], axis=0), atol=0.03)


def test_candidates_that_a_query_does_not_have_do_not_matter():
    ratings, scores = _people()
    where = np.ones((6, 10), dtype=bool)
    where[2, 6:] = False
    other = ratings.copy()
    other[:, 2, 6:] = np.nan
    scores_of_none = scores.copy()
    scores_of_none[:, 2, 6:] = np.nan
    one = bootstrap_with_participants(ratings, scores, where, draws=200)
    assert np.array_equal(one, bootstrap_with_participants(other, scores_of_none, where, draws=200))
    assert not np.array_equal(one, bootstrap_with_participants(ratings, scores, draws=200))


def test_joint_interval_is_wider_than_over_queries_alone():
    ratings, scores = _people(participants=4)
    low, high = bootstrap_with_participants(ratings, scores, seed=1)
    q_low, q_high = bootstrap_interval(tau_b(scores, ratings.mean(0)), seed=1)
    assert high[0] - low[0] > q_high[0] - q_low[0]


def test_joint_refuses_shapes_that_do_not_fit():
    with pytest.raises(InputError, match="do not fit"):
        bootstrap_with_participants(np.ones((2, 3, 4)), np.ones((1, 3, 5)))


@pytest.mark.parametrize(
    ("ratings", "scores", "where", "finding"),
    [
        ([[[1, np.inf]]], [[[1, 2]]], None, "rating is infinite"),
        ([[[1, 2]]], [[[1, np.nan]]], None, "score is NaN"),
        ([[[1, 2]]], [[[1, 2]]], np.ones((2, 2), dtype=bool), "where should have shape"),
        (np.ones((0, 3, 4)), np.ones((1, 3, 4)), None, "do not fit"),
    ],
)
def test_refuses_what_orders_nothing(ratings, scores, where, finding):
    with pytest.raises(InputError, match=finding):
        bootstrap_with_participants(ratings, scores, where)


def test_a_constant_side_is_undefined_and_counts_as_asked():
    constant = np.full((3, 2, 4), 5.0)
    scores = np.arange(8.0).reshape(1, 2, 4)
    assert np.isnan(bootstrap_with_participants(constant, scores, draws=50)).all()
    assert np.array_equal(
        bootstrap_with_participants(constant, scores, undefined="zero", draws=50), [[0.0], [0.0]]
    )
