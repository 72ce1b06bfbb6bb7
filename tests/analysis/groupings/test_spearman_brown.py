"""The Spearman-Brown formula."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.groupings.spearman_brown import participants_needed, spearman_brown


def test_formula_by_hand():
    # Two parallel halves that correlate .6 give a reliability of 1.2 / 1.6.
    assert spearman_brown(0.6, 2) == pytest.approx(0.75)
    np.testing.assert_allclose(spearman_brown([-0.2, 0, 1], 2), [-0.2, 0, 1])


@given(st.floats(0.01, 0.99), st.integers(1, 50))
def test_the_number_needed_reaches_the_target_and_one_fewer_does_not(r, participants):
    needed = participants_needed(r, participants, 0.8)
    assert spearman_brown(r, needed / participants) >= 0.8 - 1e-6
    assert needed == 1 or spearman_brown(r, (needed - 1) / participants) < 0.8 + 1e-6


def test_zero_reliability_never_reaches_a_target():
    assert participants_needed(0, 9, 0.8) is None
    assert participants_needed(float("nan"), 9, 0.8) is None
    assert participants_needed(1.0, 9, 0.8) == 1
