"""Mirrored photos are read the right way round, in their own pixels, and said to be mirrored; and
codes that shine through cards lying face down are no codes."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from printables.reading.deck.known_deck import KnownDeck
from printables.reading.findings import Code
from printables.reading.reader import read_photo
from printables.reading.symbols.decoding import decode_frame
from printables.scenes.card_on_table import CardOnTable
from printables.scenes.render import render_table
from tests.bench.scenes import ORDINARY, as_jpeg, photograph, print_cards, score


def grey_of(scene):
    return cv2.imdecode(np.frombuffer(scene.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)


def mirrored(scene, axis=1):
    """The scene's photo, mirrored, with its truth."""
    grey = np.ascontiguousarray(np.flip(grey_of(scene), axis))
    least = np.array(grey.shape[::-1]) - 1.0
    turn, by = (np.array(pair) for pair in ((1, -1), (0, least[1])))
    if axis == 1:
        turn, by = np.array([-1, 1]), np.array([least[0], 0])
    corners = {code: place * turn + by for code, place in scene.corners.items()}
    return grey, replace(scene, corners=corners)


@pytest.mark.parametrize("axis", [0, 1])
def test_a_mirrored_photo_is_read_the_right_way_round(axis):
    printed = print_cards(60)
    scene = photograph(printed, 12, replace(ORDINARY, megapixels=4), seed=1)
    grey, truth = mirrored(scene, axis)
    plain, turned = read_photo(grey_of(scene), printed.deck), read_photo(grey, printed.deck)
    found = score(truth, turned)
    assert (found.read, found.false, found.groups_exact) == (12, 0, True)
    assert len(turned.unread) == len(plain.unread) == 0
    assert turned.findings[0].code == Code.PHOTO_MIRRORED
    assert turned.advice[0].startswith("The photo is mirrored: ")
    assert Code.PHOTO_MIRRORED not in {finding.code for finding in plain.findings}
    # the outlines are those of the cards, in the pixels of the mirrored photo
    for symbol, outline in zip(turned.symbols, turned.plan.in_photo(), strict=True):
        middle = symbol.corners.mean(0).astype(np.float32)
        assert cv2.pointPolygonTest(outline.astype(np.float32), middle.tolist(), False) > 0


def test_a_mirrored_picture_of_other_cards_beside_the_table_does_not_turn_the_photo():
    printed, other = print_cards(60), print_cards(40, None, 13, 2)
    scene = photograph(printed, 12, replace(ORDINARY, megapixels=4), seed=1)
    faces = [cv2.resize(face, None, fx=0.5, fy=0.5) for face in list(other.faces.values())[:10]]
    picture = np.pad(np.vstack([np.hstack(faces[:5]), np.hstack(faces[5:])]), 10)[:, ::-1]
    table = grey_of(scene)
    photo = np.full((table.shape[0] + len(picture), table.shape[1]), 120, np.uint8)
    photo[: len(picture), : picture.shape[1]] = picture
    photo[len(picture) :] = table
    lower = {code: place + np.array([0, len(picture)]) for code, place in scene.corners.items()}
    reading = read_photo(photo, printed.deck)
    found = score(replace(scene, corners=lower), reading)
    assert (len(reading.foreign), found.read, found.false) == (0, 12, 0)
    assert Code.PHOTO_MIRRORED not in {finding.code for finding in reading.findings}


@pytest.mark.parametrize(("megapixels", "seed"), [(4, 1), (1.6, 3)])
def test_a_mirrored_photo_of_other_cards_is_read_the_right_way_round(megapixels, seed):
    other = print_cards(40, None, 13, 2)
    scene = photograph(other, 12, replace(ORDINARY, megapixels=megapixels), seed)
    grey, _ = mirrored(scene)
    deck = print_cards(60).deck
    plain, turned = read_photo(grey_of(scene), deck), read_photo(grey, deck)
    assert len(plain.foreign) == len(turned.foreign) == 12
    assert len(plain.unread) == len(turned.unread)
    assert turned.findings[0].code == Code.PHOTO_MIRRORED
    assert Code.PHOTO_MIRRORED not in {finding.code for finding in plain.findings}


@pytest.mark.slow
def test_a_mirrored_photo_in_which_no_symbol_can_be_decoded():
    printed = print_cards(60)
    scene = photograph(printed, 60, replace(ORDINARY, megapixels=2.2), seed=2)
    grey, truth = mirrored(scene)
    assert decode_frame(grey) == []
    assert score(scene, read_photo(grey_of(scene), printed.deck)).read == 60
    turned = read_photo(grey, printed.deck)
    assert (score(truth, turned).read, score(truth, turned).false) == (60, 0)
    assert turned.findings[0].code == Code.PHOTO_MIRRORED


@pytest.mark.parametrize("shown", [0.1, 0.2, 0.3, 0.5])
def test_codes_that_shine_through_thin_paper_are_those_of_unread_cards(shown):
    printed = print_cards(40)
    deck = KnownDeck(printed.deck.codes[:16], printed.deck.layout)
    cards = []
    for number, code in enumerate(deck.codes):
        face, down = printed.faces[code], number % 4 == 1
        if down:
            through = cv2.GaussianBlur(face[:, ::-1].astype(float), (0, 0), 2)
            face = (250 - shown * (255 - through)).astype(np.uint8)
        place = 78.0 * (number % 4), 60.0 * (number // 4), 7.0 * np.sin(3 * number)
        cards.append(CardOnTable(face, 66, 46, *place))
    camera = replace(ORDINARY, megapixels=6)
    photo, to_pixels = render_table(cards, camera, np.random.default_rng(5))
    reading = read_photo(as_jpeg(photo), deck)
    backs, up = cards[1::4], set(deck.codes) - set(deck.codes[1::4])
    assert {symbol.code for symbol in reading.symbols} == up
    middles = np.array([card.to_table(np.array([[33.0, 23.0]])) for card in backs])
    at = cv2.perspectiveTransform(middles.astype(float), to_pixels)[:, 0]
    apart = np.linalg.norm(reading.unread.mean(1)[:, None] - at, axis=2)
    side = np.linalg.norm(reading.unread[0, 1] - reading.unread[0, 0])
    assert apart.shape == (4, 4)
    assert sorted(apart.argmin(1).tolist()) == [0, 1, 2, 3]
    assert apart.min(1).max() < side / 8
