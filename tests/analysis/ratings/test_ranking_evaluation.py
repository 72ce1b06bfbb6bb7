"""Systems compared with a human ranking: by hand, and consistent with its parts."""

import numpy as np
import pytest
from scipy.stats import kendalltau

from analysis import HumanRanking, evaluate_ranking, holm, split_half_tau_b, tau_b
from analysis.errors import InputError
from analysis.ratings.ranking_evaluation import human_agreement


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


def test_the_mean_itself_is_perfect_and_noise_is_not():
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


def test_a_constant_system_has_0_and_is_counted():
    human, liking = _human(ratings=False)
    half = liking.copy()
    half[::2] = 1.0
    found = evaluate_ranking(human, ["half", "flat"], [half, np.ones(liking.shape)])
    assert found.constant.tolist() == found.undefined.tolist() == [6, 12]
    assert found.by_query[0, ::2].tolist() == [0] * 6
    correlations = np.asarray(tau_b(liking[1::2], human.mean[1::2]))
    assert found.score == pytest.approx([correlations.sum() / 12, 0])


def test_constant_answers_gain_nothing():
    """.733 for the three easy queries only, .633 for all four: the second system is better."""
    truth = np.array([[1.0, 2, 3, 4]] * 4)
    system = np.array([[1, 2, 3, 4], [1, 2, 4, 3], [1, 3, 2, 4], [2, 1, 4, 3]], dtype=float)
    silent = system.copy()
    silent[3] = 5
    found = evaluate_ranking(
        HumanRanking(truth, np.ones((4, 4), dtype=bool)), ["all", "three"], [system, silent]
    )
    assert found.by_query[0] == pytest.approx([1, 2 / 3, 2 / 3, 1 / 3])
    assert found.score == pytest.approx([2 / 3, (1 + 4 / 3) / 4])
    assert found.comparisons.difference == pytest.approx([1 / 12])


def test_a_constant_truth_is_left_out_for_every_system():
    human, liking = _human(ratings=False)
    human.mean[3] = 4.0
    flat = liking.copy()
    flat[[3, 5]] = 1.0
    found = evaluate_ranking(human, ["a", "b"], [liking, flat])
    assert found.constant_truth.nonzero()[0].tolist() == [3]
    assert np.isnan(found.by_query[:, 3]).all() and not np.isnan(found.by_query[:, 4:]).any()
    assert found.constant.tolist() == [0, 1] and found.undefined.tolist() == [1, 2]
    assert found.score[0] == pytest.approx(np.nanmean(found.by_query[0]))
    assert found.comparisons.difference[0] == pytest.approx(found.score[0] - found.score[1])


def test_tau_b_with_each_participant_is_on_the_scale_of_the_ceilings():
    human, liking = _human()
    human.ratings[0, 0] = np.nan
    human.ratings[1, 1] = 3.0
    human.ratings[2, :, :5] = np.nan
    found = evaluate_ranking(human, ["liking", "mean"], [liking, human.mean])
    each = [
        [kendalltau(s[there], r[there]).statistic for r in people if (there := r == r).any()]
        for s, people in zip(liking, human.ratings.swapaxes(0, 1), strict=True)
    ]
    expected = np.mean([np.nanmean(tau) for tau in each])
    assert found.participant_tau_b[0] == pytest.approx(expected)
    human, liking = _human()
    found = evaluate_ranking(human, ["liking", "mean"], [liking, human.mean])
    people = human_agreement(human)
    assert people["ceiling"]["lower"] < found.participant_tau_b[1]
    assert found.participant_tau_b[1] == pytest.approx(people["ceiling"]["upper"])
    assert found.score[1] == 1 and people["split_half_tau_b"] > people["ceiling"]["upper"]
    halves = [split_half_tau_b(query) for query in human.ratings.swapaxes(0, 1)]
    assert people["split_half_tau_b"] == pytest.approx(np.mean(halves))


def test_without_ratings_there_are_no_results_about_people():
    human, liking = _human(ratings=False)
    found = evaluate_ranking(human, ["s"], liking[None])
    assert found.participant_tau_b is None and human_agreement(human) is None


def test_the_same_seed_gives_the_same_numbers():
    human, liking = _human()
    one, other = (evaluate_ranking(human, ["s"], liking[None], seed=7) for _ in range(2))
    assert one.over_participants_and_queries.low == other.over_participants_and_queries.low
    assert one.over_queries.high == other.over_queries.high


def test_scores_of_another_shape_are_an_error():
    human, liking = _human()
    with pytest.raises(InputError, match="scores should have shape"):
        evaluate_ranking(human, ["s", "t"], liking[None])
