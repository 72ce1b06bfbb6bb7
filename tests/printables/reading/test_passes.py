"""Passes over a photo: symbols in a lamp's reflection, which later passes find."""

from dataclasses import replace

import pytest

from printables.reading.reader import read_photo
from tests.bench import tables
from tests.bench.conditions import PLAIN
from tests.bench.scenes import print_cards, score


@pytest.mark.slow
def test_a_card_in_a_lamps_reflection_is_read(monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 4)
    printed = print_cards(40)
    bright = replace(PLAIN, grounds=("white",), glare=(1.0, 1.0), stops=(0.8, 0.8))
    scene = tables.pictured(printed, 40, bright, 4)
    found = score(scene, read_photo(scene.jpeg, printed.deck))
    assert (found.read, found.cards, found.false) == (40, 40, 0)
