"""The homography from a photo's pixels to millimetres on the table, estimated from the symbols.

All symbols are squares of the same known size. A single one of 20 mm does not determine the
perspective, but all symbols of a table together do. Five parameters describe the homography up to
translation and rotation. They are estimated by robust least squares, so that bent cards and
misplaced corners have little weight.

References
----------
Hartley, R., & Zisserman, A. (2004). Multiple View Geometry in Computer Vision (2nd ed.), 2.7
(recovery of metric properties from images). Cambridge University Press.

Green, P. J. (1984). Iteratively reweighted least squares for maximum likelihood estimation, and
some robust and resistant alternatives. Journal of the Royal Statistical Society B, 46(2), 149-192.
"""

import numpy as np
from numpy.typing import NDArray

from printables.errors import PaperError

_PRIOR = (0.6, 0.6, 1.0, 1.0)
"""Ridge weights of the two perspective parameters, shear and stretch, in millimetres (the unit of
the residuals). They matter if there are few symbols. Weights a hundred times greater lose a covered
card in "things" (60 cards); without them no scene of 60 cards differs."""
_MOST_SYMBOLS = 100
"""Symbols used for the fit, evenly sampled if there are more. Only saves time."""
_BENT_MM = 0.7
"""Residual, in millimetres, from which a symbol counts as bent or misplaced and has less weight.
At 0.35 three more cards of "overexposed" (150 cards) are missed; at 1.4 one of "cut" (150 cards),
whose groups are wrong then."""
_MOST_STEPS, _CONVERGED = 30, 1e-7
"""Most Gauss-Newton steps, and the relative improvement below which the fit stops. Neither depends
on a scene."""

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
        For `map_points`. Origin and rotation are arbitrary; the axes are nearly parallel to the
        photo's.

    Raises
    ------
    PaperError
        If there is no symbol.
    """
    if not len(corners):
        raise PaperError("the table's plane cannot be estimated without a symbol")
    corners = corners[:: max(len(corners) // _MOST_SYMBOLS, 1)]
    middle = corners.mean((0, 1))
    reach = max(float(np.abs(corners - middle).max()), 1e-6)
    places = (corners - middle) / reach
    edges = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
    start = np.array([0, 0, 0, 0, np.log(side_mm / (np.median(edges) / reach))])
    parameters = _fit_robustly(start, places, side_mm)
    scaled = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, reach]]) / reach
    return np.asarray(_homography(parameters) @ scaled)


def map_points(homography: Points, points: Points) -> Points:
    """Map points by a homography.

    Parameters
    ----------
    homography : float array, shape (3, 3)
    points : float array, shape (..., 2)

    Returns
    -------
    float array, shape (..., 2)
    """
    flat = np.asarray(points, float)
    mapped = flat @ homography[:, :2].T + homography[:, 2]
    return np.asarray(mapped[..., :2] / mapped[..., 2:])


def rigid_poses(flat: Points) -> tuple[Points, Points]:
    """Position and rotation of squares.

    Parameters
    ----------
    flat : float array, shape (n, 4, 2)
        Corners of each square on the table.

    Returns
    -------
    centres : float array, shape (n, 2)
    rotations : float array, shape (n, 2, 2)
        Least-squares rotation from an upright square.
    """
    middle = flat.mean(1)
    turn = _rotations(flat - middle[:, None])
    rotation = np.stack(
        [np.stack([turn.real, -turn.imag], -1), np.stack([turn.imag, turn.real], -1)], -2
    )
    return middle, rotation


def _fit_robustly(parameters: Points, places: Points, side_mm: float) -> Points:
    """Minimise the sum of sqrt(1 + r^2) over the residuals r by iteratively reweighted Gauss-Newton
    steps; a step that makes the sum greater is shortened."""
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
    """Residuals for several sets of parameters, shape (sets, residuals), in millimetres."""
    homography = np.array([_homography(each) for each in parameters])
    mapped = places.reshape(-1, 2) @ homography[:, :, :2].transpose(0, 2, 1)
    mapped = mapped + homography[:, None, :, 2]
    flat = (mapped[..., :2] / mapped[..., 2:]).reshape(len(parameters), *places.shape)
    off = _square_residuals(flat, side_mm).reshape(len(parameters), -1)
    return np.concatenate([off, parameters[:, :4] * _PRIOR], axis=1)


def _homography(parameters: Points) -> Points:
    """The homography of five parameters: perspective in x and y, shear, stretch, and log scale."""
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
    """Rotation of each square around (0, 0), as a complex number of length 1."""
    ends = centred[..., 0] + 1j * centred[..., 1]
    turn = ends @ _SQUARE.conj()
    return np.asarray(turn / np.maximum(np.abs(turn), 1e-12))


def _square_residuals(flat: Points, side_mm: float) -> Points:
    """Difference of corners from those of the best-fitting square with the known side."""
    centred = flat - flat.mean(-2, keepdims=True)
    wanted = _rotations(centred)[..., None] * _SQUARE * side_mm
    return np.asarray(np.stack([centred[..., 0] - wanted.real, centred[..., 1] - wanted.imag], -1))
