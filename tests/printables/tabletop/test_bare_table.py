"""The bare table and what lies on it: things of another colour."""

import numpy as np

from printables.tabletop.bare_table import of_other_colour
from printables.tabletop.hiding.openings import filled, opened_by_disk
from printables.tabletop.hiding.table_looks import colour_channels
from tests.printables.tabletop.hiding.test_table_looks import CARDS


def striped():
    """A cloth of two colours, in colour."""
    cloth = np.full((560, 960, 3), (180, 190, 200), np.uint8)
    cloth[:, np.arange(960) // 12 % 2 == 0] = (150, 90, 60)
    return cloth


def other_colours(cloth):
    """Where something wider than a sliver beside a card has another colour."""
    middles = CARDS.mean(1, keepdims=True)
    beside = filled(cloth.shape[:2], middles + 1.6 * (CARDS - middles))
    bare = 1 - filled(cloth.shape[:2], CARDS)
    found = [
        of_other_colour(channel, bare, beside & bare, 1.0)
        for channel in colour_channels(cloth, bare.shape)
    ]
    return opened_by_disk(20, np.logical_or(*found).astype(np.uint8))


def test_a_sheet_of_another_colour_as_light_as_the_cloth_is_found():
    cloth = striped()
    assert other_colours(cloth).sum() == 0
    light = cloth.mean(2)[400:500, 400:540]
    cloth[400:500, 400:540] = np.round(light[..., None] * [1.0, 1.2, 0.8])
    found = other_colours(cloth)
    sheet = np.s_[420:480, 420:520]
    assert found[sheet].sum() > 0.9 * (1 - filled(found.shape, CARDS))[sheet].sum()
    found[395:505, 395:545] = 0
    assert found.sum() == 0


def test_no_colour_is_another_without_table_beside_cards():
    bare = np.ones((560, 960), np.uint8)
    channel = colour_channels(striped(), bare.shape)[0]
    assert of_other_colour(channel, bare, np.zeros_like(bare), 1.0).sum() == 0
