"""Advice on unread cards: given for the right cause, and only if a card was not read."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from printables.reading.advice import Quality, advise, nothing_found
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.findings import Cause, Code, Finding
from printables.reading.reader import read_photo
from printables.reading.wording import in_words
from printables.scenes.card_on_table import CardOnTable
from printables.scenes.layout import Place
from printables.scenes.render import render_table
from tests.bench.scenes import ORDINARY, as_jpeg, photograph, print_cards


@pytest.mark.parametrize(
    ("arguments", "code", "cause", "text"),
    [
        (
            (3, 3, Quality(1.8, 1.8, 0.9)),
            Code.CARDS_UNREAD,
            Cause.TOO_FAR,
            "only 1.8 pixels per module",
        ),
        # the unread cards are farther away than the others, and may lie face down
        (
            (3, 0, Quality(2.8, 1.1, 0.9, too_small=2)),
            Code.CARDS_UNREAD,
            Cause.TOO_FAR,
            "only 1.1 pixels per module",
        ),
        (
            (1, 1, Quality(3.0, 3.0, 2.0)),
            Code.CARDS_UNREAD,
            Cause.BLURRED,
            "1 card was not read: the",
        ),
        (
            (9, 9, Quality(1.8, 1.8, 2.0)),
            Code.CARDS_UNREAD,
            Cause.BLURRED,
            "9 cards were not read: the",
        ),
        ((9, 9, Quality(1.8, 1.8, 2.0, True)), Code.CARDS_UNREAD, Cause.MOVED, "the phone moved"),
        (
            (2, 2, Quality(3.0, 3.0, 0.9)),
            Code.CARDS_UNREAD,
            Cause.COVERED,
            "turned over or covered",
        ),
        (
            (2, 0, Quality(1.8, 1.8, 0.9)),
            Code.CARDS_UNREAD,
            Cause.COVERED,
            "turned over or covered",
        ),
        (
            (2, 0, Quality(3.0, 3.0, 0.9, over_edge=2)),
            Code.CARDS_UNREAD,
            Cause.CUT_OFF,
            "photo's edge",
        ),
        ((1, 0, Quality(3.0, 3.0, 0.9, under_glare=1)), Code.CARDS_UNREAD, Cause.GLARE, "hides it"),
        (
            (3, 3, Quality(2.0, 2.0, 0.9, overexposed=2)),
            Code.CARDS_UNREAD,
            Cause.OVEREXPOSED,
            "makes the picture darker",
        ),
        # what is left of a symbol looks like a smaller one
        (
            (1, 1, Quality(0.9, 0.9, 0.9, overexposed=1)),
            Code.CARDS_UNREAD,
            Cause.OVEREXPOSED,
            "makes the picture darker",
        ),
        (
            (1, 0, Quality(3.0, 3.0, 0.9, cut_short=1)),
            Code.CARDS_UNREAD,
            Cause.CUT_SHORT,
            "or print it",
        ),
        (
            (3, 1, Quality(3.0, 3.0, 0.9, shaded=True)),
            Code.CARDS_UNREAD,
            Cause.SHADOWS,
            "hard shadows",
        ),
        ((3, 1, Quality(3.0, 3.0, 0.9, pale=2)), Code.CARDS_UNREAD, Cause.PALE_PRINT, "too pale"),
        # photos of 48 megapixels are always soft, but large enough
        (
            (2, 2, Quality(6.0, 6.0, 1.8)),
            Code.CARDS_UNREAD,
            Cause.COVERED,
            "turned over or covered",
        ),
    ],
)
def test_advice(arguments, code, cause, text):
    (finding,) = advise(*arguments)
    assert (finding.code, finding.facts.get("cause")) == (code, cause)
    assert Finding.from_json(json.loads(json.dumps(finding.as_json()))) == finding
    assert text in in_words(finding)


@pytest.mark.parametrize(
    ("measured", "facts", "text"),
    [
        ((1.0, False), {"blurred": False}, "No card was found: lay the cards"),
        ((None, False), {"blurred": False}, "No card was found: lay the cards"),
        ((5.0, False), {"blurred": True}, "nothing in the photo is sharp"),
        ((5.0, True), {"blurred": True}, "nothing in the photo is sharp"),
        ((None, True), {"blurred": False, "overexposed": True}, "the photo is overexposed"),
        ((5.0, True, True), {"blurred": False, "moved": True}, "everything twice"),
    ],
)
def test_advice_if_no_card_was_found(measured, facts, text):
    finding = nothing_found(*measured)
    assert (finding.code, finding.facts) == (Code.NOTHING_FOUND, facts)
    assert text in in_words(finding)


def test_no_advice_if_every_card_was_read():
    assert advise(0, 0, Quality(1.2, 1.2, 3.0)) == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("megapixels", "blur", "text"),
    [
        (6, 0.8, None),
        (0.8, 0.8, "go closer, or take two photos"),
        (3, 4.0, "the photo is blurred"),
        (3, 9.0, "No card was found, and nothing in the photo is sharp"),
    ],
)
def test_photos_too_small_and_too_blurred(megapixels, blur, text):
    camera = replace(ORDINARY, megapixels=megapixels, blur_px=blur)
    advice = read_photo(photograph(print_cards(40), 40, camera, seed=8).jpeg).advice
    if text is None:
        assert advice == ()
    else:
        assert text in advice[0]


@pytest.mark.slow
@pytest.mark.parametrize("ground", ["wood", "striped"])
def test_advice_on_a_sharp_photo_from_far_is_to_go_closer(ground):
    printed = print_cards(40)
    near = photograph(printed, 12, replace(ORDINARY, megapixels=3), seed=5, ground=ground)
    grey = cv2.imdecode(np.frombuffer(near.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)

    def far(module_px):
        part = module_px / near.module_px()
        return cv2.resize(grey, None, fx=part, fy=part, interpolation=cv2.INTER_AREA)

    (finding,) = [f for f in read_photo(far(0.7)).findings if f.code == Code.CARDS_UNREAD]
    assert finding.facts["cause"] == Cause.TOO_FAR
    (nothing,) = read_photo(far(0.3)).findings
    assert "go closer" in in_words(nothing)
    on_a_large_table = np.pad(far(0.8), 400, constant_values=128)
    assert len(read_photo(on_a_large_table, printed.deck).symbols) == 12


@pytest.mark.slow
def test_advice_on_cards_at_the_far_end_of_a_steep_view_is_to_go_closer():
    """Most codes are larger; measured on all of them, such cards were said to be covered."""
    printed = print_cards(40)
    near = photograph(printed, 24, replace(ORDINARY, megapixels=8), seed=5)
    grey = cv2.imdecode(np.frombuffer(near.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
    height, width = grey.shape
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    steep = np.array([[0.44, 0.3], [0.56, 0.3], [1, 1], [0, 1]], np.float32)
    size = np.array([width, height], np.float32)
    onto = cv2.getPerspectiveTransform(corners * size, steep * size)
    far = cv2.warpPerspective(cv2.GaussianBlur(grey, (0, 0), 1.2), onto, (width, height))
    reading = read_photo(far, printed.deck)
    (finding,) = [f for f in reading.findings if f.code == Code.CARDS_UNREAD]
    assert len(reading.symbols) >= 12
    assert finding.facts["cause"] == Cause.TOO_FAR
    assert finding.facts["module_px"] < 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", [8, 9])
def test_motion_blur_is_distinguished_from_defocus(seed):
    moved, soft = (
        replace(ORDINARY, megapixels=3, **blur) for blur in ({"motion_px": 12}, {"blur_px": 4.0})
    )
    printed = print_cards(40)
    findings = [
        read_photo(photograph(printed, 40, camera, seed=seed).jpeg, printed.deck).findings
        for camera in (moved, soft)
    ]
    causes = [{f.facts.get("cause") for f in of_photo} - {None} for of_photo in findings]
    assert causes == [{Cause.MOVED}, {Cause.BLURRED}]


def causes(photo, deck):
    """Why cards were not read, and glare that may hide some."""
    findings = read_photo(as_jpeg(photo), deck).findings
    unread = [f.facts["cause"] for f in findings if f.code == Code.CARDS_UNREAD]
    return unread + [Cause.GLARE for f in findings if f.facts.get("glare")]


@pytest.mark.slow
def test_causes_are_short_cuts_the_photos_edge_glare_and_a_coin():
    printed, small = print_cards(40), replace(ORDINARY, megapixels=3)
    layout = printed.deck.layout
    deck = KnownDeck(printed.deck.codes[:10], layout)
    places = [Place(85.0 * (n % 5), 65.0 * (n // 5), 3.0 * n, 0) for n in range(10)]
    cards = [
        CardOnTable(printed.faces[c], 66, 46, p.x_mm, p.y_mm, p.angle_deg)
        for c, p in zip(deck.codes, places, strict=True)
    ]
    # the code is 5.5 mm from the right edge
    short = np.array([[0, 0], [48, 0], [48, 46], [0, 46]], float)
    cut = [replace(card, trim=short) if n in (2, 6) else card for n, card in enumerate(cards)]
    box = layout.symbol
    middle = cards[2].to_table(np.array([[box.x, box.y]]) + box.width / 2)[0]
    coin = CardOnTable(np.full((40, 40), 120, np.uint8), 14, 14, *middle)
    rendered = (
        (cut, small, {}, Cause.CUT_SHORT),
        (cards, small, {"margin_mm": -28.0}, Cause.CUT_OFF),
        (cards, replace(small, glare=2.0), {}, Cause.GLARE),
        ([*cards, coin], small, {}, Cause.COVERED),
    )
    for laid, camera, frame, cause in rendered:
        photo, _ = render_table(laid, camera, np.random.default_rng(3), **frame)
        assert causes(photo, deck) == [cause]


def glare_stripe(grey, middle, angle_deg, width_px, strength):
    """The photo with the reflection of a fluorescent tube."""
    y, x = np.indices(grey.shape)
    turn = np.deg2rad(angle_deg)
    off = (x - middle[0]) * np.sin(turn) + (y - middle[1]) * np.cos(turn)
    return np.clip(grey + strength * np.exp(-((off / width_px) ** 2)), 0, 255).astype(np.uint8)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "width", "strength", "code", "facts"),
    [
        (3, 0.6, 600, Code.CARDS_UNREAD, {"count": 3, "cause": "glare"}),
        (11, 0.7, 900, Code.CARDS_HIDDEN, {"groups": [1], "glare": True}),
        (31, 0.7, 900, Code.CARDS_HIDDEN, {"groups": [1], "glare": True}),
    ],
)
def test_a_stripe_of_glare_is_named(seed, width, strength, code, facts):
    printed = print_cards(40)
    scene = photograph(printed, 24, replace(ORDINARY, megapixels=4), seed)
    deck = KnownDeck(tuple(scene.corners), printed.deck.layout)
    grey = cv2.imdecode(np.frombuffer(scene.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
    middle = list(scene.corners.values())[5].mean(0)
    side = 21 * scene.module_px()
    reading = read_photo(glare_stripe(grey, middle, 20 * seed, width * side, strength), deck)
    (found,) = [finding for finding in reading.findings if finding.code == code]
    assert found.facts == facts
    assert "lamp's glare" in in_words(found)


@pytest.mark.slow
def test_discs_on_codes_of_an_overexposed_photo_are_no_glare():
    printed = print_cards(40)
    scene = photograph(printed, 24, replace(ORDINARY, megapixels=4), 13)
    deck = KnownDeck(tuple(scene.corners), printed.deck.layout)
    grey = cv2.imdecode(np.frombuffer(scene.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
    light = np.clip(1.6 * grey, 0, 255).astype(np.uint8)
    for corners in list(scene.corners.values())[:4]:
        middle = tuple(corners.mean(0).astype(int).tolist())
        cv2.circle(light, middle, round(0.6 * 21 * scene.module_px()), 100, -1)
    assert causes(light, deck) == [Cause.COVERED]
