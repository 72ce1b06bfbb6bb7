"""Hard shadows across cards, drawn and in rendered photos."""

from dataclasses import replace

import numpy as np
import pytest

from printables.cards.codes import CardCode, encode, symbol
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.findings import Cause, Code
from printables.reading.photos.shadows import are_mostly_shaded, evened, has_hard_shadows
from printables.reading.reader import read_photo
from tests.bench import tables
from tests.bench.conditions import EFFECTS, ORDINARY, PLAIN
from tests.bench.phones import under_leaves
from tests.bench.scenes import print_cards, score

SIDE, PX = 42, 2


def cards(count=4):
    """Symbols in a row on white paper, and their corners."""
    sheet = np.full((3 * SIDE, 2 * SIDE * count), 240, np.uint8)
    corners = []
    for n in range(count):
        dark = symbol(encode(CardCode(set_number=1, card=n + 1, deck=1, edition=1)))
        left, top = 2 * SIDE * n + SIDE // 2, SIDE
        drawn = np.kron(np.where(dark, 40, 240), np.ones((PX, PX)))
        sheet[top : top + SIDE, left : left + SIDE] = drawn
        corners.append(
            SIDE * np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) + np.array([left, top]) - 0.5
        )
    return sheet, np.array(corners)


def shaded(sheet, left, right):
    dim = sheet.copy()
    dim[:, left:right] = dim[:, left:right] * 0.4
    return dim


def test_the_edge_of_a_shadow_on_a_card_or_between_cards_is_hard():
    sheet, corners = cards()
    assert not has_hard_shadows(sheet, corners)
    assert has_hard_shadows(shaded(sheet, 0, SIDE), corners)
    assert has_hard_shadows(shaded(sheet, 0, 2 * SIDE), corners)
    assert not has_hard_shadows(sheet, corners[:1])


def test_a_shadow_beside_few_cards_is_not_why_others_are_lost():
    sheet, corners = cards(12)
    few = shaded(sheet, 0, SIDE)
    assert has_hard_shadows(few, corners) and not are_mostly_shaded(few, corners)
    stripes = sheet.copy()
    for left in range(0, sheet.shape[1], 4 * SIDE):
        stripes = shaded(stripes, left + SIDE, left + 3 * SIDE)
    assert are_mostly_shaded(stripes, corners)


def test_cards_of_two_colours_of_paper_are_not_shaded():
    sheet, corners = cards(12)
    for left in range(0, sheet.shape[1], 4 * SIDE):
        sheet = shaded(sheet, left, left + 2 * SIDE)
    assert has_hard_shadows(sheet, corners) and not are_mostly_shaded(sheet, corners)


def test_light_that_fades_from_card_to_card_is_no_hard_shadow():
    sheet, corners = cards()
    assert not has_hard_shadows(
        (sheet * np.linspace(1, 0.5, sheet.shape[1])).astype(np.uint8), corners
    )


def test_a_shadow_is_removed_and_the_modules_are_left():
    sheet, _ = cards()
    even = evened(shaded(sheet, 0, SIDE), PX)
    away = np.abs(np.arange(sheet.shape[1]) - SIDE) > 7 * PX
    assert (even[:, away][sheet[:, away] > 200] > 190).all()
    assert (even[:, away][sheet[:, away] < 100] < 90).all()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [663, 670])
def test_cards_in_the_shadow_of_a_windows_frame_are_read(monkeypatch, seed):
    monkeypatch.setattr(tables, "MEGAPIXELS", 2)
    printed = print_cards(60)
    scene = tables.pictured(printed, 60, EFFECTS["window"], seed)
    found = score(scene, read_photo(scene.jpeg, printed.deck))
    assert (found.read, found.false, found.groups_exact) == (60, 0, True)


@pytest.mark.slow
@pytest.mark.parametrize(("conditions", "seed"), [(PLAIN, 551002), (ORDINARY, 551009)])
def test_hard_shadows_are_named(monkeypatch, conditions, seed):
    monkeypatch.setattr(tables, "MEGAPIXELS", 4)
    printed = print_cards(40)
    laid = replace(conditions, things=0, face_down=0, grounds=("wood",))
    scene = tables.pictured(printed, 40, laid, seed)
    deck = KnownDeck(tuple(scene.corners), printed.deck.layout)
    dark = under_leaves(scene, np.random.default_rng(seed), 0.06)
    reading = read_photo(dark.jpeg, deck)
    said = {f.code: f.facts for f in reading.findings}
    assert said[Code.CARDS_HIDDEN]["shadows"]
    assert said.get(Code.CARDS_UNREAD, {}).get("cause") in (None, Cause.SHADOWS)
    assert "hard shadows" in " ".join(reading.advice).lower()
