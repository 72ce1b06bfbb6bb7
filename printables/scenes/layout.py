"""Arranging cards in groups on a simulated table, as people do.

Distances are those between outlines, in millimetres (see `printables.tabletop.outlines`).
"""

from dataclasses import dataclass

import numpy as np

from printables.errors import PaperError
from printables.tabletop.outlines import outline_distances

_TRIES = 60
_CELL_MM = 10.0


@dataclass(frozen=True)
class Place:
    """The position of a card.

    Attributes
    ----------
    x_mm, y_mm : float
        Centre.
    angle_deg : float
        Rotation, clockwise.
    group : int
        From 0.
    """

    x_mm: float
    y_mm: float
    angle_deg: float
    group: int

    def outline(self, width_mm: float, height_mm: float) -> np.ndarray:
        """Corners of a card of this size, millimetres, shape (4, 2)."""
        turn = np.deg2rad(self.angle_deg)
        across = np.array([np.cos(turn), np.sin(turn)]) * width_mm / 2
        down = np.array([-np.sin(turn), np.cos(turn)]) * height_mm / 2
        corners = [-across - down, across - down, across + down, down - across]
        return np.stack(corners) + np.array([self.x_mm, self.y_mm])


@dataclass(frozen=True)
class Arrangement:
    """How tidily people arrange groups.

    Attributes
    ----------
    inside_mm : float
        Greatest distance from a card to the nearest card of its group.
    between_mm : float
        Least distance between groups.
    untidiness_deg : float
        Standard deviation of the cards' rotations around that of their group.
    any_way_up : bool
        Rotate groups by multiples of 90 degrees, as people on all sides of a table do.
    """

    inside_mm: float = 25.0
    between_mm: float = 40.0
    untidiness_deg: float = 8.0
    any_way_up: bool = True


def arrange_groups(
    sizes: list[int],
    card_mm: tuple[float, float],
    rng: np.random.Generator,
    arrangement: Arrangement | None = None,
) -> list[Place]:
    """Arrange groups of cards of the same size on a table whose sides are about 4:3.

    Parameters
    ----------
    sizes : list of int
        Number of cards in each group.
    card_mm : (float, float)
        Width and height of a card.
    rng : numpy Generator
    arrangement : Arrangement, optional

    Returns
    -------
    list of Place
        All cards, sorted by group.

    Raises
    ------
    PaperError
        If groups may be closer together than the cards within them.
    """
    arrangement = arrangement or Arrangement()
    if arrangement.inside_mm >= arrangement.between_mm:
        raise PaperError("groups must be further apart than the cards inside them")
    blocks = [_arrange_one(size, card_mm, rng, arrangement) for size in sizes]
    corner = _pack([_extent(block, card_mm) for block in blocks], rng, arrangement.between_mm)
    return [
        Place(place.x_mm + x, place.y_mm + y, place.angle_deg, group)
        for group, (block, (x, y)) in enumerate(zip(blocks, corner, strict=True))
        for place in block
    ]


def _arrange_one(
    size: int, card_mm: tuple[float, float], rng: np.random.Generator, arrangement: Arrangement
) -> list[Place]:
    for attempt in range(_TRIES):
        loose = arrangement.inside_mm * 0.8 * (1 - attempt / _TRIES)
        block = _rows_of_cards(size, card_mm, rng, arrangement, loose)
        if size == 1 or is_connected(block, card_mm, arrangement.inside_mm):
            return block
    raise PaperError(
        f"cards cannot be within {arrangement.inside_mm:g} mm of each other; allow more"
    )


def _rows_of_cards(
    size: int,
    card_mm: tuple[float, float],
    rng: np.random.Generator,
    arrangement: Arrangement,
    loose: float,
) -> list[Place]:
    base = 90.0 * rng.integers(4) if arrangement.any_way_up else 0.0
    turns = base + rng.normal(0, arrangement.untidiness_deg, size)
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


def is_connected(block: list[Place], card_mm: tuple[float, float], inside_mm: float) -> bool:
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
    """Position of each block, on a table of the width that best fills a 4:3 picture."""
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
    """Pack rectangles: each, the tallest first, as far up as possible (skyline heuristic)."""
    used = np.zeros(across, int)
    corners = np.zeros((len(cells), 2))
    for block in np.argsort(-cells[:, 1], kind="stable"):
        width, height = cells[block]
        tops = np.lib.stride_tricks.sliding_window_view(used, width).max(-1)
        left = int(tops.argmin())
        corners[block] = left, tops[left]
        used[left : left + width] = tops[left] + height
    return corners
