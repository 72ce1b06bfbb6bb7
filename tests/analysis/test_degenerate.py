"""The same awkward questions put to every measure: a known value or a refusal, no silent 0.

NaN stands for "undefined", which every table and record writes as an empty cell or null.
"""

import numpy as np
import pytest

import analysis
from analysis.clustering_evaluation import agreement_with
from analysis.errors import InputError
from analysis.matrix_correlation import pair_correlation
from analysis.patch_distances import nearest, paired_distances

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


def _agreement(system, reference):
    membership = np.asarray(system)[:, None] == np.unique(system)
    return agreement_with(membership, np.asarray(reference)[None]).f[0]


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
GROUPINGS = {
    "bcubed": lambda system, reference: analysis.bcubed(system, reference).f,
    "agreement_with": _agreement,
}

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
    "groupings": (
        GROUPINGS,
        {
            "empty": (([], []), REFUSED, {}),
            "one stimulus": (([0], [0]), 1, {}),
            "the same grouping": (([0, 0, 1], [5, 5, 2]), 1, {}),
            "nothing placed by both": (([0, 0], [-1, -1]), NAN, {}),
            "other stimuli": (([0, 0], [0, 0, 1]), REFUSED, {}),
        },
    ),
}


def _cases():
    for family, (measures, questions) in QUESTIONS.items():
        for question, (arguments, answer, others) in questions.items():
            for name, measure in measures.items():
                expected = others.get(name, answer)
                yield pytest.param(measure, arguments, expected, id=f"{family}-{name}-{question}")


@pytest.mark.parametrize(("measure", "arguments", "expected"), list(_cases()))
def test_every_measure_answers(measure, arguments, expected):
    if expected is REFUSED:
        with pytest.raises(InputError):
            measure(*arguments)
    else:
        assert float(measure(*arguments)) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(
    "measure",
    [analysis.nearest_neighbour, analysis.cumulative_gain, analysis.discounted_cumulative_gain],
)
@pytest.mark.parametrize("gains", [[], [NAN], [INF], [-1], 3])
def test_measures_of_gains_alone_refuse(measure, gains):
    with pytest.raises(InputError):
        measure(gains)


@pytest.mark.parametrize(
    "measure", [analysis.bootstrap_interval, analysis.paired_permutation, analysis.macro_mean]
)
@pytest.mark.parametrize("values", [[], [[], []], 1.0])
def test_nothing_to_average_is_refused(measure, values):
    with pytest.raises(InputError):
        measure(values)


def test_matrices_with_holes_are_refused_where_people_have_a_value():
    people = np.ones((3, 3))
    system = np.ones((3, 3))
    system[0, 1] = system[1, 0] = NAN
    with pytest.raises(InputError, match="NaN"):
        pair_correlation(system, people)
    people[0, 1] = people[1, 0] = NAN
    assert np.isnan(pair_correlation(system, people).tau_b)


@pytest.mark.parametrize("distance", ["l1", "l2", "cosine", "hamming"])
@pytest.mark.parametrize("rows", [np.ones((0, 2)), [[NAN, 1.0]], [[INF, 1.0]], [1.0, 2.0]])
def test_descriptors_are_refused_alike(distance, rows):
    with pytest.raises(InputError):
        paired_distances(rows, rows, distance)
    with pytest.raises(InputError):
        nearest(rows, np.array([0]), 1, distance)
