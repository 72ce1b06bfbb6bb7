"""Passes over a photo: symbols that later passes find, in a reflection and on grey paper."""

from dataclasses import replace

import pytest

from printables.reading.reader import read_photo
from tests.bench import tables
from tests.bench.conditions import EFFECTS, PLAIN
from tests.bench.scenes import print_cards, score


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
