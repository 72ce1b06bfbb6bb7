"""Cards recognised by the half of their symbols that is in sight."""

import numpy as np
import pytest

from printables.cards.codes import CardCode, encode
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.deck.placed_symbols import placed_by_finders, usual_turns
from printables.reading.deck.visible_part import match_placed, match_visible
from printables.reading.symbols.half_symbols import HalfSymbols
from tests.bench.bench_half_symbols import covered, crossed, photographed
from tests.printables.pictures_of_symbols import corners_of, finders_in

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


def crossed_at_once(code, seed):
    """A symbol that something grey crosses, and where the symbols on its finder patterns are."""
    rng = np.random.default_rng(seed)
    drawn, share = crossed(code, rng, "grey")
    grey, at = photographed(drawn, 2.5, rng)
    finders = finders_in(grey)
    return (
        grey,
        at,
        share,
        placed_by_finders(grey, 2.0, finders, usual_turns(finders.peaks, corners_of(at[None])))[0],
    )


def test_symbols_that_something_crosses_are_recognised_by_single_finder_patterns():
    recognised = []
    for seed in range(24):
        grey, at, share, placed = crossed_at_once(CODES[seed], seed)
        matches = match_placed(grey, 2.0, placed, DECK, set())
        found = matches.cards >= 0
        assert set(matches.cards[found].tolist()) <= {seed}
        near = np.abs(corners_of(matches.maps[found]) - corners_of([at])).max(initial=0.0)
        assert near < 3
        if share > 0.7:
            recognised.append(bool(found.any()))
    assert len(recognised) >= 12
    assert np.mean(recognised) > 0.7


def test_both_sides_of_what_crosses_a_symbol_are_compared():
    # at most two of these are recognised by what is beside one straight edge
    recognised = 0
    for seed in (36, 48, 61, 63, 71, 74, 87):
        grey, at, share, _ = crossed_at_once(CODES[seed], seed)
        assert 0.4 < share < 0.75
        found = HalfSymbols(np.repeat(at[None], 3, 0), np.ones(3), np.arange(3))
        recognised += seed in match_visible(grey, 2.0, found, DECK, set()).cards
    assert recognised >= 5


@pytest.mark.parametrize("code", [CardCode(12, 8, 2, 1), CardCode(13, 8, 1, 1)])
def test_other_cards_that_something_crosses_are_not_recognised(code):
    for seed in range(8):
        grey, _at, _share, placed = crossed_at_once(encode(code), seed)
        assert (match_placed(grey, 2.0, placed, DECK, set()).cards == -1).all()
