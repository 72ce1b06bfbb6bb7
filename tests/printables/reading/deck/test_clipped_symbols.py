"""Recognising symbols that lost their thin lines to overexposure."""

from dataclasses import replace

import numpy as np
import pytest

from printables.cards.codes import CardCode, encode
from printables.reading.deck.clipped_symbols import match_clipped
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.deck.matching import match_deck
from printables.reading.reader import read_photo
from printables.reading.symbols.pose import Poses
from tests.bench import tables
from tests.bench.conditions import EFFECTS, PLAIN
from tests.bench.scenes import print_cards, score
from tests.printables.reading.deck.test_matching import DECK, table


def overexposed(codes, stops):
    """A picture of symbols in which all that is lighter than a share of paper is white, and their
    poses."""
    seen, poses = table(codes, module_px=2.0, blur_modules=0.45, noise=0.0)
    return np.clip(seen.astype(float) * 2**stops, 0, 255).astype(np.uint8), poses


def test_symbols_without_their_thin_lines_are_recognised():
    seen, poses = overexposed(DECK.codes[:40], 1.5)
    plain = match_deck(seen, poses, DECK)
    assert (plain.cards == -1).all()
    clipped = match_clipped(seen, poses, DECK, set())
    assert clipped.cards.tolist() == list(range(40))
    # a card that was read elsewhere is not recognised again
    assert match_clipped(seen, poses, DECK, {DECK.codes[3]}).cards[3] == -1
    none = Poses(np.zeros((0, 2, 3)), np.zeros(0))
    assert len(match_clipped(seen, none, DECK, set()).cards) == 0


def test_poses_are_fitted_to_what_is_left_of_their_symbols():
    seen, poses = overexposed(DECK.codes[:40], 1.5)
    maps = poses.maps.copy()
    maps[:, :, 2] += 0.6
    found = match_clipped(seen, Poses(maps, poses.correlation), DECK, set())
    assert (found.cards == np.arange(40)).mean() > 0.9
    off = np.abs(found.maps - poses.maps)[found.cards >= 0, :, 2]
    assert np.median(off) < 0.3


def test_symbols_of_other_decks_are_not_recognised():
    others = [encode(CardCode(5, card, 1, 1)) for card in range(1, 41)]
    for stops in (1.0, 1.5, 2.0):
        seen, poses = overexposed(others, stops)
        assert (match_clipped(seen, poses, DECK, set()).cards == -1).all()


def test_poses_that_may_not_be_on_a_symbol_are_not_recognised():
    """A few specks were taken for another card's."""
    seen, poses = overexposed(DECK.codes[:2], 1.5)
    doubtful = Poses(poses.maps, np.array([0.44, 0.6]))
    assert match_clipped(seen, doubtful, DECK, set()).cards.tolist() == [-1, 1]


@pytest.mark.parametrize("seed", [1, 2])
def test_photos_overexposed_by_three_stops_are_read(seed, monkeypatch):
    """Before, 2 and 0 of the 60 cards were."""
    monkeypatch.setattr(tables, "MEGAPIXELS", 3)
    printed = print_cards(60)
    scene = tables.pictured(printed, 60, replace(EFFECTS["overexposed"], stops=(3.0, 3.0)), seed)
    found = score(scene, read_photo(scene.jpeg, printed.deck))
    assert (found.read, found.false, found.groups_exact) == (60, 0, True)
    assert not read_photo(scene.jpeg, print_cards(60, deck=2).deck).symbols


@pytest.mark.parametrize(("seed", "stops"), [(500400, 3.5), (500439, 3.5), (500439, 4.5)])
def test_one_card_of_another_deck_is_not_recognised_by_what_little_is_left(
    seed, stops, monkeypatch
):
    """A card of this deck of another set looks like one of the photo's without its thin lines."""
    monkeypatch.setattr(tables, "MEGAPIXELS", 3)
    printed = print_cards(60)
    other = [encode(CardCode(503, card, 1, 1)) for card in range(1, 61)]
    scene = tables.pictured(printed, 60, replace(PLAIN, stops=(stops, stops)), seed)
    assert not read_photo(scene.jpeg, KnownDeck(other, printed.deck.layout)).symbols
