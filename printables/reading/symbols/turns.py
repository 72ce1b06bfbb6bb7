"""Trying a symbol in all rotations and small shifts at one place, all at once.

The surroundings of each place are sampled once, a sample per module; the modules common to all
symbols, drawn in every rotation and shift, are correlated with all places in one matrix product.
"""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.cards.codes import MODULES
from printables.reading.symbols.pose import rough_correlation, sample
from printables.reading.symbols.symbol_model import UNKNOWN, common_modules

_SHIFTS, _TURNS = (-1.5, 0.0, 1.5), np.deg2rad(np.arange(0, 360, 10))
"""Shifts along both axes, modules, and rotations that are tried, radians. Chosen by trial, and not
varied in any measurement since."""
_REACH = 16
"""Modules around a place that are sampled: a symbol's corner is 14.8 from its centre."""
_LIKELY_WAYS = 12
"""Ways of each place that are compared at the symbol's own modules: more take longer. Chosen by
trial, and not varied in any measurement since."""


def best_ways(
    grey: NDArray[np.uint8], maps: NDArray[np.float64], count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Find the rotations and shifts in which each place resembles a symbol most.

    Parameters
    ----------
    grey : uint8 array, shape (height, width)
        Slightly softened.
    maps : float array, shape (places, 2, 3)
        From modules to pixels, for an unrotated symbol at each place.
    count : int
        How many ways of each place are returned.

    Returns
    -------
    maps : float array, shape (places, count, 2, 3)
        Best first.
    correlation : float array, shape (places, count)
    """
    around = sample(grey, maps, _around())
    around -= around.mean(1, keepdims=True)
    likely = np.argpartition(around @ _drawn().T, _LIKELY_WAYS)[:, :_LIKELY_WAYS]
    turned = maps[:, None] @ _ways()[likely]
    alike = rough_correlation(grey, turned.reshape(-1, 2, 3)).reshape(likely.shape)
    best = np.argsort(-alike, axis=1, kind="stable")[:, :count]
    chosen = np.take_along_axis(turned, best[..., None, None], 1)
    return chosen, np.take_along_axis(alike, best, 1)


@lru_cache(maxsize=1)
def _ways() -> NDArray[np.float64]:
    """Each rotation and shift as an affine map of modules, shape (ways, 3, 3)."""
    ways = []
    for turn in _TURNS:
        rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        for shift in np.stack(np.meshgrid(_SHIFTS, _SHIFTS), -1).reshape(-1, 2):
            way = np.eye(3)
            way[:2, :2] = rotation
            way[:2, 2] = shift + MODULES / 2 - rotation @ [MODULES / 2, MODULES / 2]
            ways.append(way)
    return np.array(ways)


@lru_cache(maxsize=1)
def _around() -> NDArray[np.float32]:
    """Places of the samples around a symbol's centre, in modules, x before y."""
    along = np.arange(-_REACH, _REACH + 1) + MODULES / 2
    y, x = np.meshgrid(along, along, indexing="ij")
    return np.stack([x.ravel(), y.ravel()], -1).astype(np.float32)


@lru_cache(maxsize=1)
def _drawn() -> NDArray[np.float32]:
    """The common modules in each way, dark positive, shape (ways, samples); light and its gradients
    do not count."""
    modules = common_modules()
    known = (modules != UNKNOWN).astype(np.float32)
    light = np.column_stack([np.ones(len(_around())), _around() - MODULES / 2])
    drawn = []
    for way in _ways():
        x, y = (_around() @ np.linalg.inv(way)[:2, :2].T + np.linalg.inv(way)[:2, 2]).T - 0.5
        places = (x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
        weight = cv2.remap(known, *places).ravel()
        dark = cv2.remap(modules * known, *places).ravel()
        # regressed on the light, with the weights of the known modules
        own = np.linalg.solve(light.T @ (weight[:, None] * light), light.T @ dark)
        drawn.append(dark - weight * (light @ own))
    return np.array(drawn / np.linalg.norm(drawn, axis=1, keepdims=True), np.float32)
