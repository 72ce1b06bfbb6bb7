"""Reading whole photos: of printed cards on a table, and of other things."""

import io
from dataclasses import replace

import cv2
import numpy as np
import pytest
from PIL import Image

from printables.cards.codes import CardCode, encode, header_code, symbol
from printables.reading.deck.known_deck import KnownDeck
from printables.reading.findings import Code
from printables.reading.overlay import draw_overlay
from printables.reading.photos import colours
from printables.reading.photos.photo import load_colour
from printables.reading.reader import read_codes, read_photo
from printables.scenes.card_on_table import CardOnTable
from printables.scenes.render import render_table
from printables.scenes.view import project
from tests.bench import tables
from tests.bench.clutter import cup
from tests.bench.conditions import PLAIN
from tests.bench.scenes import HARD, ORDINARY, as_jpeg, photograph, print_cards, score
from tests.printables import pictures_of_symbols as pictures

SMALL = replace(ORDINARY, megapixels=3)
RNG = np.random.default_rng


@pytest.fixture(scope="module")
def printed():
    return print_cards(40)


@pytest.fixture(scope="module")
def easy(printed):
    return photograph(printed, 16, SMALL, seed=1)


def laid(printed, places):
    """Cards on a table, given as (index in the deck, x, y, angle)."""
    layout = printed.deck.layout
    size = (layout.width_mm, layout.height_mm)
    codes = printed.deck.codes
    return [CardOnTable(printed.faces[codes[n]], *size, x, y, turn) for n, x, y, turn in places]


def test_every_card_is_read_with_its_position_and_group(printed, easy):
    reading = read_photo(easy.jpeg)
    found = score(easy, reading)
    assert (found.read, found.false, found.groups_exact) == (16, 0, True)
    for read in reading.symbols:
        assert np.abs(read.corners - easy.corners[read.code]).max() < 0.4 * easy.module_px()
    assert len(reading.unread) == 0
    assert reading.advice == ()


def test_read_codes_gives_the_codes_of_a_whole_reading(printed, easy):
    foreign = next(iter(easy.corners))
    known = replace(printed.deck, codes=[c for c in printed.deck.codes if c != foreign])
    whole, alone = read_photo(easy.jpeg, known), read_codes(easy.jpeg, known)
    outlines = {
        symbol.code: outline
        for symbol, outline in zip(whole.symbols, whole.plan.in_photo(), strict=True)
    }
    assert len(alone.foreign) == 1
    assert {symbol.code for symbol in alone.symbols} == set(outlines)
    for read, outline in zip(alone.symbols, alone.plan.in_photo(), strict=True):
        assert read.group == 0
        assert np.abs(outline - outlines[read.code]).max() < 1e-6
    for reading in (whole, alone):
        (strange,) = reading.foreign_outlines
        assert np.abs(strange.mean(0) - easy.corners[foreign].mean(0)).max() < 100
        inside = [
            cv2.pointPolygonTest(np.float32(strange), tuple(at), False)
            for at in reading.foreign[0].corners
        ]
        assert min(inside) > 0
    assert (len(alone.unread), alone.findings) == (0, ())


def test_a_small_picture_of_another_deck_in_the_middle_hides_no_card():
    deck = print_cards(40).deck
    places = [(x, y) for x in range(6) for y in range(6) if not {x, y} <= {2, 3}]
    shown = [
        (code, pictures.placed(300 * x + 150, 300 * y + 150, 8, 11 * x))
        for code, (x, y) in zip(deck.codes, places, strict=False)
    ]
    for x, y in np.ndindex(5, 5):
        strange = encode(CardCode(set_number=7, card=1 + 5 * x + y, deck=3, edition=0))
        shown.append((strange, pictures.placed(660 + 120 * x, 660 + 120 * y, 3, 7 * x)))
    reading = read_codes(pictures.picture(shown, (1800, 1800), blur_px=1, noise=3), deck)
    assert len(reading.symbols) == len(places) and len(reading.foreign) >= 20


def test_cards_that_are_much_smaller_than_the_others_are_read():
    deck = print_cards(40).deck
    large = [pictures.placed(300 * x + 150, 300 * y + 150, 8, 11 * x) for x, y in np.ndindex(6, 4)]
    small = [
        pictures.placed(110 * x + 60, 110 * y + 1250, 2.5, 11 * x) for x, y in np.ndindex(8, 2)
    ]
    shown = list(zip(deck.codes, [*large, *small], strict=True))
    photo = pictures.picture(shown, (1800, 1500), blur_px=0.5, noise=2)
    assert len(read_photo(as_jpeg(photo), deck).symbols) == 40


def test_a_photo_that_is_deleted_while_it_is_read_is_still_seen_in_colour(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 3)
    printed = print_cards(20)
    condition = replace(PLAIN, grounds=("white",), face_down=0.2)
    scene = tables.pictured(printed, 20, condition, 3)
    path = tmp_path / "table.jpg"
    path.write_bytes(scene.jpeg)

    def deleted(*arguments):
        path.unlink(missing_ok=True)
        return load_colour(*arguments)

    monkeypatch.setattr(colours, "load_colour", deleted)
    reading = read_photo(path, printed.deck)
    assert not path.exists()
    assert np.array_equal(reading.unread, read_photo(scene.jpeg, printed.deck).unread)


def test_cards_without_a_full_quiet_zone_are_read_once_each(printed):
    scene = photograph(printed, 16, SMALL, seed=1)
    grey = cv2.imdecode(np.frombuffer(scene.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
    for corners in scene.corners.values():
        # one module outside the code, the bare table begins
        middle = corners.mean(0)
        ring = [middle + grown * (corners - middle) for grown in (1.1, 1.5)]
        band = np.zeros(grey.shape, np.uint8)
        cv2.fillPoly(band, [np.round(part).astype(np.int32) for part in ring], 255)
        grey[band > 0] = 110
    reading = read_photo(grey, printed.deck)
    assert sorted(symbol.code for symbol in reading.symbols) == sorted(scene.corners)


def test_outlines_are_at_the_cards_positions(printed):
    cards = laid(printed, [(0, 0, 0, 10), (1, 90, 20, -80), (2, 40, 110, 200)])
    photo, to_pixels = render_table(cards, SMALL, np.random.default_rng(4))
    reading = read_photo(as_jpeg(photo), printed.deck)
    places = {s.code: p for s, p in zip(reading.symbols, reading.plan.in_photo(), strict=True)}
    for code, card in zip(printed.deck.codes, cards, strict=False):
        true = project(to_pixels, card.outline())
        assert np.abs(places[code] - true).max() < 0.02 * np.ptp(true)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_uneven_light_and_motion_blur(printed, seed):
    scene = photograph(printed, 30, replace(HARD, megapixels=6), seed)
    found = score(scene, read_photo(scene.jpeg, printed.deck))
    assert found.read >= 29
    assert (found.false, found.groups_exact) == (0, True)


def test_a_small_photo_is_read_with_the_deck_and_gives_advice_without(printed):
    scene = photograph(printed, 40, replace(ORDINARY, megapixels=1.1), seed=5)
    without, within = read_photo(scene.jpeg), read_photo(scene.jpeg, printed.deck)
    assert score(scene, within).read >= 38
    assert score(scene, within).false == score(scene, without).false == 0
    assert any(read.how == "matched" and read.margin > 0.2 for read in within.symbols)
    assert len(without.symbols) < len(within.symbols)
    assert len(without.symbols) + len(without.unread) >= 38
    assert "go closer, or take two photos" in without.advice[0]


@pytest.mark.slow
def test_cards_of_another_deck_are_never_recognised(printed):
    others = KnownDeck([encode(CardCode(12, card, 2, 1)) for card in range(1, 41)])
    clear = photograph(printed, 20, SMALL, seed=6)
    reading = read_photo(clear.jpeg, others)
    assert reading.symbols == ()
    assert {read.code for read in reading.foreign} == set(clear.corners)
    dim = photograph(printed, 40, replace(ORDINARY, megapixels=1.1), seed=7)
    assert read_photo(dim.jpeg, others).symbols == ()


def across(printed, between):
    """Two groups with a card between them, all at distances of cards of one group."""
    cards = laid(printed, [(0, 0, 0, 0), (1, 0, 60, 0), (2, 172, 0, 0), (3, 172, 60, 0)])
    photo, _ = render_table([*cards, replace(between, x_mm=86.0, y_mm=30.0)], SMALL, RNG(4))
    return as_jpeg(photo)


def doubts(reading):
    return [f.facts for f in reading.findings if f.code == Code.GROUPS_UNCERTAIN]


@pytest.mark.parametrize("count", [4, 40])
def test_a_card_of_another_set_connects_no_groups_without_a_word(printed, count):
    (other,) = laid(print_cards(3, set_number=13), [(0, 0, 0, 0)])
    photo = across(printed, other)
    reading = read_photo(photo, KnownDeck(printed.deck.codes[:count], printed.deck.layout))
    assert (len(reading.symbols), len(reading.foreign), reading.groups) == (4, 1, 2)
    assert doubts(reading) == [{"groups": [1, 2], "reason": "foreign_between"}]
    assert reading.advice[-1] == (
        "Groups 1 and 2 may be one group: a card that is not in this deck is between them. "
        "Check the grouping."
    )
    assert doubts(read_photo(photo, printed.deck, groups=2)) == []


def test_a_header_card_that_is_not_in_the_deck_connects_its_group(printed):
    box, dot = printed.deck.layout.symbol, 300 / 25.4
    (header,) = laid(printed, [(5, 0, 0, 0)])
    drawn = np.where(symbol(encode(header_code(2))), 20, 255).astype(np.uint8)
    face, side = np.full_like(header.face, 255), round(box.width * dot)
    left, top = round(box.x * dot), round(box.y * dot)
    drawn = cv2.resize(drawn, (side, side), interpolation=cv2.INTER_NEAREST)
    face[top : top + side, left : left + side] = drawn
    reading = read_photo(across(printed, replace(header, face=face)), printed.deck)
    assert (len(reading.symbols), len(reading.foreign), reading.groups) == (4, 1, 1)
    assert doubts(reading) == []


@pytest.mark.parametrize("orientation", [3, 6, 8])
def test_a_photo_taken_sideways_is_read_upright(easy, orientation):
    turns = {3: cv2.ROTATE_180, 6: cv2.ROTATE_90_COUNTERCLOCKWISE, 8: cv2.ROTATE_90_CLOCKWISE}
    upright = cv2.imdecode(np.frombuffer(easy.jpeg, "u1"), 1)
    stored = cv2.rotate(upright, turns[orientation])
    exif, file = Image.Exif(), io.BytesIO()
    exif[0x0112] = orientation
    Image.fromarray(stored[..., ::-1]).save(file, "JPEG", exif=exif, quality=90)
    reading = read_photo(file.getvalue())
    assert (reading.height, reading.width) == upright.shape[:2]
    assert score(easy, reading).read == 16


def test_paper_beside_a_whole_deck_is_still_examined(printed):
    deck = KnownDeck(printed.deck.codes[:3], printed.deck.layout)
    cards = laid(printed, [(n, 80.0 * n, 0.0, 2.0 * n) for n in range(4)])
    cards[3] = replace(cards[3], face=np.full_like(cards[3].face, 250))
    photo, _ = render_table(cards, SMALL, np.random.default_rng(4))
    reading = read_photo(as_jpeg(photo), deck)
    assert {symbol.code for symbol in reading.symbols} == set(deck.codes)
    assert len(reading.unread) == 1


@pytest.mark.slow
def test_a_face_down_or_covered_card_is_reported_as_unread(printed):
    cards = laid(printed, [(n, 80.0 * n, 0.0, 2.0 * n) for n in range(6)])
    back = np.full_like(cards[2].face, 250)
    cards[2] = replace(cards[2], face=back)
    box = printed.deck.layout.symbol
    hand = np.full((40, 40), 120, np.uint8)
    middle = cards[4].to_table(np.array([[box.x + box.width / 2, box.y + box.width / 2]]))[0]
    cards.append(CardOnTable(hand, 12, 12, *middle))
    photo, to_pixels = render_table(cards, SMALL, np.random.default_rng(3))
    reading = read_photo(as_jpeg(photo), printed.deck)
    read = {symbol.code for symbol in reading.symbols}
    assert printed.deck.codes[2] not in read
    assert read >= {printed.deck.codes[n] for n in (0, 1, 3, 5)}
    ringed = reading.unread.mean(1)
    turned = project(to_pixels, cards[2].outline()).mean(0)
    assert np.linalg.norm(ringed - turned, axis=1).min() < 20
    assert len(reading.unread) == 6 - len(read)
    assert "turned over or covered" in " ".join(reading.advice)
    # an unread card connects its group
    assert reading.groups == 1
    assert draw_overlay(as_jpeg(photo), reading).shape == photo.shape


@pytest.mark.slow
def test_groups_around_a_cup_are_in_doubt_if_a_card_is_missing(printed):
    cards = laid(printed, [(n, 80.0 * n, 0.0, 0.0) for n in range(5)])
    face, cut = cup(None)
    middle = cards[2].outline().mean(0)
    cup_on_table = CardOnTable(face, 90, 90, *middle, 0.0, cut)
    photo, _ = render_table([*cards, cup_on_table], SMALL, np.random.default_rng(5))
    doubts = []
    for codes in (printed.deck.codes[:5], [*printed.deck.codes[:2], *printed.deck.codes[3:5]]):
        reading = read_photo(as_jpeg(photo), KnownDeck(codes, printed.deck.layout))
        assert (len(reading.symbols), reading.groups) == (4, 2)
        doubts.append([f.facts for f in reading.findings if f.code == Code.GROUPS_UNCERTAIN])
    assert doubts == [[{"groups": [1, 2], "reason": "hidden_between"}], []]


@pytest.mark.slow
def test_cards_that_overlap_and_cards_cut_by_the_frame(printed):
    cards = laid(printed, [(0, 0, 0, 0), (1, -30, -6, 25), (2, 200, 0, 0), (3, 100, 120, 0)])
    photo, _ = render_table(cards, SMALL, np.random.default_rng(3), margin_mm=-28.0)
    reading = read_photo(as_jpeg(photo))
    assert {read.code for read in reading.symbols} <= set(printed.deck.codes[:4])
    assert printed.deck.codes[1] in {read.code for read in reading.symbols}


@pytest.mark.slow
@pytest.mark.parametrize("ground", ["white", "dark"])
def test_white_and_dark_tables(printed, ground):
    scene = photograph(printed, 16, SMALL, seed=2, ground=ground)
    found = score(scene, read_photo(scene.jpeg))
    assert (found.read, found.false, found.groups_exact) == (16, 0, True)


@pytest.mark.slow
def test_more_symbols_than_the_decoder_can_find():
    codes = [encode(CardCode(1, card, 1, 1)) for card in range(1, 301)]
    tiles = [np.pad(symbol(code), 4) for code in codes]
    sheet = np.block([[tiles[20 * row + column] for column in range(20)] for row in range(15)])
    picture = np.where(np.kron(sheet, np.ones((4, 4), bool)), 20, 240).astype(np.uint8)
    assert {read.code for read in read_photo(picture).symbols} == set(codes)


def test_one_symbol_filling_a_photo():
    code = encode(CardCode(1, 7, 1, 1))
    picture = np.where(np.kron(np.pad(symbol(code), 4), np.ones((40, 40), bool)), 20, 240)
    reading = read_photo(picture.astype(np.uint8))
    assert [read.code for read in reading.symbols] == [code]
    assert np.abs(reading.symbols[0].corners[0] - 160).max() < 8


@pytest.mark.slow
def test_other_qr_codes_are_not_cards(shared_data):
    for path in sorted((shared_data / "qr_photos_zxing").glob("*.png")):
        reading = read_photo(path)
        assert reading.symbols == reading.foreign == ()
        assert "No card was found" in reading.advice[0]


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_picture_of_one_grey_level(level):
    reading = read_photo(np.full((300, 400), level, np.uint8))
    assert (reading.symbols, reading.plan, reading.groups) == ((), None, 0)
    assert len(reading.unread) == 0
    assert "No card was found" in reading.advice[0]


def test_a_given_number_of_groups(easy):
    assert read_photo(easy.jpeg, groups=5).groups == 5


def test_the_same_photo_gives_the_same_reading(printed, easy):
    first, second = (read_photo(easy.jpeg, printed.deck) for _ in range(2))
    assert [s.code for s in first.symbols] == [s.code for s in second.symbols]
    assert all(
        (a.corners == b.corners).all() for a, b in zip(first.symbols, second.symbols, strict=True)
    )


@pytest.mark.slow
def test_a_strongly_motion_blurred_photo_gives_no_false_codes(printed):
    scene = photograph(printed, 40, replace(ORDINARY, megapixels=3, motion_px=14), seed=9)
    assert score(scene, read_photo(scene.jpeg, printed.deck)).false == 0
