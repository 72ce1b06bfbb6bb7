"""Photos of tables as people leave them and phones see them, under `tests.bench.conditions`.

    printed = print_cards(300)
    scene = pictured(printed, 60, LEVELS["ordinary"], seed=3)        # one photo
    first, second = pictured_twice(printed, 60, EFFECTS["cut"], 3)   # two that overlap
    score(scene, read_photo(scene.jpeg, printed.deck))

The same seed gives the same photo. A `Scene` says the truth: see `tests.bench.scenes`.
"""

import copy
from dataclasses import dataclass, replace

import numpy as np

from printables.scenes.camera import Camera
from printables.scenes.card_on_table import CardOnTable
from printables.scenes.layout import Arrangement, arrange_groups
from printables.scenes.lens import Lens
from printables.scenes.paper import Bend, cut_inexactly
from printables.scenes.render import frame_of, shoot
from printables.scenes.sensor import Sensor
from printables.scenes.view import look_at
from tests.bench.clutter import hand_over, things_over
from tests.bench.layouts import in_columns, piled, pushed_together, stacked
from tests.bench.phones import behind_window, by_messenger, in_sun, toned
from tests.bench.scenes import BLEED_MM, Scene, as_jpeg

CARDS_PER_GROUP = 12
MEGAPIXELS = 12
OVERLAP = 0.3
_BLANK = 246


@dataclass(frozen=True)
class Table:
    """What lies on a table: cards with their codes and groups, which lie face down, and things."""

    codes: list
    groups: list
    cards: list
    face_down: set
    things: list
    square: np.ndarray


def pictured(printed, count, conditions, seed):
    """One photo of a table with `count` cards."""
    rng = np.random.default_rng(seed)
    table = laid_out(printed, count, conditions, rng)
    return _photo(table, frame_of(table.cards), conditions, rng)


def pictured_with(printed, count, draw, conditions, seed):
    """The same with one more thing, `draw(cards, rng)`, over or beside the cards."""
    rng = np.random.default_rng(seed)
    table = laid_out(printed, count, conditions, rng)
    table.things.append(draw(table.cards, rng))
    return _photo(table, frame_of(table.cards), conditions, rng)


def pictured_twice(printed, count, conditions, seed):
    """Two photos of one table that share a third of its width, from slightly different sides."""
    rng = np.random.default_rng(seed)
    table = laid_out(printed, count, conditions, rng)
    low, high = frame_of(table.cards)
    across = int(np.ptp([low, high], axis=0).argmax())
    ground = (str(rng.choice(conditions.grounds)),)
    scenes = []
    for left, right in ((0.0, 0.5 + OVERLAP / 2), (0.5 - OVERLAP / 2, 1.0)):
        part = np.stack([low, high])
        part[:, across] = low[across] + np.array([left, right]) * (high - low)[across]
        turn = 90.0 * across + rng.uniform(-10, 10)
        scenes.append(_photo(table, part, conditions, rng, (ground[0], turn)))
    return scenes


def pictured_under(printed, groups, draw, conditions, seed):
    """One photo of a few groups of 4 to 14 cards; `draw(cards, rng)` is what lies over some."""
    rng = np.random.default_rng(seed)
    layout = printed.deck.layout
    arrangement = Arrangement(
        conditions.inside_mm, conditions.between_mm, conditions.untidiness_deg
    )
    sizes = rng.integers(4, 15, groups).tolist()
    places = arrange_groups(sizes, (layout.width_mm, layout.height_mm), rng, arrangement)
    codes = rng.permutation(printed.deck.codes)[: len(places)].tolist()
    cards = [
        _handled(printed, code, place, conditions, rng)
        for code, place in zip(codes, places, strict=True)
    ]
    groups_of = [place.group for place in places]
    table = Table(codes, groups_of, cards, set(), [draw(cards, rng)], _symbol_square(layout))
    return _photo(table, frame_of(cards), conditions, rng)


def laid_out(printed, count, conditions, rng):
    """The table before anybody photographs it."""
    layout = printed.deck.layout
    size = (layout.width_mm, layout.height_mm)
    groups = max(2, round(count / CARDS_PER_GROUP))
    cuts = np.sort(rng.choice(np.arange(1, count), groups - 1, replace=False))
    sizes = np.diff([0, *cuts, count]).tolist()
    arrangement = Arrangement(
        conditions.inside_mm, conditions.between_mm, conditions.untidiness_deg
    )
    places = arrange_groups(sizes, size, rng, arrangement)
    places = pushed_together(places, size, conditions.overlapping, conditions.inside_mm, rng)
    places = stacked(places, size, conditions.stacked, conditions.between_mm, rng)
    places = piled(places, conditions.piled, rng)
    places = in_columns(places, size, conditions.columns, conditions.between_mm, rng)
    codes = rng.permutation(printed.deck.codes)[:count].tolist()
    down = {code for code in codes if rng.random() < conditions.face_down}
    cards = [
        _handled(printed, None if code in down else code, place, conditions, rng)
        for code, place in zip(codes, places, strict=True)
    ]
    things = things_over(cards, round(rng.poisson(conditions.things * count / 60)), rng)
    if rng.random() < conditions.hand:
        things.append(hand_over(cards, rng))
    groups_of = [place.group for place in places]
    return Table(codes, groups_of, cards, down, things, _symbol_square(layout))


def _symbol_square(layout):
    """Corners of the symbol on a card."""
    box = layout.symbol
    return np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * box.width + [box.x, box.y]


def _handled(printed, code, place, conditions, rng):
    """A card cut and bent; without a code, its blank side."""
    layout = printed.deck.layout
    size = (layout.width_mm, layout.height_mm)
    face = printed.bleeds[code] if code else np.full((220, 300), _BLANK, np.uint8)
    if conditions.paper != 1:
        face = (face * conditions.paper).astype(np.uint8)
    trim = cut_inexactly(size, conditions.cut_mm, conditions.cut_deg, rng)
    height = rng.uniform(*conditions.bend_mm) * rng.choice([-1, 1])
    direction = rng.choice([0.0, 90.0, rng.uniform(0, 180)], p=[0.4, 0.3, 0.3])
    turn = np.deg2rad(direction)
    reach = (size[0] * abs(np.cos(turn)) + size[1] * abs(np.sin(turn))) / 2
    bend = Bend(height, direction, reach) if height else None
    where = (place.x_mm, place.y_mm, place.angle_deg)
    return CardOnTable(face, *size, *where, None, BLEED_MM, trim, bend)


def camera_of(conditions, rng):
    """The camera of one photo."""

    def one(least_and_most):
        return float(rng.uniform(*least_and_most))

    poor, busy, light = one(conditions.lens), one(conditions.processing), one(conditions.noise)
    lens = Lens(
        k1=0.025 * poor * rng.choice([-1, 1]),
        k2=0.012 * poor * rng.uniform(-1, 1),
        fringe=0.0005 * poor,
        vignetting=0.35 * poor,
        softness_px=1.6 * poor,
    )
    sensor = Sensor(
        electrons=4000 / light,
        read_noise=0.0015 * light**0.5,
        denoise=3.0 * busy * light**0.4,
        sharpening=0.6 * busy,
        halo_px=1.2,
        local_contrast=0.12 * busy,
        curve=min(0.3 * busy, 0.8),
    )
    return Camera(
        megapixels=MEGAPIXELS,
        tilt_deg=one(conditions.tilt_deg),
        blur_px=one(conditions.blur_px),
        unevenness=one(conditions.unevenness),
        motion_px=one(conditions.motion_px),
        shadow=one(conditions.shadow),
        glare=one(conditions.glare),
        lens=lens,
        sensor=sensor,
        defocus_px=one(conditions.defocus_px),
        stops=one(conditions.stops),
    )


def _photo(table, frame, conditions, rng, fixed=None):
    """One photo of a part of the table; `fixed` says the ground and the camera's turn."""
    camera = camera_of(conditions, rng)
    ground, turn = fixed or (str(rng.choice(conditions.grounds)), 0.0)
    view = look_at(frame, camera, rng, turn)
    sunny = copy.deepcopy(rng)
    shot = shoot(table.cards, camera, view, rng, ground, table.things)
    laid = list(enumerate(zip(table.codes, table.cards, strict=True)))
    within = _within(table.square)
    scene = Scene(
        as_jpeg(shot.photo, round(rng.uniform(*conditions.quality))),
        {code: view.to_photo(card.to_3d(table.square)) for _, (code, card) in laid},
        dict(zip(table.codes, table.groups, strict=True)),
        {code: view.to_photo(card.to_3d(card.corners())) for _, (code, card) in laid},
        {
            code: 0.0 if code in table.face_down else _share(shot, n, card, within)
            for n, (code, card) in laid
        },
        {code: _share(shot, n, card, _within(card.corners())) for n, (code, card) in laid},
    )
    if conditions.window is not None:
        scene = behind_window(scene, rng, conditions.window)
    if conditions.sun is not None:
        light = replace(camera, stops=camera.stops + conditions.sun)
        lit = shoot(table.cards, light, view, sunny, ground, table.things).photo
        scene = in_sun(scene, lit, rng)
    if conditions.white is not None:
        scene = toned(scene, conditions.white)
    return scene if conditions.longest_px is None else by_messenger(scene, conditions.longest_px)


def _share(shot, number, card, points):
    return float(shot.shows(number, card.to_3d(points)).mean())


def _within(square):
    """Points all over a quadrangle, shape (441, 2)."""
    u, v = (part.ravel()[:, None] for part in np.meshgrid(*[(np.arange(21) + 0.5) / 21] * 2))
    top = square[0] * (1 - u) + square[1] * u
    return top * (1 - v) + (square[3] * (1 - u) + square[2] * u) * v
