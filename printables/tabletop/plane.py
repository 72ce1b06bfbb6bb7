"""The table's plane, estimated from its symbols, which are squares of the same size.

One symbol of 20 mm says little about perspective; a table full of them determines it. Five numbers
map a photo's pixels to millimetres on the table (up to origin and rotation); they are estimated by
least squares, robust against bent or misplaced symbols.

References
----------
Green, P. J. (1984). Iteratively reweighted least squares for maximum likelihood estimation, and
some robust and resistant alternatives. Journal of the Royal Statistical Society B, 46(2), 149-192.
"""

import numpy as np
from numpy.typing import NDArray

from printables.errors import PaperError

_PRIOR = (0.6, 0.6, 1.0, 1.0)
"""Weights that pull perspective and skew to zero when few symbols determine them, in units of the
residuals (millimetres). Weights a hundred times greater lose a covered card in "things" (60 cards);
without them no scene of 60 cards differs."""
_ENOUGH = 100
"""Number of symbols that are enough to estimate five numbers."""
_BENT_MM = 0.7
"""Residual from which a symbol counts as bent or misplaced, and weighs less."""
_MOST_STEPS, _CONVERGED = 30, 1e-7
"""Steps of the fit at most, and the share by which the last one improves it."""

Points = NDArray[np.float64]


def fit_plane(corners: Points, side_mm: float) -> Points:
    """Estimate the homography from pixels to the table's millimetres.

    Parameters
    ----------
    corners : float array, shape (symbols, 4, 2)
        TL TR BR BL of each symbol, pixels.
    side_mm : float
        Side of the symbols.

    Returns
    -------
    float array, shape (3, 3)
        For `map_points`. The table's axes are nearly parallel to the photo's.

    Raises
    ------
    PaperError
        If there is no symbol.
    """
    if not len(corners):
        raise PaperError("the table's plane cannot be estimated without a symbol")
    corners = corners[:: max(len(corners) // _ENOUGH, 1)]
    middle = corners.mean((0, 1))
    reach = max(float(np.abs(corners - middle).max()), 1e-6)
    places = (corners - middle) / reach
    edges = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
    start = np.array([0, 0, 0, 0, np.log(side_mm / (np.median(edges) / reach))])
    parameters = _fit_robustly(start, places, side_mm)
    scaled = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, reach]]) / reach
    return np.asarray(_homography(parameters) @ scaled)


def map_points(homography: Points, points: Points) -> Points:
    """Map points, shape (..., 2), by a homography."""
    flat = np.asarray(points, float)
    carried = flat @ homography[:, :2].T + homography[:, 2]
    return np.asarray(carried[..., :2] / carried[..., 2:])


def rigid_poses(flat: Points) -> tuple[Points, Points]:
    """Centre, shape (n, 2), and rotation, shape (n, 2, 2), of squares given by four corners."""
    middle = flat.mean(1)
    turn = _rotations(flat - middle[:, None])
    rotation = np.stack(
        [np.stack([turn.real, -turn.imag], -1), np.stack([turn.imag, turn.real], -1)], -2
    )
    return middle, rotation


def _fit_robustly(parameters: Points, places: Points, side_mm: float) -> Points:
    """Minimise the sum of sqrt(1 + r^2) over the residuals r by Gauss-Newton steps, each with the
    weights that the residuals before it give; a step that makes it worse is shortened."""
    least, step = np.inf, np.zeros(len(parameters))
    nearby = np.concatenate([np.zeros((1, len(parameters))), 1e-6 * np.eye(len(parameters))])
    for _ in range(_MOST_STEPS):
        here, *beside = _residuals(parameters + step + nearby, places, side_mm) / _BENT_MM
        misfit = float((np.sqrt(1 + here**2) - 1).sum())
        if not misfit < least:
            step = step / 4
            continue
        parameters, gain, least = parameters + step, least - misfit, misfit
        if gain <= _CONVERGED * misfit:
            break
        slopes = (np.array(beside) - here).T / 1e-6
        weighted = slopes / np.sqrt(1 + here**2)[:, None]
        step = -np.linalg.solve(weighted.T @ slopes, weighted.T @ here)
    return parameters


def _residuals(parameters: Points, places: Points, side_mm: float) -> Points:
    """Residuals of several sets of parameters, shape (sets, residuals), in millimetres."""
    homography = np.array([_homography(each) for each in parameters])
    mapped = places.reshape(-1, 2) @ homography[:, :, :2].transpose(0, 2, 1)
    mapped = mapped + homography[:, None, :, 2]
    flat = (mapped[..., :2] / mapped[..., 2:]).reshape(len(parameters), *places.shape)
    off = _square_residuals(flat, side_mm).reshape(len(parameters), -1)
    return np.concatenate([off, parameters[:, :4] * _PRIOR], axis=1)


def _homography(parameters: Points) -> Points:
    slope_x, slope_y, shear, stretch, size = parameters
    scale = np.exp(size)
    return np.array(
        [
            [scale * np.exp(-stretch / 2), scale * shear, 0],
            [0, scale * np.exp(stretch / 2), 0],
            [slope_x, slope_y, 1],
        ]
    )


_SQUARE = np.array([-1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j]) / 2


def _rotations(centred: Points) -> NDArray[np.complex128]:
    ends = centred[..., 0] + 1j * centred[..., 1]
    turn = ends @ _SQUARE.conj()
    return np.asarray(turn / np.maximum(np.abs(turn), 1e-12))


def _square_residuals(flat: Points, side_mm: float) -> Points:
    centred = flat - flat.mean(-2, keepdims=True)
    wanted = _rotations(centred)[..., None] * _SQUARE * side_mm
    return np.asarray(np.stack([centred[..., 0] - wanted.real, centred[..., 1] - wanted.imag], -1))
