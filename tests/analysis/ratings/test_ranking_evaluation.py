"""Systems against a human ranking: by hand, and consistent with its parts."""

import numpy as np
import pytest

from analysis import HumanRanking, evaluate_ranking, holm, tau_b
from analysis.errors import InputError


def _human(participants=8, queries=12, candidates=15, ratings=True):
    rng = np.random.default_rng(1)
    liking = rng.normal(size=(queries, candidates))
    noise = rng.normal(size=(participants, queries, candidates))
    scores = np.clip(np.rint(4 + 1.5 * (liking + noise)), 1, 7)
    where = np.ones(liking.shape, dtype=bool)
    return HumanRanking(scores.mean(0), where, scores if ratings else None), liking


def test_by_hand():
    human = HumanRanking(np.array([[3.0, 2, 1], [1, 2, 2]]), np.ones((2, 3), dtype=bool))
    found = evaluate_ranking(human, ["s"], [[[9, 5, 1], [0, 1, 2]]])
    assert found.by_query[0] == pytest.approx([1, 2 / np.sqrt(6)])
    assert found.score[0] == pytest.approx((1 + 2 / np.sqrt(6)) / 2)


def test_people_against_themselves_are_perfect_and_noise_is_not():
    human, liking = _human()
    noise = np.random.default_rng(2).normal(size=liking.shape)
    found = evaluate_ranking(human, ["people", "liking", "noise"], [human.mean, liking, noise])
    assert found.score[0] == 1
    assert found.score[0] > found.score[1] > found.score[2]
    low, high = found.over_queries.low, found.over_queries.high
    assert np.all((low <= found.score) & (found.score <= high))
    assert low[2] < 0.2 and high[2] > -0.2
    assert found.over_participants_and_queries.low[0] < 1


def test_comparisons_are_corrected_over_all_pairs():
    human, liking = _human(ratings=False)
    rng = np.random.default_rng(3)
    scores = [liking + spread * rng.normal(size=liking.shape) for spread in (0.1, 1, 5)]
    found = evaluate_ranking(human, ["a", "b", "c"], scores)
    assert found.over_participants_and_queries is None
    assert found.comparisons.pairs.tolist() == [[0, 1], [0, 2], [1, 2]]
    assert np.array_equal(found.comparisons.p_holm, holm(found.comparisons.p))
    assert found.comparisons.difference[1] == pytest.approx(found.score[0] - found.score[2])


def test_a_constant_system_is_undefined_or_zero_as_asked():
    human, liking = _human(ratings=False)
    half = liking.copy()
    half[::2] = 1.0
    dropped = evaluate_ranking(human, ["half"], half[None])
    zero = evaluate_ranking(human, ["half"], half[None], undefined="zero")
    assert dropped.undefined.tolist() == zero.undefined.tolist() == [6]
    assert dropped.score[0] == pytest.approx(np.mean(tau_b(liking[1::2], human.mean[1::2])))
    assert zero.score[0] == pytest.approx(dropped.score[0] / 2)
    constant = evaluate_ranking(human, ["flat"], np.ones((1, *liking.shape)))
    assert np.isnan(constant.score[0]) and np.isnan(constant.over_queries.low[0])


def test_the_same_seed_gives_the_same_numbers():
    human, liking = _human()
    one, other = (evaluate_ranking(human, ["s"], liking[None], seed=7) for _ in range(2))
    assert one.over_participants_and_queries.low == other.over_participants_and_queries.low
    assert one.over_queries.high == other.over_queries.high


def test_refuses_scores_of_another_shape():
    human, liking = _human()
    with pytest.raises(InputError, match="scores should have shape"):
        evaluate_ranking(human, ["s", "t"], liking[None])
