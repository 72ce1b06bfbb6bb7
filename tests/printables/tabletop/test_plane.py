"""The table's plane: rectified symbols have their known size, whatever the view."""

import numpy as np
import pytest
from scipy.optimize import least_squares

from printables.errors import PaperError
from printables.tabletop.plane import fit_plane, map_points, rigid_poses

SIDE = 20.0
SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * SIDE / 2


def _squares(rng, count=12):
    """Corners, in millimetres, of squares in random rotations on a table."""
    turns = rng.uniform(0, 2 * np.pi, count)
    middles = rng.uniform(-300, 300, (count, 2))
    rotations = np.array([[np.cos(turns), -np.sin(turns)], [np.sin(turns), np.cos(turns)]])
    return np.einsum("ijn,kj->nki", rotations, SQUARE) + middles[:, None]


def test_a_homography_by_hand():
    half = np.array([[1, 0, 0], [0, 1, 0], [0.5, 0, 1.0]])
    assert map_points(half, np.array([[2.0, 4.0]])).tolist() == [[1.0, 2.0]]


def test_distances_are_recovered_from_a_tilted_photo():
    table = _squares(np.random.default_rng(2))
    tilted = np.array([[2.0, 0.1, 900], [-0.05, 1.8, 700], [2e-4, 1e-4, 1]])
    pixels = map_points(tilted, table)
    flat = map_points(fit_plane(pixels, SIDE), pixels)
    wanted = np.linalg.norm(table[:, None, 0] - table[None, :, 0], axis=-1)
    found = np.linalg.norm(flat[:, None, 0] - flat[None, :, 0], axis=-1)
    assert np.abs(found - wanted).max() < 1.0


@pytest.mark.parametrize("count", [1, 2, 5, 60])
def test_the_fit_agrees_with_scipys_robust_least_squares(count):
    rng = np.random.default_rng(count)
    tilted = np.array([[2.0, 0.1, 900], [-0.05, 1.8, 700], [3e-4, 2e-4, 1]])
    pixels = map_points(tilted, _squares(rng, count)) + rng.normal(0, 0.4, (count, 4, 2))
    pixels[::9] += rng.normal(0, 5, pixels[::9].shape)
    found = fit_plane(pixels, SIDE)
    middle = pixels.mean((0, 1))
    reach = np.abs(pixels - middle).max()

    def misfit(terms):
        flat = map_points(np.array([[*terms[:2], 0], [0, terms[2], 0], [*terms[3:], 1]]), places)
        turned = (flat - flat.mean(1, keepdims=True)) @ [1, 1j]
        turn = turned @ (SQUARE @ [1, -1j])
        off = turned - (turn / np.abs(turn))[:, None] * (SQUARE @ [1, 1j])
        pull = [terms[3] * 0.6, terms[4] * 0.6, terms[1] / terms[0], np.log(terms[2] / terms[0])]
        return np.concatenate([off.real.ravel(), off.imag.ravel(), pull])

    places = (pixels - middle) / reach
    size = SIDE * reach / np.linalg.norm(pixels[:, 0] - pixels[:, 1], axis=-1).mean() / reach
    start = [size * reach, 0, size * reach, 0, 0]
    theirs = least_squares(misfit, start, loss="soft_l1", f_scale=0.7).x
    flat = map_points(np.array([[*theirs[:2], 0], [0, theirs[2], 0], [*theirs[3:], 1]]), places)
    ours = map_points(found, pixels)
    for one, other in ((0, 2), (1, 3)):
        wanted = np.linalg.norm(flat[:, None, one] - flat[None, :, other], axis=-1)
        got = np.linalg.norm(ours[:, None, one] - ours[None, :, other], axis=-1)
        assert np.abs(got - wanted).max() < 0.3


def test_centre_and_rotation_of_a_square():
    quarter = SQUARE @ np.array([[0, 1], [-1, 0]]) + [3, 4]
    (middle,), (turn,) = rigid_poses(quarter[None])
    assert middle == pytest.approx([3, 4])
    assert turn == pytest.approx(np.array([[0, -1], [1, 0]]), abs=1e-9)


def test_without_a_symbol_there_is_no_plane():
    with pytest.raises(PaperError):
        fit_plane(np.empty((0, 4, 2)), SIDE)
