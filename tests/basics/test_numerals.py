"""Number formats: no leading zero, a minus sign, and a text if undefined."""

import math

import pytest

from basics.numerals import interval, probability, statistic, whole_minutes


@pytest.mark.parametrize(
    ("value", "digits", "written"),
    [
        (0.454, 2, ".45"),
        (-0.1, 2, "−.10"),
        (1, 2, "1.00"),
        (-1, 2, "−1.00"),
        (-0.004, 2, ".00"),
        (0.9996, 3, "1.000"),
        (12.5, 1, "12.5"),
        (math.nan, 2, "–"),
    ],
)
def test_a_statistic(value, digits, written):
    assert statistic(value, digits) == written


def test_an_undefined_interval_is_empty():
    assert interval(-0.1, 1) == "[−.10, 1.00]"
    assert interval(math.nan, 0.5) == interval(0.5, math.nan) == ""


@pytest.mark.parametrize(
    ("p", "written"),
    [
        (0, "< .001"),
        (0.001, "= .001"),
        (0.0312, "= .031"),
        (0.9996, "> .999"),
        (1, "> .999"),
        (math.nan, "undefined"),
    ],
)
def test_a_probability(p, written):
    assert probability(p) == written


@pytest.mark.parametrize(
    ("minutes", "shown"),
    [(0.0, 1), (0.4, 1), (1.4, 1), (1.6, 2), (61.0, 61), (None, None), (math.nan, None)],
)
def test_whole_minutes_are_at_least_1_if_they_are_known(minutes, shown):
    assert whole_minutes(minutes) == shown
