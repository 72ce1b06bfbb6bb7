"""Sketches from a simple model of drawing by hand.

A shape is a list of strokes through corner points in the unit square. A hand leans, stretches and
trembles: its tremor is a sum of a few slow waves along the stroke, which makes lines wavy rather
than jagged; some hands overshoot their corners, others leave shapes open.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

BOX = 512
# The points of a stroke: a row of x and a row of y.
Points = NDArray[np.float64]
POINT_EVERY = 0.02
POINTS_OF_AN_ARC = 40
WAVES = 5


def _arc(
    x: float, y: float, width: float, height: float, begin: float = 0.0, end: float = 360.0
) -> Points:
    angle = np.radians(np.linspace(begin, end, POINTS_OF_AN_ARC))
    return np.column_stack([x + width / 2 * np.cos(angle), y + height / 2 * np.sin(angle)])


def _polygon(*corners: tuple[float, float]) -> Points:
    return np.array([*corners, corners[0]], float)


def _star(points: int) -> Points:
    angle = np.radians(np.arange(2 * points + 1) * 180 / points - 90)
    radius = np.where(np.arange(2 * points + 1) % 2, 0.19, 0.46)
    return np.column_stack([0.5 + radius * np.cos(angle), 0.5 + radius * np.sin(angle)])


def _heart() -> Points:
    t = np.radians(np.linspace(0, 360, 60))
    x = 16 * np.sin(t) ** 3
    y = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
    return np.column_stack([0.5 + x / 38, 0.46 - y / 38])


def _lines(*pairs: tuple[tuple[float, float], ...]) -> list[Points]:
    return [np.array(pair, float) for pair in pairs]


SHAPES = {
    "circle": [_arc(0.5, 0.5, 0.84, 0.84)],
    "ellipse": [_arc(0.5, 0.5, 0.9, 0.5)],
    "triangle": [_polygon((0.5, 0.08), (0.93, 0.9), (0.07, 0.9))],
    "square": [_polygon((0.12, 0.12), (0.88, 0.12), (0.88, 0.88), (0.12, 0.88))],
    "heart": [_heart()],
    "house": [
        _polygon((0.15, 0.45), (0.85, 0.45), (0.85, 0.93), (0.15, 0.93)),
        *_lines(((0.08, 0.47), (0.5, 0.08), (0.92, 0.47))),
        *_lines(((0.42, 0.93), (0.42, 0.65), (0.58, 0.65), (0.58, 0.93))),
    ],
    "star": [_star(5)],
    "fish": [
        _arc(0.42, 0.5, 0.7, 0.42),
        *_lines(((0.76, 0.5), (0.96, 0.3), (0.96, 0.7), (0.76, 0.5))),
    ],
    "tree": [
        _arc(0.5, 0.34, 0.62, 0.52),
        *_lines(((0.44, 0.6), (0.42, 0.94)), ((0.56, 0.6), (0.58, 0.94))),
    ],
    "cup": [
        *_lines(((0.2, 0.2), (0.28, 0.88), (0.62, 0.88), (0.7, 0.2))),
        _arc(0.45, 0.2, 0.5, 0.14),
        _arc(0.7, 0.48, 0.36, 0.36, -80, 100),
    ],
}


@dataclass(frozen=True)
class Hand:
    """A person's drawing style.

    Attributes
    ----------
    tremor : float
        Size of the deviation, as a share of the box.
    slant : float
        Shear to the right, as a share of the height.
    stretch : float
        Width over height.
    overshoot : float
        How far a stroke runs past its end, as a share of its length; negative leaves it open.
    """

    tremor: float
    slant: float
    stretch: float
    overshoot: float


HANDS = {
    "ana": Hand(tremor=0.010, slant=0.00, stretch=1.00, overshoot=0.00),
    "ben": Hand(tremor=0.022, slant=0.14, stretch=0.82, overshoot=0.05),
    "cleo": Hand(tremor=0.016, slant=-0.10, stretch=1.15, overshoot=-0.05),
    "dov": Hand(tremor=0.032, slant=0.05, stretch=0.95, overshoot=0.02),
}


def draw(shape: str, hand: Hand, rng: np.random.Generator) -> list[NDArray[np.int64]]:
    """Strokes of one sketch.

    Parameters
    ----------
    shape : str
        A key of `SHAPES`.
    hand : Hand
    rng : numpy.random.Generator

    Returns
    -------
    list of int arrays, shape (points, 2)
        Within a box of 512 units, y downwards.
    """
    tilt = rng.normal(0, 0.05)
    turn = np.array([[np.cos(tilt), -np.sin(tilt)], [np.sin(tilt), np.cos(tilt)]])
    lean = np.array([[hand.stretch, -hand.slant], [0, 1]])
    strokes = [
        _wander(_along(stroke, hand.overshoot), hand.tremor, rng) for stroke in SHAPES[shape]
    ]
    placed = [0.5 + (stroke - 0.5) @ (turn @ lean).T for stroke in strokes]
    return _fit(placed, 0.86 + rng.uniform(-0.06, 0.06))


def _along(stroke: Points, overshoot: float) -> Points:
    """Points at even steps along a stroke, which is lengthened or shortened at its end."""
    steps = np.linalg.norm(np.diff(stroke, axis=0), axis=1)
    place = np.concatenate([[0], np.cumsum(steps)])
    length = place[-1] * (1 + min(overshoot, 0))
    at = np.linspace(0, length, max(3, round(length / POINT_EVERY)))
    points = np.column_stack([np.interp(at, place, stroke[:, axis]) for axis in (0, 1)])
    if overshoot > 0:
        last = points[-1] - points[-2]
        run = overshoot * place[-1] * last / np.linalg.norm(last)
        points = np.vstack([points, points[-1] + run])
    return points


def _wander(points: Points, tremor: float, rng: np.random.Generator) -> Points:
    """Add the tremor to a stroke: a few waves, slower ones larger."""
    tremor *= min(1, len(points) * POINT_EVERY)
    phase = np.linspace(0, 1, len(points))[:, None, None]
    order = np.arange(1, WAVES + 1)[:, None]
    size = rng.normal(0, tremor, (WAVES, 2)) / order
    wave = np.sin(2 * np.pi * (order * phase + rng.uniform(0, 1, (WAVES, 2)))) * size
    return points + wave.sum(axis=1)


def _fit(strokes: Sequence[Points], share: float) -> list[NDArray[np.int64]]:
    """Scale strokes into the box, centred, filling a share of it."""
    points = np.vstack(strokes)
    low, high = points.min(axis=0), points.max(axis=0)
    scale = share * BOX / (high - low).max()
    return [np.rint((s - (low + high) / 2) * scale + BOX / 2).astype(int) for s in strokes]


def ndjson_line(name: str, shape: str, hand: str, strokes: Sequence[NDArray[np.int64]]) -> str:
    """One sketch as a line in the Quick, Draw! format."""
    drawing = [[stroke[:, 0].tolist(), stroke[:, 1].tolist()] for stroke in strokes]
    return json.dumps({"word": shape, "key_id": name, "drawer": hand, "drawing": drawing})


def write_set(path: Path, shapes: Iterable[str], rng: np.random.Generator) -> list[str]:
    """Draw each shape by every hand into one `.ndjson` file; return the names drawn."""
    names = []
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for shape in shapes:
            for hand_name, hand in HANDS.items():
                name = f"{shape}-{hand_name}"
                strokes = draw(shape, hand, rng)
                file.write(ndjson_line(name, shape, hand_name, strokes) + "\n")
                names.append(name)
    return names
