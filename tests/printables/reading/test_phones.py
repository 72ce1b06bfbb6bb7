"""Photos as phones, messengers and people alter them: every card is still read."""

from dataclasses import replace

import numpy as np
import pytest

from printables.reading.reader import read_photo
from tests.bench.layouts import heaps, stick_sizes
from tests.bench.phones import MISHAPS
from tests.bench.scenes import ORDINARY, lay, photograph, print_cards, score, take

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def scene():
    return photograph(print_cards(40), 24, replace(ORDINARY, megapixels=5), seed=5)


@pytest.mark.parametrize("change", MISHAPS, ids=lambda change: change.__name__)
def test_every_card_and_group_is_read_after_an_alteration(scene, change):
    changed = change(scene)
    found = score(changed, read_photo(changed.jpeg, print_cards(40).deck))
    assert (found.read, found.false, found.groups_exact) == (24, 0, True)


@pytest.mark.parametrize(("seed", "groups"), [(1, 4), (2, 12), (3, 20)])
def test_overlapping_piles_and_single_cards(seed, groups):
    printed = print_cards(40)
    rng = np.random.default_rng(seed)
    places = heaps(stick_sizes(30, groups, rng), printed.deck.layout, rng)
    scene = take(lay(printed, places, rng), replace(ORDINARY, megapixels=6), rng)
    reading = read_photo(scene.jpeg, printed.deck)
    found = score(scene, reading)
    assert (found.read, found.false, found.groups_exact) == (30, 0, True)
    assert reading.groups == groups
