"""Places of cards on a simulated table, in groups as people arrange them.

Distances are between outlines in millimetres, as `printables.tabletop.outlines` measures them.
"""

from dataclasses import dataclass

import numpy as np

from printables.errors import PaperError
from printables.tabletop.outlines import outline_distances

_TRIES = 60
_CELL_MM = 10.0


@dataclass(frozen=True)
class Place:
    """The place of a card: its centre in millimetres, its rotation clockwise, and its group from
    0."""

    x_mm: float
    y_mm: float
    angle_deg: float
    group: int

    def outline(self, width_mm: float, height_mm: float) -> np.ndarray:
        """Corners of a card of that size at this place, shape (4, 2)."""
        turn = np.deg2rad(self.angle_deg)
        across = np.array([np.cos(turn), np.sin(turn)]) * width_mm / 2
        down = np.array([-np.sin(turn), np.cos(turn)]) * height_mm / 2
        corners = [-across - down, across - down, across + down, down - across]
        return np.stack(corners) + np.array([self.x_mm, self.y_mm])


@dataclass(frozen=True)
class Habit:
    """How tidily people arrange groups.

    Attributes
    ----------
    inside_mm : float
        Largest distance from a card to the nearest of its group.
    between_mm : float
        Smallest distance between groups.
    untidiness_deg : float
        Standard deviation of the cards' rotations about their group's.
    any_way_up : bool
        Rotate groups by quarter turns, as people on all sides of a table do.
    """

    inside_mm: float = 25.0
    between_mm: float = 40.0
    untidiness_deg: float = 8.0
    any_way_up: bool = True


def lay_groups(
    sizes: list[int],
    card_mm: tuple[float, float],
    rng: np.random.Generator,
    habit: Habit | None = None,
) -> list[Place]:
    """Arrange groups of cards of the same size on a table of about 4:3.

    Parameters
    ----------
    sizes : list of int
        Cards in each group.
    card_mm : (width, height)
    rng : numpy Generator
    habit : Habit, optional

    Returns
    -------
    list of Place
        Group after group, `sum(sizes)` of them.

    Raises
    ------
    PaperError
        If the habit has groups closer together than the cards of a group.
    """
    habit = habit or Habit()
    if habit.inside_mm >= habit.between_mm:
        raise PaperError("groups must be further apart than the cards inside them")
    blocks = [_lay_one(size, card_mm, rng, habit) for size in sizes]
    corner = _pack([_extent(block, card_mm) for block in blocks], rng, habit.between_mm)
    return [
        Place(place.x_mm + x, place.y_mm + y, place.angle_deg, group)
        for group, (block, (x, y)) in enumerate(zip(blocks, corner, strict=True))
        for place in block
    ]


def _lay_one(
    size: int, card_mm: tuple[float, float], rng: np.random.Generator, habit: Habit
) -> list[Place]:
    for attempt in range(_TRIES):
        loose = habit.inside_mm * 0.8 * (1 - attempt / _TRIES)
        block = _rows_of_cards(size, card_mm, rng, habit, loose)
        if size == 1 or hangs_together(block, card_mm, habit.inside_mm):
            return block
    raise PaperError(f"cards cannot lie within {habit.inside_mm:g} mm of each other; allow more")


def _rows_of_cards(
    size: int, card_mm: tuple[float, float], rng: np.random.Generator, habit: Habit, loose: float
) -> list[Place]:
    base = 90.0 * rng.integers(4) if habit.any_way_up else 0.0
    turns = base + rng.normal(0, habit.untidiness_deg, size)
    columns = max(1, round(size**0.5 * rng.uniform(0.7, 1.5)))
    block: list[Place] = []
    top = 0.0
    for start in range(0, size, columns):
        left, deepest = 0.0, 0.0
        for turn in turns[start : start + columns]:
            outline = Place(0, 0, float(turn), 0).outline(*card_mm)
            across, down = np.ptp(outline, axis=0)
            drop = rng.uniform(0, loose / 3)
            block.append(Place(left + across / 2, top + drop + down / 2, float(turn), 0))
            left += across + rng.uniform(1, max(loose, 1.5))
            deepest = max(deepest, drop + down)
        top += deepest + rng.uniform(0.5, max(loose / 2, 1))
    return block


def hangs_together(block: list[Place], card_mm: tuple[float, float], inside_mm: float) -> bool:
    outlines = np.stack([place.outline(*card_mm) for place in block])
    first, second, _ = outline_distances(outlines, inside_mm)
    reached, border = {0}, [0]
    while border:
        card = border.pop()
        beside = set(second[first == card].tolist()) | set(first[second == card].tolist())
        border.extend(beside - reached)
        reached |= beside
    return len(reached) == len(block)


def _extent(block: list[Place], card_mm: tuple[float, float]) -> tuple[float, float, float, float]:
    corners = np.concatenate([place.outline(*card_mm) for place in block])
    (left, top), (right, bottom) = corners.min(0), corners.max(0)
    return float(left), float(top), float(right), float(bottom)


def _pack(
    extents: list[tuple[float, float, float, float]], rng: np.random.Generator, between: float
) -> list[tuple[float, float]]:
    """The place of each block, on a table of the width that best fills a 4:3 picture."""
    low = np.array([extent[:2] for extent in extents])
    sizes = np.array([extent[2:] for extent in extents]) - low
    cells = np.ceil((sizes + between + rng.uniform(0, 10, sizes.shape)) / _CELL_MM).astype(int)
    narrowest, area = int(cells[:, 0].max()), float(np.prod(cells, axis=1).sum())
    best, corners = np.inf, np.zeros((len(extents), 2))
    for stretch in np.linspace(0.9, 1.4, 26):
        tried = _stack(cells, max(int(stretch * (area * 4 / 3) ** 0.5), narrowest))
        ends = (tried * _CELL_MM + sizes).max(0)
        if max(ends[0] / 4, ends[1] / 3) < best:
            best, corners = max(ends[0] / 4, ends[1] / 3), tried
    return [(float(x), float(y)) for x, y in corners * _CELL_MM - low]


def _stack(cells: np.ndarray, across: int) -> np.ndarray:
    """Place each block, the tallest first, where its upper edge is highest."""
    used = np.zeros(across, int)
    corners = np.zeros((len(cells), 2))
    for block in np.argsort(-cells[:, 1], kind="stable"):
        width, height = cells[block]
        tops = np.lib.stride_tricks.sliding_window_view(used, width).max(-1)
        left = int(tops.argmin())
        corners[block] = left, tops[left]
        used[left : left + width] = tops[left] + height
    return corners
