"""A phone held over a table and walked along it, as a short video, with the truth about it.

The phone goes over the table in lanes, its picture across the lane; it sways, its height changes,
and it moves at the pace of a walk that slows down at each step, with the streaks of its exposure.
"""

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from printables.scenes.camera import Camera
from printables.scenes.layout import Arrangement, arrange_groups
from printables.scenes.lens import Lens
from printables.scenes.render import shoot
from printables.scenes.view import View
from tests.bench.clutter import things_over
from tests.bench.scenes import lay

FOCAL_PER_WIDTH = 0.74
EXPOSURE_S = 1 / 250
OVERLAP = 0.35
BESIDE_MM = 70
"""How much of the bare table beside the cards is in the picture."""
CARDS_PER_GROUP = 12
SECONDS, RATE = 10.0, 10
ACROSS_MM = 1000.0
"""How much of the table is in the picture at once."""


@dataclass(frozen=True)
class Table:
    """Number of cards, how many of them lie face down, how many pens, coins and cups lie on them,
    and the table's surface."""

    cards: int
    down: int = 0
    things: int = 0
    ground: str = "wood"


@dataclass(frozen=True)
class Film:
    """A video file, and the group of each code from 0; `read` says which codes are face up."""

    content: bytes
    groups: dict[str, int]
    read: set[str]


def film(printed, table, seed, size):
    """Lay a table and film it."""
    rng = np.random.default_rng(seed)
    groups = max(2, round(table.cards / CARDS_PER_GROUP))
    cuts = np.sort(rng.choice(np.arange(1, table.cards), groups - 1, replace=False))
    sizes = np.diff([0, *cuts, table.cards]).tolist()
    layout = printed.deck.layout
    card_mm = (layout.width_mm, layout.height_mm)
    laid = lay(printed, arrange_groups(sizes, card_mm, rng, Arrangement()), rng)
    # numbers of their own, so that the table and the walk are the same with and without them
    spoils = np.random.default_rng([seed, 1])
    down = spoils.choice(table.cards, table.down, replace=False).tolist()
    for card in down:
        laid.cards[card] = replace(laid.cards[card], face=np.full((80, 60), 248, np.uint8))
    things = things_over(laid.cards, table.things, spoils)
    ends = np.concatenate([card.outline() for card in laid.cards])
    way, turns = _way(ends.min(0), ends.max(0), round(SECONDS * RATE), rng)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sweep.mp4"
        written = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), RATE, size)
        for at, (place, turn) in enumerate(zip(way, turns, strict=True)):
            speed = np.linalg.norm(way[min(at + 1, len(way) - 1)] - way[max(at - 1, 0)]) * RATE / 2
            view = _view(place, turn, ACROSS_MM * rng.uniform(0.97, 1.03), size, rng)
            streak = speed * EXPOSURE_S * size[0] / ACROSS_MM
            camera = Camera(motion_px=streak, blur_px=0.8, unevenness=0.25)
            near, on = (
                [card for card in some if _in_sight(card, view)] for some in (laid.cards, things)
            )
            shot = shoot(near, camera, view, rng, table.ground, on)
            written.write(np.ascontiguousarray(shot.photo))
        written.release()
        content = path.read_bytes()
    groups = dict(zip(laid.codes, laid.groups, strict=True))
    return Film(content, groups, set(laid.codes) - {laid.codes[card] for card in down})


def _way(low, high, frames, rng):
    """Middles of the frames along the lanes, and which way up the picture is held."""
    deep_mm = ACROSS_MM * 9 / 16
    height = high[1] - low[1]
    lanes = max(1, int(np.ceil((height - ACROSS_MM * OVERLAP) / (ACROSS_MM * (1 - OVERLAP)))))
    half = min(height, ACROSS_MM) / 2 - BESIDE_MM
    ys = np.linspace(low[1] + half, high[1] - half, lanes)
    left, right = low[0] + deep_mm / 3, max(high[0] - deep_mm / 3, low[0] + deep_mm / 3)
    corners = []
    for lane, y in enumerate(ys):
        row = [(left, y), (right, y)]
        corners += row if lane % 2 == 0 else row[::-1]
    corners = np.array(corners)
    steps = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    along = np.concatenate([[0], np.cumsum(steps)])
    time = np.linspace(0, 1, frames)
    # two steps a second, each of which slows the hand down
    beat = 2 * SECONDS * 2 * np.pi
    done = (time - 0.8 * np.sin(beat * time) / beat) * along[-1]
    way = np.stack([np.interp(done, along, corners[:, axis]) for axis in (0, 1)], -1)
    way += cv2.GaussianBlur(rng.normal(0, 60, (frames, 2)), (1, 0), sigmaX=0.1, sigmaY=4)
    sway = cv2.GaussianBlur(rng.normal(0, 20, (frames, 1)), (1, 0), sigmaX=0.1, sigmaY=6)
    return way, 90 + sway[:, 0]


def _view(middle, turn_deg, across_mm, size, rng):
    """What a phone sees that is held over a place of the table."""
    width, height = size
    focal = FOCAL_PER_WIDTH * width
    tilt, side = np.deg2rad(rng.uniform(0, 12)), rng.uniform(0, 2 * np.pi)
    axis = np.array([np.cos(side), np.sin(side), 0.0]) * tilt
    turned = cv2.Rodrigues(np.array([0, 0, np.deg2rad(turn_deg)]))[0] @ cv2.Rodrigues(axis)[0]
    pose = np.column_stack([turned[:, :2], -turned[:, 2], [0, 0, focal * across_mm / width]])
    centre = np.eye(4)
    centre[:2, 3] = -middle
    inner = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    return View(inner @ pose @ centre, size, Lens())


def _in_sight(card, view):
    low, high = view.to_photo(card.outline()).min(0), view.to_photo(card.outline()).max(0)
    return bool((high > 0).all() and (low < np.array(view.size)).all())
