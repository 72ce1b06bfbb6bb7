"""Deck matching of symbols too small to decode, which accepts no foreign symbols."""

import cv2
import numpy as np
import pytest

from printables.cards.card import CardLayout
from printables.cards.codes import CardCode, encode
from printables.cards.manifest import ManifestRow
from printables.errors import PaperError
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.deck.matching import match_deck, settled_on_cards
from printables.reading.symbols.alignment import refine_finely
from printables.reading.symbols.pose import Poses
from tests.printables.pictures_of_symbols import picture, placed

DECK = KnownDeck([encode(CardCode(4, card, 1, 1)) for card in range(1, 121)])


def table(codes, module_px=1.3, blur_modules=0.6, noise=3.0):
    """A picture of symbols in rows, each in another rotation, and their poses."""
    pitch = 34 * module_px
    maps = [
        placed(pitch * (0.5 + n % 10) + 4, pitch * (0.5 + n // 10) + 4, module_px, 37.0 * n, 0.9)
        for n in range(len(codes))
    ]
    size = (int(pitch * 10) + 8, int(pitch * (1 + (len(codes) - 1) // 10)) + 8)
    symbols = list(zip(codes, maps, strict=True))
    seen = picture(symbols, size, blur_modules * module_px, noise)
    return seen, refine_finely(seen, np.stack(maps))


def test_cards_are_recognised_at_little_more_than_one_pixel_per_module():
    seen, poses = table(DECK.codes[:60])
    matches = match_deck(seen, poses, DECK)
    assert matches.cards.tolist() == list(range(60))
    assert matches.margin.min() > 0.3


@pytest.mark.slow
def test_cards_of_other_decks_sets_and_editions_are_not_recognised():
    others = [CardCode(4, card, 2, 1) for card in range(1, 41)]
    others += [CardCode(5, card, 1, 1) for card in range(1, 41)]
    others += [CardCode(4, card, 1, 2) for card in range(1, 41)]
    for blur in (0.45, 0.8, 1.1):
        seen, poses = table([encode(code) for code in others], blur_modules=blur)
        assert (match_deck(seen, poses, DECK).cards == -1).all()


def test_a_card_is_recognised_in_one_place_only():
    seen, poses = table([DECK.codes[7], DECK.codes[7], DECK.codes[8]])
    assert sorted(match_deck(seen, poses, DECK).cards.tolist()) == [-1, 7, 8]
    assert match_deck(seen, poses, DECK, {DECK.codes[7]}).cards.tolist() == [-1, -1, 8]


def test_a_blurred_symbol_is_not_recognised_as_another_card_in_a_wrong_quarter_turn():
    """It looks nearly the same in each turn, and few cards are left that could be ahead of one."""
    deck = KnownDeck([encode(CardCode(4, card, 1, 1)) for card in range(1, 301)])
    shown = deck.codes[60:120]
    seen, poses = table(shown, blur_modules=1.5)
    turned = refine_finely(seen, poses.quarter_turns().maps, np.inf, False)
    others = set(deck.codes) - set(shown)
    assert (match_deck(seen, turned, deck, others).cards == -1).all()
    assert (match_deck(seen, poses, deck, others).cards == np.arange(60, 120)).all()


def test_the_only_card_of_a_deck_is_not_recognised_in_other_cards():
    lone = KnownDeck([DECK.codes[0]])
    seen, poses = table([*DECK.codes[1:40], DECK.codes[0]])
    assert match_deck(seen, poses, lone).cards.tolist() == [-1] * 39 + [0]


def test_no_poses_give_no_matches():
    none = Poses(np.zeros((0, 2, 3)), np.zeros(0))
    assert len(match_deck(np.zeros((9, 9), np.uint8), none, DECK).cards) == 0


def row(code, width=66.0, page=1):
    return ManifestRow(1, code, "chairs", "s", "A", page, 5, 5, width, 46.0)


def test_a_pose_that_a_part_gave_is_fitted_to_all_of_the_symbol():
    """Half of a bent symbol tells where its other half is by up to three modules only."""
    codes = DECK.codes[:12]
    seen, poses = table(codes, module_px=2.0)
    maps = poses.maps.copy()
    # as a part of a bent symbol gives them: too long on one side
    maps[:, :, 1] *= 1.12
    settled = settled_on_cards(seen, maps, DECK.modules[:12])
    assert np.abs(Poses(maps, poses.correlation).corners() - poses.corners()).max() > 4
    assert np.abs(Poses(settled, poses.correlation).corners() - poses.corners()).max() < 0.3


def test_a_pose_is_kept_where_something_covers_a_part_of_the_symbol():
    codes = DECK.codes[:12]
    seen, poses = table(codes, module_px=2.0)
    for corners in poses.corners():
        middle = corners.mean(0)
        half = np.array([corners[0], corners[1], (corners[1] + corners[2]) / 2, middle])
        cv2.fillConvexPoly(seen, np.round(half + 0.1 * (half - middle)).astype(np.int32), 120)
    assert np.array_equal(settled_on_cards(seen, poses.maps, DECK.modules[:12]), poses.maps)


def test_size_and_side_come_from_the_manifest():
    deck = KnownDeck.from_manifest([row(DECK.codes[0], page=2), row(DECK.codes[1], page=2)])
    assert deck.codes == DECK.codes[:2]
    assert deck.layout == CardLayout(66, 46, "back")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([row(DECK.codes[0]), row(DECK.codes[1], 80.0)], "2 sizes"),
        ([row(DECK.codes[0]), row(DECK.codes[0])], "twice"),
    ],
)
def test_invalid_manifests_are_refused(rows, message):
    with pytest.raises(PaperError, match=message):
        KnownDeck.from_manifest(rows)


@pytest.mark.parametrize("codes", [[], ["00040000101110"], ["12"]])
def test_a_deck_without_codes_or_with_invalid_ones_is_refused(codes):
    with pytest.raises(PaperError):
        KnownDeck(codes)
