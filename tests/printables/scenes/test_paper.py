"""Cards cut inexactly, and bent cards."""

import numpy as np
import pytest

from printables.scenes.card_on_table import CardOnTable
from printables.scenes.paper import Bend, cut_inexactly, evaluate_smooth, fit_smooth

SIZE = (66.0, 46.0)


def determinant(a, b):
    return a[0] * b[1] - a[1] * b[0]


def test_an_exact_cut_gives_the_cards_corners():
    corners = cut_inexactly(SIZE, (0, 0), (0, 0), np.random.default_rng(1))
    assert np.allclose(corners, [[0, 0], [66, 0], [66, 46], [0, 46]])


@pytest.mark.parametrize("seed", range(20))
def test_each_edge_is_shifted_and_rotated_within_the_given_range(seed):
    corners = cut_inexactly(SIZE, (1, 2), (1, 2), np.random.default_rng(seed))
    line = np.array([[0, 0], [66, 0], [66, 46], [0, 46]], float)
    for edge in range(4):
        start, end = corners[edge], corners[(edge + 1) % 4]
        ideal = line[(edge + 1) % 4] - line[edge]
        away = end - start
        turn = np.degrees(np.arctan2(determinant(ideal, away), ideal @ away))
        assert 1 <= abs(turn) <= 2
        middle = line[edge] + ideal / 2
        off = abs(determinant(away, middle - start)) / np.linalg.norm(away)
        # measured perpendicular to the cut, at the middle of the cut line
        assert 0.99 <= off <= 2


def test_bending_does_not_stretch_paper():
    bend = Bend(4.0, 0.0, 33.0)
    points = np.stack([np.linspace(-33, 33, 2001), np.zeros(2001)], 1)
    flat, height = bend.lift(points)
    along = np.hypot(np.diff(flat[:, 0]), np.diff(height)).sum()
    assert along == pytest.approx(66, rel=2e-3)
    assert height[0] == pytest.approx(4)
    assert height[1000] == pytest.approx(0, abs=1e-9)
    assert np.ptp(flat[:, 0]) < 66


def test_a_card_bent_upwards_in_the_middle_touches_the_table_at_its_ends():
    _, height = Bend(-3.0, 90.0, 23.0).lift(np.array([[0, -23], [0, 0], [30, 0], [0, 23.0]]))
    assert height == pytest.approx([0, 3, 3, 0])


def test_the_side_facing_the_light_is_lighter():
    away, flat, towards = Bend(-3.0, 0.0, 33.0).shade(np.array([[-30, 0], [0, 0], [30.0, 0]]), 0)
    assert away < flat < towards
    assert flat == pytest.approx(1)


def test_bending_does_not_move_the_middle_line():
    card = CardOnTable(np.zeros((4, 6), np.uint8), 66, 46, 10, 20, 90, bend=Bend(3, 0, 33))
    assert np.allclose(card.to_3d(np.array([[33, 23], [33, 0.0]])), [[10, 20, 0], [33, 20, 0]])


def test_a_polynomial_of_fourth_degree_is_recovered():
    rng = np.random.default_rng(3)
    origin = rng.uniform(-30, 30, (120, 2))
    x, y = origin.T / 30
    target = np.stack([x + 0.1 * x**2 * y**2, y - 0.2 * x**4], 1)
    found = fit_smooth(origin, target, 30.0)
    grid = evaluate_smooth(found, np.array([-15.0, 30]), np.array([6.0]), 30.0)
    assert np.allclose(grid[0, 1], [1 + 0.1 * 0.04, 0.2 - 0.2])
    assert np.allclose(grid[0, 0], [-0.5 + 0.1 * 0.25 * 0.04, 0.2 - 0.2 / 16])
