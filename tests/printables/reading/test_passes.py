"""Passes over a photo: symbols that later passes find, far away, in a reflection, on grey paper, on
outlined cards."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from printables.reading.reader import read_photo
from printables.scenes.layout import Arrangement, arrange_groups
from tests.bench import tables
from tests.bench.conditions import CARELESS, EFFECTS, PLAIN
from tests.bench.scenes import ORDINARY, lay, print_cards, score, take


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
