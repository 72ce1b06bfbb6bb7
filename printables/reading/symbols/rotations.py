"""Finding the rotation and shift of symbols by template matching.

The surroundings of each candidate are sampled once, with one sample per module. Templates of the
modules common to all symbols, in every rotation and shift, are correlated with all candidates in
one matrix product.
"""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.cards.codes import MODULES
from printables.reading.symbols.alignment import rough_correlation
from printables.reading.symbols.pose import sample
from printables.reading.symbols.symbol_model import UNKNOWN, common_modules

_SHIFTS, _TURNS_DEG = (-1.5, 0.0, 1.5), tuple(range(0, 360, 10))
"""Shifts along both axes, in modules, and rotations, in degrees. Without shifts, or with twice the
shifts, 3 more of 150 cards of "careless" stay unread, and 1 more with half. No scene tried
reads other cards with rotations by 5 or 20 degrees; by 5 there are twice as many templates."""
_REACH = 16
"""Distance from a candidate's centre, in modules, within which it is sampled: a symbol's corner is
14.8 modules from its centre."""
_MOST_COMPARED = 12
"""Templates of each candidate that are compared again with more samples. No scene tried differs at
6; at 24, 2 more cards of "careless" (150 cards) stay unread."""


def best_rotations(
    grey: NDArray[np.uint8], maps: NDArray[np.float64], count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Find the rotations and shifts in which each candidate resembles a symbol most.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        Slightly blurred.
    maps : float array, shape (candidates, 2, 3)
        From modules to pixels, for an unrotated symbol.
    count : int
        How many rotations and shifts of each candidate are returned.

    Returns
    -------
    maps : float array, shape (candidates, count, 2, 3)
        From modules to pixels, best first.
    correlation : float array, shape (candidates, count)
    """
    around = sample(grey, maps, _sample_points())
    around -= around.mean(1, keepdims=True)
    likely = np.argpartition(around @ _templates().T, _MOST_COMPARED)[:, :_MOST_COMPARED]
    turned = maps[:, None] @ transforms(_TURNS_DEG, _SHIFTS)[likely]
    alike = rough_correlation(grey, turned.reshape(-1, 2, 3)).reshape(likely.shape)
    best = np.argsort(-alike, axis=1, kind="stable")[:, :count]
    chosen = np.take_along_axis(turned, best[..., None, None], 1)
    return chosen, np.take_along_axis(alike, best, 1)


@lru_cache(maxsize=2)
def transforms(turns_deg: tuple[float, ...], shifts: tuple[float, ...]) -> NDArray[np.float64]:
    """Combine rotations of a symbol with shifts along both axes.

    Parameters
    ----------
    turns_deg : tuple of float
        Degrees.
    shifts : tuple of float
        Modules.

    Returns
    -------
    float array, shape (transforms, 3, 3)
        Affine maps of modules.
    """
    found = []
    for turn in np.deg2rad(turns_deg):
        rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        for shift in np.stack(np.meshgrid(shifts, shifts), -1).reshape(-1, 2):
            transform = np.eye(3)
            transform[:2, :2] = rotation
            transform[:2, 2] = shift + MODULES / 2 - rotation @ [MODULES / 2, MODULES / 2]
            found.append(transform)
    return np.array(found)


@lru_cache(maxsize=1)
def _sample_points() -> NDArray[np.float32]:
    """Points around a symbol's centre, in modules, shape (samples, 2)."""
    along = np.arange(-_REACH, _REACH + 1) + MODULES / 2
    y, x = np.meshgrid(along, along, indexing="ij")
    return np.stack([x.ravel(), y.ravel()], -1).astype(np.float32)


@lru_cache(maxsize=1)
def _templates() -> NDArray[np.float32]:
    """The common modules in each rotation and shift, shape (transforms, samples); dark is positive,
    and illumination and its gradients are regressed out."""
    modules = common_modules()
    known = (modules != UNKNOWN).astype(np.float32)
    light = np.column_stack([np.ones(len(_sample_points())), _sample_points() - MODULES / 2])
    drawn = []
    for transform in transforms(_TURNS_DEG, _SHIFTS):
        x, y = (
            _sample_points() @ np.linalg.inv(transform)[:2, :2].T + np.linalg.inv(transform)[:2, 2]
        ).T - 0.5
        places = (x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
        weight = cv2.remap(known, *places).ravel()
        dark = cv2.remap(modules * known, *places).ravel()
        # regressed on the illumination, with the weights of the common modules
        own = np.linalg.solve(light.T @ (weight[:, None] * light), light.T @ dark)
        drawn.append(dark - weight * (light @ own))
    return np.array(drawn / np.linalg.norm(drawn, axis=1, keepdims=True), np.float32)
