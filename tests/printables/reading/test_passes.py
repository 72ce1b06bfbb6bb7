"""Passes over a photo: symbols that later passes find, far away, in a reflection, on grey paper, on
outlined cards, with gaps in print, in a sharpened photo, without a quiet zone."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from printables.reading.reader import read_codes, read_photo
from printables.scenes.layout import Arrangement, arrange_groups
from tests.bench import tables
from tests.bench.conditions import CARELESS, EFFECTS, PLAIN
from tests.bench.scenes import ORDINARY, lay, print_cards, score, take
from tests.bench.worn import worn_cards
from tests.printables import pictures_of_symbols as pictures


def test_a_blurred_card_far_from_nearly_all_others_is_read():
    printed, rng = print_cards(20), np.random.default_rng(1)
    size = (printed.deck.layout.width_mm, printed.deck.layout.height_mm)
    near = arrange_groups([10, 9], size, rng, Arrangement())
    far = replace(near[0], x_mm=max(place.x_mm for place in near) + 400, group=2)
    laid = lay(printed, [*near, far], rng)
    scene = take(laid, replace(ORDINARY, megapixels=8), rng)
    grey = cv2.imdecode(np.frombuffer(scene.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
    outline = scene.outlines[laid.codes[-1]]
    (left, top), (right, bottom) = outline.min(0).astype(int) - 20, outline.max(0).astype(int) + 20
    part = grey[top:bottom, left:right]
    part[:] = cv2.GaussianBlur(part, (0, 0), 2.5)
    found = score(scene, read_photo(grey, printed.deck))
    assert (found.read, found.false, found.groups_exact) == (20, 0, True)


@pytest.mark.slow
def test_a_card_in_a_lamps_reflection_is_read(monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 4)
    printed = print_cards(40)
    bright = replace(PLAIN, grounds=("white",), glare=(1.0, 1.0), stops=(0.8, 0.8))
    scene = tables.pictured(printed, 40, bright, 4)
    found = score(scene, read_photo(scene.jpeg, printed.deck))
    assert (found.read, found.cards, found.false) == (40, 40, 0)


@pytest.mark.slow
@pytest.mark.parametrize("ground", ["white", "flowered"])
def test_cards_of_darker_paper_than_the_table_are_read(monkeypatch, ground):
    monkeypatch.setattr(tables, "MEGAPIXELS", 4)
    printed = print_cards(60)
    grey = replace(EFFECTS["grey paper"], grounds=(ground,), things=0.0, overlapping=0.0)
    scene = tables.pictured(printed, 60, grey, 1302)
    found = score(scene, read_photo(scene.jpeg, printed.deck))
    assert (found.read, found.false) == (found.cards, 0)


@pytest.mark.slow
def test_a_symbol_that_no_search_found_is_read_where_its_card_is_outlined(monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 3)
    printed = print_cards(40)
    scene = tables.pictured(printed, 40, CARELESS, 7)
    found = score(scene, read_photo(scene.jpeg, printed.deck))
    assert (found.read, found.false, found.groups_exact) == (39, 0, True)


def overexposed(megapixels, seed, monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", megapixels)
    printed = print_cards(40)
    light = replace(PLAIN, tilt_deg=(10.0, 10.0), blur_px=(0.8, 0.8), stops=(2.2, 2.2))
    scene = tables.pictured(printed, 20, light, seed)
    reading = read_photo(scene.jpeg, printed.deck)
    return score(scene, reading), len(reading.unread)


@pytest.mark.slow
def test_thin_lines_of_an_outlined_overexposed_card_are_widened_further(monkeypatch):
    found, _ = overexposed(1.6, 5, monkeypatch)
    assert (found.read, found.false) == (20, 0)


@pytest.mark.slow
def test_an_overexposed_photo_is_searched_at_the_size_of_its_symbols(monkeypatch):
    found, unread = overexposed(2.5, 2, monkeypatch)
    assert (found.read, found.false) == (20, 0)
    assert unread < 3


def with_lines(face, rng):
    """A face with white lines of .7 mm, 1.7 mm apart, as from clogged nozzles."""
    worn = face.copy()
    for row in range(int(rng.integers(20)), face.shape[0], 20):
        worn[row : row + 8] = 255
    return worn


@pytest.mark.slow
def test_cards_whose_print_has_gaps_are_read(monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 6)
    printed = print_cards(40)
    worn = worn_cards(printed, printed.deck.codes, with_lines, 1)
    scene = tables.pictured(worn, 40, PLAIN, 1)
    found = score(scene, read_photo(scene.jpeg, printed.deck))
    assert (found.read, found.false) == (40, 0)


@pytest.mark.slow
def test_cards_in_a_strongly_sharpened_photo_are_read(monkeypatch):
    """Without a blurred version, 53 of them are."""
    monkeypatch.setattr(tables, "MEGAPIXELS", 4)
    printed = print_cards(60)
    scene = tables.pictured(printed, 60, PLAIN, 3)
    grey = cv2.imdecode(np.frombuffer(scene.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE).astype(float)
    sharp = grey + 6 * (grey - cv2.GaussianBlur(grey, (0, 0), 2))
    photo = np.clip(sharp, 0, 255).astype(np.uint8)
    found = score(scene, read_photo(photo, printed.deck))
    assert (found.read, found.false, found.groups_exact) == (60, 0, True)
    assert not read_photo(photo, print_cards(60, deck=2).deck).symbols


def scaled(maps, size):
    """The corners of symbols, moved away from their centres, whole pixels."""
    corners = pictures.corners_of(maps)
    middles = corners.mean(1, keepdims=True)
    return np.round(middles + size * (corners - middles)).astype(np.int32)


def test_cards_without_a_quiet_zone_are_read_away_from_the_middle_too():
    deck, pitch = print_cards(135).deck, 108
    places = list(np.ndindex(15, 9))
    maps = [pictures.placed(pitch * (x + 0.5), pitch * (y + 0.5), 3, 7 * x) for x, y in places]
    size = (15 * pitch, 9 * pitch)
    grey = pictures.picture(list(zip(deck.codes, maps, strict=True)), size, blur_px=0.5, noise=2)
    dark = np.zeros_like(grey)
    for (x, y), quad in zip(places, scaled(maps, 1.5), strict=True):
        if not (5 <= x < 10 and 3 <= y < 6):
            cv2.fillConvexPoly(dark, quad, 255)
    for quad in scaled(maps, 1.1):
        cv2.fillConvexPoly(dark, quad, 0)
    grey[dark > 0] = 40
    assert {symbol.code for symbol in read_codes(grey, deck).symbols} == set(deck.codes)
