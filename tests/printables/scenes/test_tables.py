"""Realistic tables: the ground truth agrees with the photo."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
import zxingcpp

from printables.scenes.render import frame_of
from printables.tabletop.outlines import outline_distances
from tests.bench import tables
from tests.bench.conditions import EFFECTS, LEVELS, PLAIN
from tests.bench.scenes import print_cards
from tests.bench.tables import camera_of, laid_out, pictured, pictured_twice

pytestmark = pytest.mark.slow

SMALL = 16


@pytest.fixture(scope="module")
def printed():
    return print_cards(SMALL)


@pytest.fixture(autouse=True)
def smaller_photos(monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 3)


def pixels(scene):
    return cv2.imdecode(np.frombuffer(scene.jpeg, np.uint8), cv2.IMREAD_COLOR)


def straightened(scene, code, photo):
    """The symbol at its true corners, rectified, at ten pixels per module, with a white border."""
    wide, rim = 210, 40
    square = np.array([[0, 0], [wide, 0], [wide, wide], [0, wide]], np.float32) + rim - 0.5
    onto = cv2.getPerspectiveTransform(scene.corners[code].astype(np.float32), square)
    seen = cv2.warpPerspective(photo, onto, (wide + 2 * rim,) * 2, flags=cv2.INTER_CUBIC)
    grey = cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY)
    framed = np.full_like(grey, np.percentile(grey, 90))
    framed[rim:-rim, rim:-rim] = grey[rim:-rim, rim:-rim]
    return framed


def decoded_at_truth(scene):
    """Share of the visible symbols that zxing-cpp reads at their true corners."""
    photo, codes = pixels(scene), sorted(scene.visible())
    found = [[b.text for b in zxingcpp.read_barcodes(straightened(scene, c, photo))] for c in codes]
    assert all(texts in ([code], []) for code, texts in zip(codes, found, strict=True))
    return np.mean([bool(texts) for texts in found])


@pytest.mark.parametrize(
    "name", ["plain", "ordinary", "bent", "cut", "tilt 45", "lens", "stacked", "overlapping"]
)
def test_symbols_are_decoded_at_their_true_corners(printed, name):
    scene = pictured(printed, SMALL, {**LEVELS, **EFFECTS}[name], 5)
    assert len(scene.visible()) >= SMALL / 2
    # symbols at the far side of a steeply tilted table are small in a photo of 3 megapixels
    assert decoded_at_truth(scene) >= (0.65 if name == "tilt 45" else 1)


def test_what_is_clipped_is_darker_in_a_toned_photo_apart_from_edges(printed):
    grey = cv2.cvtColor(
        pixels(pictured(printed, SMALL, EFFECTS["white toned"], 5)), cv2.COLOR_BGR2GRAY
    )
    light = np.bincount(grey.ravel(), minlength=256)[200:]
    assert 200 + light.argmax() == round(0.95 * 255)
    assert grey.max() > 250


def test_the_ground_truth_of_two_photos_of_a_table(printed):
    scenes = pictured_twice(printed, SMALL, LEVELS["ordinary"], 3)
    assert all(decoded_at_truth(scene) == 1 for scene in scenes)
    first, second = (scene.visible() for scene in scenes)
    assert first & second
    assert first - second
    assert second - first
    assert scenes[0].groups == scenes[1].groups


def test_the_same_seed_gives_the_same_photo(printed):
    photos = [pictured(printed, SMALL, LEVELS["careless"], seed).jpeg for seed in (4, 4, 5)]
    assert photos[0] == photos[1] != photos[2]


def test_face_down_cards_are_in_sight_but_their_codes_are_not_visible(printed):
    scene = pictured(printed, SMALL, EFFECTS["face down"], 1)
    rng = np.random.default_rng(1)
    down = laid_out(printed, SMALL, EFFECTS["face down"], rng).face_down
    assert down
    assert scene.visible() == set(scene.corners) - down
    assert scene.in_sight() == set(scene.corners)


def test_a_card_under_a_pile_is_not_visible(printed):
    table = laid_out(printed, SMALL, replace(PLAIN, stacked=1.0), np.random.default_rng(6))
    scene = pictured(printed, SMALL, replace(PLAIN, stacked=1.0), 6)
    buried = set(scene.corners) - scene.visible()
    assert buried
    centres = {c: (k.x_mm, k.y_mm) for c, k in zip(table.codes, table.cards, strict=True)}
    for code in buried:
        others = [
            np.hypot(*np.subtract(centres[code], at)) for c, at in centres.items() if c != code
        ]
        assert min(others) < 40
    assert decoded_at_truth(scene) == 1


def mean_grey(scene):
    return pixels(scene).mean()


def test_effects_change_files_and_tables(printed):
    names = ("quality 50", "messenger", "white table", "hand", "things")
    plain = pictured(printed, SMALL, PLAIN, 2)
    seen = {name: pictured(printed, SMALL, EFFECTS[name], 2) for name in names}
    assert len(seen["quality 50"].jpeg) < 0.6 * len(plain.jpeg)
    assert max(pixels(seen["messenger"]).shape) == 1600
    assert mean_grey(seen["white table"]) > mean_grey(plain) + 30
    assert len(seen["hand"].visible()) < SMALL
    assert len(seen["things"].visible()) < SMALL


def test_conditions_determine_cutting_and_bending(printed):
    def cards(name):
        return laid_out(printed, SMALL, EFFECTS[name], np.random.default_rng(1)).cards

    whole = np.array([[0, 0], [66, 0], [66, 46], [0, 46]])
    assert all(np.abs(card.trim - whole).max(1).min() > 0.5 for card in cards("cut"))
    assert all(card.bend is None for card in cards("cut"))
    assert all(2 <= abs(card.bend.height_mm) <= 5 for card in cards("bent"))
    assert all(np.allclose(card.trim, whole) for card in cards("bent"))


def test_conditions_determine_distances(printed):
    def apart(name, seed=2):
        table = laid_out(printed, SMALL, EFFECTS[name], np.random.default_rng(seed))
        outlines = np.stack([card.outline() for card in table.cards])
        groups = np.array(table.groups)
        first, second, distances = outline_distances(outlines)
        alike = groups[first] == groups[second]
        return distances[alike], distances[~alike]

    inside, between = apart("cut")
    assert inside.min() > 0
    assert between.min() >= 36
    assert min(apart("near groups", seed)[1].min() for seed in range(8)) < 40
    assert (apart("overlapping")[0] == 0).sum() >= 2
    assert (apart("stacked")[0] == 0).sum() >= 1


def test_conditions_determine_the_camera():
    camera = camera_of(EFFECTS["tilt 45"], np.random.default_rng(1))
    assert camera.tilt_deg == 45
    assert camera_of(EFFECTS["motion"], np.random.default_rng(1)).motion_px == 5
    assert camera_of(EFFECTS["lens"], np.random.default_rng(1)).lens.vignetting > 0.3
    assert camera_of(PLAIN, np.random.default_rng(1)).lens.k1 == 0


def test_every_card_is_in_the_photo(printed):
    scene = pictured(printed, SMALL, LEVELS["careless"], 8)
    height, width = pixels(scene).shape[:2]
    outlines = np.array(list(scene.outlines.values()))
    assert (outlines > 0).all()
    assert (outlines < [width, height]).all()
    table = laid_out(printed, SMALL, LEVELS["careless"], np.random.default_rng(8))
    assert np.ptp(frame_of(table.cards), axis=0).min() > 200
