"""Cards recognised by the half of their symbols that is in sight."""

import numpy as np
import pytest

from printables.cards.codes import CardCode, encode
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.deck.visible_part import match_visible
from printables.reading.symbols.half_symbols import HalfSymbols
from tests.bench.bench_half_symbols import covered, photographed
from tests.printables.pictures_of_symbols import corners_of

CODES = [encode(CardCode(12, card, 1, 1)) for card in range(1, 101)]
DECK = KnownDeck(CODES)
UPPER = 0


def half_of(code, share=0.6, seed=5):
    """A symbol of which the lower part is covered, and where it is."""
    rng = np.random.default_rng(seed)
    grey, at = photographed(covered(code, share, rng, np.pi / 2), 2.5, rng)
    return grey, HalfSymbols(at[None], np.ones(1), np.array([UPPER]))


@pytest.mark.parametrize("card", [0, 41, 99])
@pytest.mark.parametrize("share", [0.55, 0.7, 1.0])
def test_a_half_in_sight_tells_the_card(card, share):
    grey, found = half_of(CODES[card], share)
    matches = match_visible(grey, 2.0, found, DECK, set())
    assert matches.cards.tolist() == [card]
    assert np.abs(corners_of(matches.maps) - corners_of(found.maps)).max() < 3


def test_a_pose_that_is_slightly_off_is_corrected():
    grey, found = half_of(CODES[7], 0.65)
    off = found.maps + np.array([[0.01, 0.03, 0.8], [-0.03, 0.01, -0.8]])
    matches = match_visible(grey, 2.0, HalfSymbols(off, np.ones(1), found.parts), DECK, set())
    assert matches.cards.tolist() == [7]
    assert np.abs(corners_of(matches.maps) - corners_of(found.maps)).max() < 3


def test_a_card_that_was_read_elsewhere_is_not_recognised_again():
    grey, found = half_of(CODES[7])
    assert match_visible(grey, 2.0, found, DECK, {CODES[7]}).cards.tolist() == [-1]


@pytest.mark.parametrize(
    "code", [CardCode(12, 8, 2, 1), CardCode(13, 8, 1, 1), CardCode(12, 8, 1, 2)]
)
def test_halves_of_other_cards_are_not_recognised(code):
    for seed in range(4):
        grey, found = half_of(encode(code), 0.6, seed)
        assert match_visible(grey, 2.0, found, DECK, set()).cards.tolist() == [-1]


def test_a_card_is_recognised_at_one_place_only():
    grey, found = half_of(CODES[7])
    twice = HalfSymbols(np.repeat(found.maps, 2, 0), np.ones(2), np.array([UPPER, UPPER]))
    assert sorted(match_visible(grey, 2.0, twice, DECK, set()).cards.tolist()) == [-1, 7]
