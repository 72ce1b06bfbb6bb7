"""Sums without rounding: in any order, with any number of threads."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

from analysis import study_set
from analysis.groupings.set_record import summary
from analysis.statistics.exact_sums import summable

FINITE = st.floats(-1e300, 1e300, allow_nan=False)


@given(st.lists(FINITE, min_size=1, max_size=30), st.randoms())
def test_sums_are_exact_in_any_order(values, random):
    rounded = summable(values, len(values)).tolist()
    exact = sum(map(Fraction, rounded))
    random.shuffle(rounded)
    assert Fraction(sum(rounded)) == exact


@given(st.lists(FINITE, min_size=1, max_size=30))
def test_rounding_is_small(values):
    off = np.abs(summable(values, len(values)) - values)
    assert off.max() <= np.abs(values).max() * 2 * len(values) / 2**53


def test_integers_and_empty_arrays_are_not_rounded():
    assert summable([3, -5, 0], 1_000).tolist() == [3, -5, 0]
    assert summable([], 3).shape == (0,) and summable([[0.0]], 1).tolist() == [[0.0]]


def _bits(threads, groupings):
    with threadpool_limits(threads):
        return json.dumps(summary(study_set(groupings, draws=5)))


@pytest.mark.slow
@pytest.mark.parametrize("parts", [False, True])
def test_the_number_of_threads_does_not_change_any_bit(parts):
    rng = np.random.default_rng(2)
    groupings = rng.integers(0, 3, (80, 60))
    groupings[parts & (rng.random(groupings.shape) < 0.2)] = -1
    assert len({_bits(threads, groupings) for threads in (1, 2, 3)}) == 1
