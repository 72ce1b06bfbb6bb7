"""Edge cases of measures of lists, with the expected results."""

from pathlib import Path

import numpy as np

import analysis
from analysis.errors import InputError
from analysis.files.hpatches.retrieval import RetrievalTask

NAN, INF = float("nan"), float("inf")
REFUSED = "refused"


def _normalised(gains, relevant):
    return analysis.normalised_gain(gains, [1] * relevant + [0])


def _curve_20(gains, relevant):
    return analysis.precision_recall_20(gains, relevant)[..., -1]


def _curve_11(gains, relevant):
    return analysis.precision_recall_11(gains, relevant)[..., -1]


def _pair_measure(name):
    return lambda distances, labels: getattr(analysis.pair_curves(distances, labels), name)


RANKED = {
    "first_tier": analysis.first_tier,
    "second_tier": analysis.second_tier,
    "e_measure": analysis.e_measure,
    "average_precision": analysis.average_precision,
    "normalised_gain": _normalised,
    "precision_recall_20": _curve_20,
    "precision_recall_11": _curve_11,
}
CORRELATIONS = {"tau_b": analysis.tau_b, "spearman": analysis.spearman}
PAIRS = {name: _pair_measure(name) for name in ("ap", "ap_trapezoid", "auc", "fpr95")}
GAINS = {
    "nearest_neighbour": analysis.nearest_neighbour,
    "cumulative_gain": analysis.cumulative_gain,
    "discounted_cumulative_gain": analysis.discounted_cumulative_gain,
}
VALUES = {
    "macro_mean": lambda values: analysis.macro_mean(values)[0],
    "t_interval": lambda values: analysis.t_interval(values)[1][0],
    "wilson_interval": lambda values: analysis.wilson_interval(values)[1][0],
    "paired_permutation": lambda values: analysis.paired_permutation(values, draws=20)[2][0],
}


def _evaluated(people, scores):
    mean = np.asarray(people, dtype=float)
    human = analysis.HumanRanking(mean, np.ones(mean.shape, dtype=bool))
    return analysis.evaluate_ranking(human, ["s"], scores).score[0]


def _drawn_jointly(people, scores):
    """Four people with the same ratings, and four equal queries."""
    four = np.repeat(np.asarray(scores, dtype=float), 4, axis=1)
    return analysis.bootstrap_with_participants([people * 4] * 4, four, draws=20)[0][0]


RANKINGS = {
    "evaluate_ranking": _evaluated,
    "HumanRanking": _evaluated,
    "bootstrap_with_participants": _drawn_jointly,
}


def _of_all_distances(measure):
    """The same result for every distance, or an error for every distance."""

    def distances(rows):
        found = []
        for distance in ("l1", "l2", "cosine", "hamming"):
            try:
                found.append(float(measure(rows, distance)))
            except InputError:
                found.append(REFUSED)
        assert found.count(REFUSED) in (0, 4)
        if REFUSED in found:
            raise InputError("refused by every distance")
        return max(map(abs, found))

    return distances


DESCRIPTORS = {
    "paired_distances": _of_all_distances(
        lambda rows, distance: analysis.paired_distances(rows, rows[::-1], distance)[0]
    ),
    "nearest": _of_all_distances(
        lambda rows, distance: analysis.nearest(rows, np.array([0]), 1, distance)[0, 0]
    ),
}


def _judged(hits, same):
    """Patch mAP of one query, `v_a.ref.0`, whose hits and point are numbers of `v_a.e1`."""
    task = RetrievalTask(
        Path("t.benchmark"),
        ["v_a.ref", "v_a.e1"],
        ["v_a.ref.0"] if same is not None else [],
        [[f"v_a.e1.{k}" for k in same]] if same is not None else [],
    )
    found = [[f"v_a.e1.{k}" for k in hits]] if same is not None else []
    return analysis.patch_retrieval(task, found).patch_map


# family: (measures, {question: (arguments, answer, {measure: another answer})})
QUESTIONS = {
    "ranked": (
        RANKED,
        {
            "empty": (([], 0), REFUSED, {}),
            "one item, relevant": (([1], 1), 1, {"precision_recall_20": NAN}),
            "one item, not relevant": (([0], 1), 0, {"precision_recall_20": NAN}),
            "all relevant": (([1, 1, 1], 3), 1, {}),
            "none relevant": (([0, 0, 0], 0), NAN, {}),
            "none of them found": (([0, 0, 0], 2), 0, {}),
            "NaN": (([1, NAN], 2), REFUSED, {}),
            "infinite": (([1, INF], 2), REFUSED, {}),
            "negative": (([1, -1], 2), REFUSED, {}),
            "a target found twice": (([1, 1, 1], 2), REFUSED, {}),
            "arguments swapped": ((2, 1), REFUSED, {}),
        },
    ),
    "correlation": (
        CORRELATIONS,
        {
            "empty": (([], []), REFUSED, {}),
            "one item": (([1], [1]), NAN, {}),
            "all tied on one side": (([1, 1, 1], [1, 2, 3]), NAN, {}),
            "all tied on both": (([1, 1], [2, 2]), NAN, {}),
            "perfect": (([1, 2, 3], [10, 20, 30]), 1, {}),
            "reversed": (([1, 2, 3], [3, 2, 1]), -1, {}),
            "infinite, in order": (([-INF, 0, INF], [1, 2, 3]), 1, {}),
            "NaN": (([1, NAN, 2], [1, 2, 3]), REFUSED, {}),
            "other candidates": (([1, 2], [1, 2, 3]), REFUSED, {}),
        },
    ),
    "pairs": (
        PAIRS,
        {
            "empty": (([], []), REFUSED, {}),
            "one pair": (([1.0], [1]), REFUSED, {}),
            "all tied": (
                ([5, 5, 5, 5], [1, 0, 0, 0]),
                0.25,
                {"auc": 0.5, "fpr95": 1, "ap_trapezoid": (1 + 0.25) / 2},
            ),
            "all positive": (([1, 2], [1, 1]), REFUSED, {}),
            "none positive": (([1, 2], [0, 0]), REFUSED, {}),
            "perfect": (([1, 2], [1, 0]), 1, {"fpr95": 0}),
            "NaN": (([1, NAN], [1, 0]), REFUSED, {}),
            "infinite": (([1, INF], [1, 0]), REFUSED, {}),
            "columns swapped": (([1, 0], [0.3, 12.5]), REFUSED, {}),
            "other length": (([1, 2, 3], [1, 0]), REFUSED, {}),
        },
    ),
    "gains": (
        GAINS,
        {
            "empty": (([],), REFUSED, {}),
            "one item, relevant": (([1],), 1, {}),
            "none relevant": (([0, 0],), 0, {}),
            "all relevant": (([1, 1],), 2, {"nearest_neighbour": 1}),
            "NaN": (([NAN],), REFUSED, {}),
            "infinite": (([INF],), REFUSED, {}),
            "too large to add": (([1e308, 1e308],), REFUSED, {}),
            "negative": (([-1],), REFUSED, {}),
            "no list": ((3,), REFUSED, {}),
        },
    ),
    "values": (
        VALUES,
        {
            "empty": (([],), REFUSED, {}),
            "no queries": (([[], []],), REFUSED, {}),
            "one number": ((1.0,), REFUSED, {}),
            "one query": (
                ([[0.5], [0.5]],),
                0.5,
                {"paired_permutation": 1, "t_interval": NAN, "wilson_interval": REFUSED},
            ),
            "three queries": (
                ([[1, 1, 1]] * 2,),
                1,
                {"t_interval": NAN, "wilson_interval": NAN},
            ),
            "all tied": (([[1] * 4, [1] * 4],), 1, {}),
            "all undefined": (([[NAN, NAN], [NAN, NAN]],), NAN, {}),
            "infinite": (([[INF, 0], [1, 2]],), REFUSED, {}),
        },
    ),
    "numbers without each participant": (
        {"jackknife_interval": lambda without: analysis.jackknife_interval(0.5, without)[1]},
        {
            "empty": (([],), REFUSED, {}),
            "one number": ((0.5,), REFUSED, {}),
            "three participants": (([0.4, 0.5, 0.6],), NAN, {}),
            "all tied": (([0.5] * 4,), 0.5, {}),
            "undefined": (([0.5, NAN, 0.5, 0.5],), NAN, {}),
            "infinite": (([0.5, INF, 0.5, 0.5],), REFUSED, {}),
            "a table": (([[0.5] * 4],), REFUSED, {}),
        },
    ),
    "labels": (
        {"balanced": lambda labels: len(analysis.balanced(labels))},
        {
            "empty": (([],), REFUSED, {}),
            "none positive": (([0, 0],), REFUSED, {}),
            "all positive": (([1, 1],), REFUSED, {}),
            "one of each": (([1, 0],), 2, {}),
            "NaN": (([NAN, 0, 1],), REFUSED, {}),
            "infinite": (([INF, 0, 1],), REFUSED, {}),
            "distances for labels": (([0.3, 1.2],), REFUSED, {}),
            "a table": (([[1, 0]],), REFUSED, {}),
        },
    ),
    "p-values": (
        {"holm": lambda p: analysis.holm(p).sum()},
        {
            "empty": (([],), 0, {}),
            "one": (([0.2],), 0.2, {}),
            "all tied": (([0.2, 0.2],), 0.8, {}),
            "undefined": (([NAN],), NAN, {}),
            "infinite": (([INF],), REFUSED, {}),
            "negative": (([-0.1],), REFUSED, {}),
            "no list": ((0.2,), REFUSED, {}),
            "a table": (([[0.2, 0.3]],), REFUSED, {}),
        },
    ),
    "curves": (
        {"shrec_average_precision": analysis.shrec_average_precision},
        {
            "empty": (([],), REFUSED, {}),
            "no queries": ((np.ones((0, 20)),), REFUSED, {}),
            "one query": ((np.ones((1, 20)),), 1, {}),
            "no query at any point": ((np.full((2, 20), NAN),), NAN, {}),
            "infinite": ((np.full((1, 20), INF),), REFUSED, {}),
            "11 points": ((np.ones((1, 11)),), REFUSED, {}),
            "one list": ((np.ones(20),), REFUSED, {}),
        },
    ),
    "rankings": (
        RANKINGS,
        {
            "empty": (([[]], [[[]]]), REFUSED, {"bootstrap_with_participants": REFUSED}),
            "one item": (([[1]], [[[1]]]), NAN, {}),
            "all tied people": (([[1, 1]], [[[1, 2]]]), NAN, {}),
            "all tied system": (([[1, 2]], [[[3, 3]]]), 0, {}),
            "perfect": (([[1, 2]], [[[3, 4]]]), 1, {}),
            "reversed": (([[1, 2]], [[[4, 3]]]), -1, {}),
            "an infinite score": (([[1, 2]], [[[-INF, 3]]]), 1, {}),
            "a score missing": (([[1, 2]], [[[NAN, 3]]]), REFUSED, {}),
            "another pool": (([[1, 2]], [[[1, 2, 3]]]), REFUSED, {}),
            "queries and systems swapped": (([[1, 2]], [[1, 2]]), REFUSED, {}),
        },
    ),
    "printed means": (
        {"hbench_printed_mean": analysis.hbench_printed_mean},
        {
            "empty": (([],), REFUSED, {}),
            "one query": (([1],), 0.5, {}),
            "all tied": (([1, 1, 1],), 0.75, {}),
            "none found": (([0, 0],), 0, {}),
            "NaN": (([1, NAN],), REFUSED, {}),
            "infinite": (([1, INF],), REFUSED, {}),
            "no average precision": (([1.5],), REFUSED, {}),
            "one number": ((1.0,), REFUSED, {}),
        },
    ),
    "judged patches": (
        {"patch_retrieval": _judged},
        {
            "empty: no query": (([], None), REFUSED, {}),
            "empty: no hit": (([], [1]), REFUSED, {}),
            "all relevant": ((range(50), range(50)), 1, {}),
            "none relevant": ((range(50), []), REFUSED, {}),
            "none of them found": ((range(50), [90]), 0, {}),
            "one hit": (([1], [1]), REFUSED, {}),
            "a hit repeated": (([1] * 50, [1]), REFUSED, {}),
            "more than 50": (([*range(51)], [1]), REFUSED, {}),
        },
    ),
    "descriptors": (
        DESCRIPTORS,
        {
            "empty": ((np.ones((0, 2)),), REFUSED, {}),
            "no values": ((np.ones((2, 0)),), REFUSED, {}),
            "all alike": ((np.ones((2, 2)),), 0, {}),
            "NaN": (([[NAN, 1.0], [1.0, 1.0]],), REFUSED, {}),
            "infinite": (([[INF, 1.0], [1.0, 1.0]],), REFUSED, {}),
            "too large to square": (([[1e200, 1.0], [1.0, 1.0]],), REFUSED, {}),
            "one list": (([1.0, 2.0],), REFUSED, {}),
        },
    ),
}
