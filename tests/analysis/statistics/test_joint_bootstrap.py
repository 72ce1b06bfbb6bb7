"""Intervals over participants and queries together, checked against draws one by one."""

import numpy as np
import pytest

from analysis import bootstrap_with_participants, t_interval, tau_b
from analysis.errors import InputError
from analysis.statistics.weighted_truth import JudgedQuery, tau_of_weights


def _people(missing=0.0, participants=9):
    rng = np.random.default_rng(7)
    liking = rng.normal(size=(6, 10))
    noise = rng.normal(size=(participants, 6, 10))
    ratings = np.clip(np.rint(4 + 1.5 * (liking + noise)), 1, 7)
    ratings[rng.random(ratings.shape) < missing] = np.nan
    return ratings, np.stack(
        [liking + rng.normal(size=liking.shape), rng.normal(size=liking.shape)]
    )


@pytest.mark.parametrize(("people", "queries"), [(3, 6), (9, 3), (1, 1)])
def test_below_four_people_or_queries_there_is_no_interval(people, queries):
    ratings, scores = _people(participants=people)
    joint = bootstrap_with_participants(ratings[:, :queries], scores[:, :queries], draws=50)
    assert np.shape(joint) == (2, 2) and np.isnan(joint).all()


@pytest.mark.parametrize("people", [4, 9, 28])
def test_the_interval_contains_its_own_score(people):
    """Unshifted draws did not contain it: people drawn twice give a noisier truth."""
    ratings, scores = _people(participants=people)
    liked = np.stack([*scores, ratings.mean(0)])
    score = tau_b(liked, ratings.mean(0)).mean(1)
    low, high = bootstrap_with_participants(ratings, liked, draws=500)
    assert (low <= score).all() and (score <= high).all()
    assert score[2] == high[2] == 1 and low[2] < 1


def test_it_is_never_narrower_than_over_queries_alone():
    ratings, scores = _people(participants=28)
    ratings, scores = ratings[:, :4], scores[:, :4]
    low, high = bootstrap_with_participants(ratings, scores, draws=500)
    over_queries = t_interval(tau_b(scores, ratings.mean(0)), (-1, 1))
    assert (low <= over_queries[0] + 1e-12).all() and (high >= over_queries[1] - 1e-12).all()


def _without_rows(ratings):
    """Ratings in which participants leave out whole queries."""
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
        query = JudgedQuery.of(ratings[:, q], scores[:, q])
        tau = tau_of_weights(weights.astype(float), query)
        for draw in range(5):
            drawn = np.repeat(ratings[:, q], weights[draw], axis=0)
            rated = ~np.isnan(drawn)
            mean = np.where(rated, drawn, 0).sum(0) / np.maximum(rated.sum(0), 1)
            expected = tau_b(scores[:, q], mean, where=rated.any(0))
            assert np.allclose(tau[draw], expected, equal_nan=True)


def _mean_tau(drawn, scores):
    rated = ~np.isnan(drawn)
    mean = np.where(rated, drawn, 0).sum(0) / np.maximum(rated.sum(0), 1)
    return tau_b(scores, mean, where=rated.any(0))


@pytest.mark.slow
def test_the_interval_is_that_of_draws_made_one_by_one_and_shifted():
    ratings, scores = _people(missing=0.2, participants=5)
    rng = np.random.default_rng(11)
    means = []
    for _ in range(4_000):
        tau = _mean_tau(ratings[rng.integers(0, 5, 5)], scores)
        means.append(np.nanmean(tau[:, rng.integers(0, 6, 6)], axis=1))
    of_all = _mean_tau(ratings, scores)
    shifted = means + of_all.mean(1) - np.mean(means, axis=0)
    alone = t_interval(of_all, (-1, 1))
    quantiles = np.quantile(shifted, [0.025, 0.975], axis=0)
    low, high = bootstrap_with_participants(ratings, scores, draws=20_000)
    assert np.allclose(low, np.minimum(alone[0], quantiles[0]), atol=0.03)
    assert np.allclose(high, np.minimum(np.maximum(alone[1], quantiles[1]), 1), atol=0.03)


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


def test_shapes_that_do_not_match_are_an_error():
    with pytest.raises(InputError, match="do not match"):
        bootstrap_with_participants(np.ones((2, 3, 4)), np.ones((1, 3, 5)))


@pytest.mark.parametrize(
    ("ratings", "scores", "where", "finding"),
    [
        ([[[1, np.inf]]], [[[1, 2]]], None, "rating is infinite"),
        ([[[1, 2]]], [[[1, np.nan]]], None, "score is NaN"),
        ([[[1, 2]]], [[[1, 2]]], np.ones((2, 2), dtype=bool), "where should have shape"),
        (np.ones((0, 3, 4)), np.ones((1, 3, 4)), None, "do not match"),
    ],
)
def test_infinite_ratings_and_missing_scores_are_errors(ratings, scores, where, finding):
    with pytest.raises(InputError, match=finding):
        bootstrap_with_participants(ratings, scores, where)


def test_a_constant_truth_is_left_out_and_a_constant_system_has_0():
    constant = np.full((4, 4, 4), 5.0)
    scores = np.arange(16.0).reshape(1, 4, 4)
    assert np.isnan(bootstrap_with_participants(constant, scores, draws=50)).all()
    ratings = np.tile(np.arange(4.0), (4, 5, 1))
    ratings[:, 4] = 5.0
    system = ratings[:1] * 1.0
    system[0, 0] = 7.0
    low, high = bootstrap_with_participants(ratings, system, draws=400)
    # Of five queries, one is left out, one is 0 and three are 1.
    assert low[0] < 0.75 < high[0] == 1
