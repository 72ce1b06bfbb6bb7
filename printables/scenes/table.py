"""Rendering the bare table: wood, white, dark, or a patterned cloth."""

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.scenes.view import View, project

Photo = NDArray[np.uint8]

GROUNDS = ("wood", "white", "dark", "checked", "striped", "flowered")

_TEXEL_MM = 1.5
"""Side of a texture pixel, millimetres."""
_GRAIN = ((40, 3, 0.10), (90, 9, 0.12), (12, 1, 0.06), (200, 60, 0.08))
_TONES = {
    "wood": ((88, 124, 162), 1.0),
    "white": ((226, 230, 232), 0.08),
    "dark": ((38, 36, 36), 0.7),
    "checked": ((205, 214, 222), 0.12),
    "striped": ((196, 206, 214), 0.12),
    "flowered": ((176, 196, 210), 0.15),
}
_INK = {"checked": (96, 74, 150), "striped": (120, 96, 60), "flowered": (70, 110, 90)}


def bare_table(view: View, rng: np.random.Generator, ground: str) -> Photo:
    """Render a bare table through an ideal lens.

    Parameters
    ----------
    view : View
    rng : numpy Generator
    ground : str
        One of `GROUNDS`.

    Returns
    -------
    uint8 array, shape (height, width, 3)
    """
    width, height = view.size
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    seen = project(np.asarray(np.linalg.inv(view.plane)), frame)
    low, high = seen.min(0), seen.max(0)
    columns, rows = (int(n) for n in np.clip(np.ceil((high - low) / _TEXEL_MM) + 2, 8, 4000))
    shade = np.zeros((rows, columns), np.float32)
    for length, breadth, depth in _GRAIN:
        coarse = rng.standard_normal((rows // breadth + 2, columns // length + 2)).astype("f4")
        shade += depth * cv2.resize(coarse, (columns, rows), interpolation=cv2.INTER_CUBIC)
    tone, strength = _TONES[ground]
    colours = np.broadcast_to(np.array(tone, "f4"), (rows, columns, 3))
    if ground in _INK:
        share = _pattern(ground, (rows, columns), rng)[..., None]
        colours = colours + (np.array(_INK[ground], "f4") - colours) * share
    grain = np.clip(np.exp(strength * shade)[..., None] * colours, 0, 255).astype(np.uint8)
    texel = np.array([[_TEXEL_MM, 0, low[0]], [0, _TEXEL_MM, low[1]], [0, 0, 1.0]])
    onto = view.plane @ texel
    return np.asarray(
        cv2.warpPerspective(grain, onto, view.size, borderMode=cv2.BORDER_REFLECT), np.uint8
    )


def _pattern(ground: str, shape: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    """Share of the cloth's second colour at each texture pixel."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]] * _TEXEL_MM
    if ground == "checked":
        wide = rng.uniform(15, 40)
        return np.asarray(0.5 * ((x // wide) % 2) + 0.5 * ((y // wide) % 2), np.float32)
    if ground == "striped":
        wide, way = rng.uniform(6, 30), rng.uniform(0, np.pi)
        along = x * np.cos(way) + y * np.sin(way)
        return np.asarray((along // wide) % 2, np.float32)
    share = np.zeros(shape, np.uint8)
    for _ in range(int(shape[0] * shape[1] * _TEXEL_MM**2 / 2500)):
        middle = tuple(int(v) for v in rng.integers(0, shape[::-1]))
        petals = (int(rng.integers(3, 12)), int(rng.integers(3, 9)))
        cv2.ellipse(share, middle, petals, float(rng.uniform(0, 180)), 0, 360, 255, -1, cv2.LINE_AA)
    return np.asarray(share / 255, np.float32)
