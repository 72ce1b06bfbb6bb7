"""Overexposed photos: what is left of their codes is read, and the advice names the cause."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from printables.reading.findings import Cause, Code
from printables.reading.passes import detect_symbols
from printables.reading.photos.overexposure import clipped_level, is_overexposed
from printables.reading.reader import read_photo
from printables.reading.wording import in_words
from tests.bench import tables
from tests.bench.conditions import EFFECTS, PLAIN
from tests.bench.scenes import print_cards, score


@pytest.fixture(autouse=True)
def _small_photos(monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 3)


def photo_of(stops, ground, seed, count=40, **more):
    """The deck, a photo of all of its cards, and the photo in grey."""
    printed = print_cards(count)
    conditions = replace(PLAIN, stops=(stops, stops), grounds=(ground,), **more)
    scene = tables.pictured(printed, count, conditions, seed)
    grey = cv2.imdecode(np.frombuffer(scene.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
    return printed.deck, scene, grey


def found(scene, deck):
    return {finding.code: finding for finding in read_photo(scene.jpeg, deck).findings}


@pytest.mark.slow
@pytest.mark.parametrize("ground", ["wood", "dark", "white"])
def test_nothing_is_found_since_the_photo_is_overexposed(ground):
    deck, scene, _ = photo_of(7.0, ground, 1)
    (finding,) = found(scene, deck).values()
    assert finding.facts == {"blurred": False, "overexposed": True}
    assert "the photo is overexposed" in in_words(finding)


@pytest.mark.slow
@pytest.mark.parametrize(("stops", "seed"), [(5.5, 1), (6.0, 2)])
def test_codes_lost_to_overexposure_are_said_to_be(stops, seed):
    deck, scene, _ = photo_of(stops, "dark", seed)
    unread = found(scene, deck)[Code.CARDS_UNREAD]
    assert unread.facts["cause"] == Cause.OVEREXPOSED


@pytest.mark.slow
@pytest.mark.parametrize(("ground", "seed"), [("white", 1), ("wood", 1), ("wood", 2)])
def test_cards_without_outlines_are_said_to_be_overexposed(ground, seed):
    deck, scene, _ = photo_of(5.0, ground, seed)
    findings = found(scene, deck)
    hidden = findings[Code.CARDS_HIDDEN]
    # the groups are wrong, since the cards between their parts are missing
    assert findings[Code.GROUPS_UNCERTAIN].facts["groups"] == hidden.facts["groups"]
    assert hidden.facts["overexposed"]
    assert "overexposed" in in_words(hidden)


@pytest.mark.slow
def test_backs_of_cards_are_not_said_to_be_overexposed():
    deck, scene, _ = photo_of(2.5, "dark", 2, face_down=0.2)
    assert found(scene, deck)[Code.CARDS_UNREAD].facts["cause"] == Cause.COVERED


@pytest.mark.slow
def test_what_is_left_of_codes_is_read():
    deck, scene, _ = photo_of(5.0, "dark", 1)
    reading = read_photo(scene.jpeg, deck)
    (unread,) = [f for f in reading.findings if f.code == Code.CARDS_UNREAD]
    assert score(scene, reading).read >= 5 and score(scene, reading).false == 0
    assert unread.facts == {"count": 40 - len(reading.symbols), "cause": "overexposed"}


@pytest.mark.slow
def test_photos_are_overexposed_wherever_their_white_is():
    *_, light = photo_of(3.0, "dark", 1)
    *_, right = photo_of(0.0, "dark", 1, quality=(40, 40))
    assert is_overexposed(light) and not is_overexposed(right)
    darker = (light * 0.84).astype(np.uint8)
    assert is_overexposed(darker)
    assert detect_symbols(darker, print_cards(40).deck).symbols
    assert not is_overexposed(np.full((300, 400), 120, np.uint8))
    assert not is_overexposed(np.full((3, 4), 255, np.uint8))


@pytest.mark.slow
@pytest.mark.parametrize("tones", [0.96, 0.84])
def test_codes_are_read_where_the_white_is_darker_than_clipped(tones):
    """Phones balance tones afterwards. With one level for all photos, 11 and 4 of the 40 are."""
    deck, scene, grey = photo_of(3.0, "white", 1)
    found = score(scene, read_photo((grey * tones).astype(np.uint8), deck))
    assert (found.read, found.false) == (40, 0)


def test_the_level_of_clipped_places_is_that_of_most_light_pixels():
    noise = np.random.default_rng(1).normal(210, 8, (400, 600))
    right = np.clip(noise, 0, 255).astype(np.uint8)
    assert clipped_level(right) == 250 and not is_overexposed(right, partly=True)
    lit = right.copy()
    lit[:, :90] = 242
    # sharpening makes paper lighter beside edges
    lit[::40, :90] = 252
    assert clipped_level(lit) == 239 and is_overexposed(lit, partly=True)
    # a picture of a photo may have a frame
    for level in (0, 255):
        framed = np.pad(lit, ((80, 40), (200, 120)), constant_values=level)
        assert clipped_level(framed) == 239 and is_overexposed(framed, partly=True)
    # grey is the rounded sum of three colours
    lit[:, :90:2] -= 1
    assert clipped_level(lit) in (238, 239) and is_overexposed(lit, partly=True)
    few = right.copy()
    few[:4, :60] = 242
    assert clipped_level(few) == 250
    dark = np.full((400, 600), 30, np.uint8)
    assert clipped_level(dark) == 250 and not is_overexposed(dark, partly=True)


@pytest.mark.parametrize("stops", [2.5, 3.0])
def test_small_codes_are_read_in_a_sharpened_photo_whose_white_is_darker(stops):
    """Without the level that most light pixels share, none of the 90 is."""
    deck, scene, _ = photo_of(stops, "dark", 1, count=90, white=0.95)
    found = score(scene, read_photo(scene.jpeg, deck))
    assert (found.read >= 88, found.false) == (True, 0)
    assert not read_photo(scene.jpeg, print_cards(90, deck=2).deck).symbols


@pytest.mark.slow
def test_small_codes_in_the_sun_are_read(monkeypatch):
    """Before, 136 of the 150 were."""
    monkeypatch.setattr(tables, "MEGAPIXELS", 12)
    printed = print_cards(150)
    scene = tables.pictured(printed, 150, EFFECTS["sun"], 0)
    found = score(scene, read_photo(scene.jpeg, printed.deck))
    assert (found.read >= 145, found.false) == (True, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("ground", "seed", "least"), [("dark", 1, 38), ("wood", 4, 40)])
def test_codes_in_the_sun_are_read_in_a_sharpened_photo(ground, seed, least):
    """With the level of the lightest places, 20 and 34 of the 40 are."""
    deck, scene, lit = photo_of(3.0, ground, seed)
    _, _, rest = photo_of(0.5, ground, seed)
    photo = 0.94 * np.where(np.arange(lit.shape[1]) < lit.shape[1] / 2, lit, rest)
    blurred = cv2.GaussianBlur(photo, (0, 0), 1.5)
    sharp = np.clip(1.8 * photo - 0.8 * blurred, 0, 255).astype(np.uint8)
    found = score(scene, read_photo(sharp, deck))
    assert found.read >= least and found.false == 0


@pytest.mark.slow
def test_each_code_read_extends_the_area_in_which_others_are_searched_for():
    """With one search, 35 of the 40 cards are read."""
    deck, scene, _ = photo_of(4.0, "wood", 1)
    found = score(scene, read_photo(scene.jpeg, deck))
    assert (found.read, found.false) == (40, 0)


@pytest.mark.parametrize("quality", [None, 60])
def test_a_picture_of_a_white_screen_is_not_said_to_be_overexposed(quality):
    screen = np.full((900, 1200), 255, np.uint8)
    cv2.rectangle(screen, (8, 8), (1191, 891), 40, 3)
    for line in range(40, 860, 28):
        words = "Which sketches go together? 12 of 40 cards are in 5 groups."
        cv2.putText(screen, words, (60, line), cv2.FONT_HERSHEY_SIMPLEX, 0.6, 30, 1, cv2.LINE_AA)
    if quality:
        coded = cv2.imencode(".jpg", screen, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        screen = cv2.imdecode(coded, cv2.IMREAD_GRAYSCALE)
    assert is_overexposed(screen)
    (finding,) = read_photo(screen).findings
    assert finding.facts == {"blurred": False}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 4])
def test_what_is_left_of_codes_below_a_lamp_is_read(seed):
    deck, scene, lit = photo_of(4.0, "dark", seed)
    _, _, rest = photo_of(0.5, "dark", seed)
    photo = np.where(np.arange(lit.shape[1]) < lit.shape[1] / 4, lit, rest)
    assert is_overexposed(photo, partly=True)
    found = score(scene, read_photo(photo, deck))
    assert (found.read, found.false) == (40, 0)
