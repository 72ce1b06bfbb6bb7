"""Arguments of every public function: numbers of any type, or an error."""

import inspect

import numpy as np
import pytest

import analysis
from analysis.arrays import as_floats, as_numbers
from analysis.errors import InputError

CHOICES = {"best": "low", "level": "interval", "distance": "l2", "count": 1}
GIVEN = {"draws": 5, "seed": 1}
NOT_OF_ARRAYS = {"HumanRanking", "evaluate_ranking", "patch_retrieval"}
FUNCTIONS = sorted(set(analysis.__all__) - NOT_OF_ARRAYS)
OF_LABELS = {
    "bcubed_pairs",
    "cogrouping",
    "cogrouping_counts",
    "consensus_grouping",
    "correlation_ceiling",
    "random_agreement",
    "split_half_reliability",
    "study_set",
}
NO_NUMBERS = {
    "text": "abc",
    "ragged": [[1, 2], [3]],
    "complex": [1 + 2j, 2],
    "dict": {},
    "dates": np.array(["2020-01-01"], dtype="datetime64[D]"),
    "names": [["a", "b"], ["b", "a"]],
}


def _call(name, values):
    function = getattr(analysis, name)
    parameters = inspect.signature(function).parameters.values()
    required = [p.name for p in parameters if p.default is inspect.Parameter.empty]
    others = CHOICES | {k: v for k, v in GIVEN.items() if k in required}
    return function(**{parameter: others.get(parameter, values) for parameter in required})


@pytest.mark.parametrize("name", sorted(OF_LABELS))
def test_labels_of_groups_give_the_same_results_as_numbers(name):
    labels = [["b", "b", "a", "c"], ["x", "", "x", "y"], ["u", "u", "v", "v"]]
    numbers = [[1, 1, 0, 2], [0, -1, 0, 1], [5, 5, 3, 3]]
    result, expected = (_call(name, groups) for groups in (labels, numbers))
    if name == "study_set":
        result, expected = repr(result.mean), repr(expected.mean)
    np.testing.assert_equal(*(getattr(found, "__dict__", found) for found in (result, expected)))


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("values", NO_NUMBERS.values(), ids=NO_NUMBERS)
def test_values_that_are_not_numbers_are_an_error(name, values):
    if name in OF_LABELS and values is NO_NUMBERS["names"]:
        pytest.skip("labels of groups may be strings")
    if name == "study_ratings":
        values = [values]
    with pytest.raises(InputError):
        _call(name, values)


@pytest.mark.parametrize("name", ["icc", "kendall_w", "ground_truth", "study_ratings"])
def test_ratings_of_several_queries_are_not_mistaken_for_one(name):
    scores = np.ones((2, 2, 3))
    with pytest.raises(InputError, match="two axes"):
        _call(name, [scores] if name == "study_ratings" else scores)


@pytest.mark.parametrize("shapes", [((3, 2), (2, 2)), ((3, 2), (2,) * 3)])
def test_lists_and_ideals_that_do_not_match_are_an_error(shapes):
    with pytest.raises(InputError, match="each list should have one ideal list"):
        analysis.normalised_gain(*map(np.ones, shapes))


def test_without_lists_there_are_no_curves():
    none = np.zeros((0, 3))
    assert analysis.precision_recall_20(none, []).shape == (0, 20)
    assert analysis.precision_recall_11(none, []).shape == (0, 11)


@pytest.mark.parametrize("name", ["t_interval", "wilson_interval", "paired_permutation"])
def test_no_systems_are_an_error(name):
    with pytest.raises(InputError, match=r"shape \(systems, queries\)"):
        _call(name, np.zeros((0, 3)))


def test_queries_may_be_an_array_or_a_list():
    scores = np.random.default_rng(1).integers(1, 8, (3, 4, 5)).astype(float)
    of_array, of_list = (
        analysis.study_ratings(scores, "low"),
        analysis.study_ratings([*scores], "low"),
    )
    assert of_array.kendall == of_list.kendall


def test_masked_values_and_none_are_nan():
    masked = np.ma.array([1, 2, 3], mask=[False, True, False])
    for values in (masked, [1, None, 3], np.array([1, None, 3], dtype=object)):
        np.testing.assert_array_equal(as_floats(values, "scores"), [1, np.nan, 3])
    with pytest.raises(InputError, match="integers"):
        analysis.cogrouping(masked[None])


@pytest.mark.parametrize("kind", [bool, np.int8, np.uint64, np.float32, float])
def test_types_of_numbers_are_preserved(kind):
    values = np.ones(3, dtype=kind)
    assert as_numbers(values, "x") is values and as_floats(values, "x").dtype == float
