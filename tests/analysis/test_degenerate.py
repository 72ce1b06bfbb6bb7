"""Edge cases for every exported measure: a known value or an error, never a silent 0 or 1.

NaN means undefined; tables and records have an empty cell or null instead.
"""

import numpy as np
import pytest

import analysis
from analysis.errors import InputError
from tests.analysis import questions_of_groups, questions_of_lists
from tests.analysis.questions_of_lists import NAN, PAIRS, REFUSED

QUESTIONS = questions_of_lists.QUESTIONS | questions_of_groups.QUESTIONS

OF_NAMES = {"judged patches"}


def _cases():
    for family, (measures, questions) in QUESTIONS.items():
        for question, (arguments, answer, others) in questions.items():
            for name, measure in measures.items():
                expected = others.get(name, answer)
                yield pytest.param(measure, arguments, expected, id=f"{family}-{name}-{question}")


@pytest.mark.parametrize(("measure", "arguments", "expected"), list(_cases()))
def test_every_measure_has_a_value_or_an_error(measure, arguments, expected):
    if expected is REFUSED:
        with pytest.raises(InputError):
            measure(*arguments)
    else:
        assert float(measure(*arguments)) == pytest.approx(expected, nan_ok=True)


def test_no_exported_name_is_left_out():
    asked = {name for measures, _ in QUESTIONS.values() for name in measures}
    asked -= set(PAIRS)
    assert asked | {"pair_curves"} == set(analysis.__all__)


def test_every_family_has_the_same_cases():
    for family, (_, questions) in QUESTIONS.items():
        asked = " ".join(questions)
        numbers = ("infinite",) if family not in OF_NAMES else ()
        for word in ("empty", *numbers):
            assert word in asked, f"{family} is not asked about {word}"


def test_rows_outside_the_pool_are_not_queries():
    pool = np.arange(6.0).reshape(3, 2)
    for queries, count in (
        ([3], 1),
        ([-1], 1),
        ([0.5], 1),
        ([], 1),
        ([[0]], 1),
        ([0], 0),
        ([0], 4),
    ):
        with pytest.raises(InputError):
            analysis.nearest(pool, np.array(queries), count, "l2")


def test_a_list_is_at_least_as_long_as_its_hits():
    for results in (-1, 0, 1.5, NAN, [2, 2]):
        with pytest.raises(InputError, match="length of each list"):
            analysis.e_measure([1, 0], 1, results)
    assert analysis.e_measure([1, 0], 1, 1) == 1


def test_matrices_with_missing_values_are_an_error_if_people_have_a_value():
    people, system = np.ones((3, 3)), np.ones((3, 3))
    system[0, 1] = system[1, 0] = NAN
    with pytest.raises(InputError, match="NaN"):
        analysis.pair_correlation(system, people)
    people[0, 1] = people[1, 0] = NAN
    assert np.isnan(analysis.pair_correlation(system, people).tau_b)
