"""Cards that were not read, in drawn top views and in rendered photos of tables."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from printables.cards.card import CardLayout
from printables.reading.reader import read_photo
from printables.tabletop.missing_cards import find_missing_cards
from printables.tabletop.top_view import TopView
from tests.bench import tables
from tests.bench.conditions import EFFECTS, PLAIN
from tests.bench.scenes import pointers, print_cards
from tests.bench.tables import pictured
from tests.printables.tabletop.edges.test_card_edges import READ, SIZE, box, drawn

LAYOUT = CardLayout(*SIZE, "front")


def missing(grey, known, most=None):
    return found_with_marks(grey, known, most)[0]


def found_with_marks(grey, known, most=None):
    """The outlines found, and whether each is likely, whole and connecting."""
    top = TopView(grey, np.zeros(2), 1.0)
    found = find_missing_cards(top, np.array(known), LAYOUT, most)
    return found.outlines, *found.marks


def errors(found, true):
    """Distance from the centre of each true card to that of the nearest card found."""
    apart = np.linalg.norm(found.mean(1)[:, None] - np.array(true).mean(1)[None], axis=2)
    return apart.min(0)


@pytest.mark.parametrize("table", [90, 228])
def test_single_touching_and_overlapping_cards_are_found(table):
    alone, first, beside = box(120, 200, 33), box(300, 250, 10), box(365, 261.5, 10)
    under, over = box(480, 330, 75), box(505, 350, 20)
    grey = drawn(table, [*READ, under, over, alone, first, beside], shadow=table - 40)
    found = missing(grey, [*READ, over])
    assert len(found) == 4
    assert errors(found, [alone, first, beside, under]).max() < 4


def test_cards_are_found_on_a_table_lighter_than_paper():
    alone, beside = box(300, 250, 10), box(120, 200, 33)
    noise = np.random.default_rng(1).normal(0, 1.5, (420, 620))
    grey = drawn(251, [*READ, alone, beside]) + noise
    found = missing(np.clip(grey, 1, 255).astype(np.uint8), READ, 2)
    assert len(found) == 2 and errors(found, [alone, beside]).max() < 4


def test_an_empty_table_and_a_sheet_of_paper_have_no_cards():
    grey = drawn(90, READ)
    assert missing(grey, READ).shape == (0, 4, 2)
    # a sheet of another size
    assert len(missing(drawn(90, [*READ, box(300, 270, 10, (105, 148))]), READ)) == 0


def test_sheets_may_hide_missing_cards_that_are_on_this_table():
    sheet = box(300, 270, 10, (105, 148))
    top = TopView(drawn(90, [*READ, sheet]), np.zeros(2), 1.0)
    found = find_missing_cards(top, np.array(READ), LAYOUT, 2)
    assert len(found.sheets) == 1 and errors(found.sheets, [sheet]).max() < 3
    assert not len(find_missing_cards(top, np.array(READ), LAYOUT).sheets)


def test_a_note_of_a_strong_colour_is_no_card_if_colours_are_known():
    card, note = box(150, 250, 10), box(420, 270, 25)
    colour = np.stack([drawn(60, [*READ, card])] * 3, -1)
    cv2.fillConvexPoly(colour, np.round(note).astype(np.int32), (60, 200, 220))
    top = TopView(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), np.zeros(2), 1.0)
    assert len(missing(top.grey, READ)) == 2

    def seen_in(view):
        row, column = np.indices(view.grey.shape)
        across, down = np.round(view.in_mm(np.stack([column, row], -1))).astype(int).T
        return np.ascontiguousarray(colour[down.T, across.T])

    found = find_missing_cards(top, np.array(READ), LAYOUT, None, seen_in, light=False).outlines
    assert len(found) == 1
    assert errors(found, [card]).max() < 2


def test_at_most_as_many_cards_as_are_missing_and_the_clearest_first():
    covered, clear = box(150, 250), box(400, 250, 15)
    grey = drawn(90, [*READ, covered, clear])
    grey[230:280, 140:160] = 60
    assert errors(missing(grey, READ, 1), [clear]).max() < 2
    assert len(missing(grey, READ)) == 2


@pytest.mark.parametrize(
    ("right", "down", "turn"), [(0, 4, 0), (0, 4, 30), (0, 4, 75), (4, 3, 0), (3, 4, 0)]
)
def test_a_narrow_strip_beside_a_known_card_shows_the_one_below(right, down, turn):
    way = np.array([np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))])
    moved = right * way + down * np.array([-way[1], way[0]])
    over, under = box(300, 250, turn), box(300 + moved[0], 250 + moved[1], turn)
    found = missing(drawn(90, [*READ, under, over]), [*READ, over], 1)
    assert len(found) == 1
    assert errors(found, [under]).max() < 4


@pytest.mark.parametrize("most", [1, 2])
def test_a_card_with_likely_edges_comes_before_one_below_a_known_card(most):
    over, under, cupped = box(300, 250), box(300.5, 250, 13), box(440, 190, 10)
    grey = drawn(90, [*READ, under, over, cupped])
    cv2.circle(grey, (462, 200), 30, 30, -1)
    found = missing(grey, [*READ, over], most)
    assert errors(found, [cupped, under][:most]).max() < 4
    assert len(found) == most


def test_more_candidates_than_missing_cards_are_unlikely_to_be_cards():
    grey = drawn(90, [*READ, box(150, 250), box(400, 250, 15)])
    assert found_with_marks(grey, READ)[1].tolist() == [True, True]
    assert found_with_marks(grey, READ, 2)[1].tolist() == [True, True]
    assert found_with_marks(grey, READ, 1)[1].tolist() == [False]


def test_a_card_under_a_hand_is_no_part_of_a_larger_sheet():
    card = box(300, 190, 10)
    grey = drawn(90, [*READ, card])
    first, second, _, fourth = card
    for left, over, right, under in [(0.05, 0.11, 1.4, 0.89), (-0.4, 0.11, 0.2, 0.5)]:
        ends = [(left, over), (right, over), (right, under), (left, under)]
        hand = np.array([first + x * (second - first) + y * (fourth - first) for x, y in ends])
        cv2.fillConvexPoly(grey, np.round(hand).astype(np.int32), 165)
    found, likely, *_ = found_with_marks(grey, READ)
    assert errors(found, [card]).max() < 4
    assert likely.tolist() == [True]


def test_an_unclear_outline_that_touches_a_read_card_connects_no_groups():
    clear, spoilt = [box(150, 250), box(330, 98)], box(60, 98)
    grey = drawn(90, [*clear, spoilt, *READ])
    cv2.circle(grey, (86, 119), 10, 30, -1)
    found, likely, _, connecting = found_with_marks(grey, READ)
    assert likely.tolist() == [True] * 3
    assert connecting.sum() == 2
    assert errors(found[connecting], clear).max() < 2


def test_only_a_card_on_which_nothing_lies_is_whole():
    covered, clear = box(300, 180, 10), box(480, 250, 15)
    grey = drawn(90, [*READ, covered, clear])
    cv2.circle(grey, (322, 190), 30, 30, -1)
    found, likely, whole, _ = found_with_marks(grey, READ)
    assert likely.tolist() == [True, True]
    assert errors(found[whole], [clear]).max() < 2
    assert whole.sum() == 1


def test_checks_of_a_cloth_are_no_cards_but_a_card_on_it_is():
    rows, columns = (np.arange(side) // 14 % 2 for side in (420, 620))
    cloth = np.array([225, 160, 90], np.uint8)[rows[:, None] + columns]

    def laid(cards):
        table = drawn(90, cards)
        return cv2.GaussianBlur(np.where(table == 90, cloth, table), (0, 0), 1.0)

    card = box(300, 250, 15)
    assert len(missing(laid(READ), READ)) == 0
    found = missing(laid([*READ, card]), READ)
    assert len(found) == 1
    assert errors(found, [card]).max() < 2


@pytest.mark.parametrize(("count", "connects"), [(2, True), (8, False)])
def test_a_card_on_a_table_with_many_edges_like_those_of_cards_connects_no_groups(count, connects):
    ends = [box(80 + 75 * (n % 4), 160 + 55 * (n // 4)) for n in range(count)]
    card = box(480, 250, 15)
    grey = drawn(90, [*READ, *ends, card])
    for end in ends:
        # only two sides of each are like those of a card
        half = np.round(end[1:] + np.array([[-6, -3], [3, 3], [-3, -6]]))
        cv2.fillConvexPoly(grey, half.astype(np.int32), 90)
    found, likely, _, connecting = found_with_marks(grey, READ, 8)
    clear = np.linalg.norm(found.mean(1) - card.mean(0), axis=1) < 2
    assert clear.sum() == 1 and likely[clear].all()
    assert connecting[clear].all() == connects


@pytest.mark.parametrize("most", [8, 60, None])
def test_checks_as_large_as_cards_are_no_cards(most):
    known = [box(60 + 85 * n + 9 * (n % 2), 60, 3 * n) for n in range(6)]
    rows = np.arange(420)[:, None] // 46 % 2
    cloth = np.where(rows + np.arange(620) // 66 % 2 == 0, 238, 120).astype(np.uint8)
    table = drawn(90, known)
    grey = cv2.GaussianBlur(np.where(table == 90, cloth, table), (0, 0), 1.0)
    # with as many missing cards as candidates, eight checks were taken for cards, with more all
    assert len(missing(grey, known, most)) <= 3


def test_a_card_of_which_two_others_hide_the_ends():
    card, above, below = box(300, 250, 90), box(300, 198), box(300, 302)
    grey = drawn(90, [*READ, card, above, below])
    found = missing(grey, [*READ, above, below])
    assert len(found) == 1
    assert errors(found, [card]).max() < 6
    # a gap of the table between two cards is none
    assert len(missing(drawn(90, [*READ, above, below]), [*READ, above, below])) == 0


def test_a_card_of_which_another_leaves_narrow_strips_at_two_sides():
    over, under = box(300, 250), box(308, 260, 5)
    found = missing(drawn(90, [*READ, under, over]), [*READ, over], 1)
    assert errors(found, [under]).max() < 4
    # the read card itself, whose outline is inexact, is none
    assert len(missing(drawn(90, [*READ, over]), [*READ, box(296, 246, -3)], 1)) == 0


def test_a_heap_of_cards_face_down():
    """The first three show the two others by where their own edges end."""
    heap = [(313, 185, -46), (297, 225, 29), (192, 228, -41), (319, 277, -37), (208, 218, 26)]
    cards = [box(*card) for card in heap]
    found = missing(drawn(90, [*READ, *cards]), READ, 8)
    assert len(found) == 5
    assert errors(found, cards).max() < 4


def test_cards_that_touch_are_likely_although_paper_is_on_both_sides_of_an_edge():
    grey = drawn(90, [*READ, box(300, 250, 10), box(365, 261.5, 10)])
    assert found_with_marks(grey, READ)[1].tolist() == [True, True]


@pytest.mark.parametrize("middle", [(322, 190), (280, 170)])
def test_a_card_of_which_a_cup_leaves_two_sides_in_sight(middle):
    card = box(300, 180, 10)
    grey = drawn(90, [*READ, card])
    cv2.circle(grey, middle, 30, 30, -1)
    found = missing(grey, READ)
    assert len(found) == 1
    assert errors(found, [card]).max() < 4


@pytest.mark.parametrize("turn", [20, 25, 30])
def test_a_small_card_with_narrow_shadows_on_a_nearly_white_table(turn):
    cards = [*READ, box(301, 190, turn, (62.5, 43))]
    grey = np.full((420, 620), 236, np.uint8)
    for card in cards:
        cv2.fillConvexPoly(grey, np.round(card + 2).astype(np.int32), 215)
    for card in cards:
        rim = card.mean(0) + 1.03 * (card - card.mean(0))
        cv2.polylines(grey, [np.round(rim).astype(np.int32)], True, 220)
        cv2.fillConvexPoly(grey, np.round(card).astype(np.int32), 240)
    found = missing(grey, READ)
    assert len(found) == 1
    assert errors(found, cards[-1:]).max() < 4


@pytest.mark.slow
@pytest.mark.parametrize(("name", "ground"), [("face down", "white"), ("things", "checked")])
def test_photos_of_cards_face_down_or_under_objects(name, ground, monkeypatch):
    monkeypatch.setattr(tables, "MEGAPIXELS", 4)
    printed = print_cards(40)
    conditions = replace(EFFECTS[name], face_down=0.15, grounds=(ground,))
    scene = pictured(printed, 30, replace(conditions, bend_mm=(0.5, 1.0)), 3)
    reading = read_photo(scene.jpeg, printed.deck)
    unread = scene.in_sight() - {symbol.code for symbol in reading.symbols}
    pointed, astray = pointers(scene, reading)
    assert len(unread) >= 3
    assert len(pointed) >= len(unread) - 1
    assert astray <= 1
    assert PLAIN.face_down == 0
