"""Cards printed too pale or with gaps are said to be, and covered ones are not."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from printables.reading.findings import Cause, Code
from printables.reading.reader import read_photo
from printables.scenes.card_on_table import CardOnTable
from printables.scenes.render import render_table
from tests.bench import tables, worn
from tests.bench.conditions import PLAIN
from tests.bench.scenes import ORDINARY, as_jpeg, print_cards

WORN = 12
CAMERA = replace(ORDINARY, megapixels=3)


@pytest.fixture(autouse=True)
def _small_photos(monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 4)


def causes_of(printed, conditions, seed):
    scene = tables.pictured(printed, 40, conditions, seed)
    findings = read_photo(scene.jpeg, printed.deck).findings
    return [f.facts["cause"] for f in findings if f.code == Code.CARDS_UNREAD]


@pytest.mark.slow
@pytest.mark.parametrize("ground", ["wood", "white"])
@pytest.mark.parametrize(
    ("wear", "how"),
    [(worn.faded, {"left": 0.45}), (worn.faded, {"left": 0.25}), (worn.streaked, {"streaks": 18})],
)
def test_pale_print_is_named(wear, how, ground):
    printed = print_cards(40)
    cards = worn.worn_cards(printed, printed.deck.codes[:WORN], wear, 1, **how)
    assert causes_of(cards, replace(PLAIN, grounds=(ground,)), 1) == [Cause.PALE_PRINT]


@pytest.mark.slow
def test_a_deck_that_is_pale_throughout_is_named():
    printed = print_cards(40)
    cards = worn.worn_cards(printed, printed.deck.codes, worn.faded, 3, left=0.35)
    assert causes_of(cards, PLAIN, 3) == [Cause.PALE_PRINT]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("effect", "seed"),
    [({"face_down": 0.2}, 1), ({"things": 15.0}, 2), ({"overlapping": 0.5}, 3), ({"hand": 1.0}, 3)],
)
def test_covered_cards_are_not_said_to_be_pale(effect, seed):
    assert causes_of(print_cards(40), replace(PLAIN, **effect), seed) == [Cause.COVERED]


@pytest.mark.parametrize("which", [1, 2, 5, 6])
@pytest.mark.parametrize("size", [14, 17])
def test_white_paper_over_the_middle_of_a_code_is_not_said_to_be_pale_print(which, size):
    printed = print_cards(10)
    layout = printed.deck.layout
    cards = [
        CardOnTable(printed.faces[code], layout.width_mm, layout.height_mm, 85 * (n % 5), y, 3 * n)
        for n, code in enumerate(printed.deck.codes)
        for y in [65 * (n // 5)]
    ]
    middle = np.array([[layout.symbol.x, layout.symbol.y]]) + layout.symbol.width / 2
    white = np.full((40, 40), 246, np.uint8)
    paper = CardOnTable(white, size, size, *cards[which].to_table(middle)[0], 25 * which)
    photo, _ = render_table([*cards, paper], CAMERA, np.random.default_rng(which))
    findings = read_photo(as_jpeg(photo), printed.deck).findings
    assert [f.facts["cause"] for f in findings if f.code == Code.CARDS_UNREAD] == [Cause.COVERED]


@pytest.mark.slow
def test_cards_that_were_written_on_are_not_said_to_be_pale():
    printed = print_cards(40)
    cards = worn.worn_cards(printed, printed.deck.codes[:WORN], worn.scribbled, 1, lines=14)
    assert causes_of(cards, PLAIN, 1) == [Cause.COVERED]


def test_wear_changes_the_print_only():
    face = np.full((300, 400), 255, np.uint8)
    cv2.rectangle(face, (100, 100), (200, 200), 0, -1)
    rng = np.random.default_rng(1)
    pale, gaps = worn.faded(face, rng), worn.streaked(face, rng)
    ink = face < 255
    assert (pale[~ink] == 255).all() and (gaps[~ink] == 255).all()
    assert pale[ink].min() > 0 and (gaps[ink] == 255).any() and (gaps[ink] == 0).any()
    assert (worn.scribbled(face, rng)[~ink] < 255).any()
