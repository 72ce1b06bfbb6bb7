"""Distances between outlines: values by hand, and invariance to rotation and translation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from printables.errors import PaperError
from printables.tabletop.outlines import outline_distances

SQUARE = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], float)
DIAMOND = np.array([[0, -5], [5, 0], [0, 5], [-5, 0]], float)


def at(shape, x, y):
    return shape + np.array([x, y])


def distance(a, b):
    return outline_distances(np.stack([a, b]))[2][0]


@pytest.mark.parametrize(
    ("other", "millimetres"),
    [
        (at(SQUARE, 15, 0), 5.0),
        (at(SQUARE, 13, 14), 5.0),
        (at(SQUARE, 10, 0), 0.0),
        (at(SQUARE, 4, 4), 0.0),
        (at(SQUARE * 0.2, 4, 4), 0.0),
        # a corner in front of the middle of an edge
        (at(DIAMOND, 18, 5), 3.0),
        # an edge across a corner: from (10, 10) to the line x + y = 25
        (at(DIAMOND, 15, 15), 5 / 2**0.5),
    ],
)
def test_distances_by_hand(other, millimetres):
    assert distance(SQUARE, other) == pytest.approx(millimetres)
    assert distance(other, SQUARE) == pytest.approx(millimetres)


@given(st.floats(0, 6.3), st.floats(-1e3, 1e3), st.floats(-40, 40), st.floats(-40, 40))
def test_distances_do_not_change_if_the_table_is_rotated_and_shifted(turn, shift, x, y):
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    other = at(DIAMOND, x, y)
    moved = distance(SQUARE @ spin.T + shift, other @ spin.T + shift)
    assert moved == pytest.approx(distance(SQUARE, other), abs=1e-6)


def test_far_pairs_are_left_out():
    outlines = np.stack([SQUARE, at(SQUARE, 15, 0), at(SQUARE, 500, 0)])
    first, second, near = outline_distances(outlines, within_mm=20)
    assert (first.tolist(), second.tolist(), near.tolist()) == ([0], [1], [5.0])


def test_other_shapes_are_refused():
    with pytest.raises(PaperError, match=r"\(cards, 4, 2\)"):
        outline_distances(np.zeros((3, 3, 2)))
