"""Sheets of paper are left out, and places that are as light as paper in the shade are not."""

import cv2
import numpy as np
import pytest

from printables.tabletop.edges.paper_view import PaperView
from printables.tabletop.edges.sheets import leave_out_sheets
from tests.printables.tabletop.edges.test_card_edges import READ, SIZE, box, drawn


def left_out(grey, known=READ):
    """Where nothing is searched for because of sheets."""
    view = PaperView.of(grey, np.array(known), 1.0)
    before = view.free.copy()
    leave_out_sheets(view, grey == 0, np.array(SIZE))
    return (before > 0) & (view.free == 0)


def test_a_sheet_is_left_out_and_a_card_is_not():
    sheet, card = box(300, 270, 10, (105, 148)), box(500, 300, 20)
    out = left_out(drawn(90, [*READ, sheet, card]))
    assert out[270, 300] and not out[300, 500]


def test_two_cards_on_each_other_along_a_side_are_no_sheet():
    cards = box(300, 270, 10), box(300 + 4.3, 270 + 24.6, 10)
    assert not left_out(drawn(90, [*READ, *cards]))[270:290, 300].any()


def test_an_index_card_on_which_other_paper_borders_is_left_out():
    """Its ends look like cards: it is as high as a card is wide."""
    sheet, card = box(300, 270, 10, (76, 127)), box(372, 300, 40)
    out = left_out(drawn(90, [*READ, sheet, card]))
    assert out[270, 300] and out[225, 300] and not out[310, 395]


@pytest.mark.parametrize("along", [18, 20, 22, 24])
def test_two_cards_that_touch_out_of_line_are_no_sheet(along):
    turn = np.deg2rad(105)
    right, down = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    x, y = (along * right + SIZE[1] * down) / 2
    cards = box(330 - x, 260 - y, 105), box(330 + x, 260 + y, 105)
    assert not left_out(drawn(90, [*READ, *cards])).any()


def test_cards_that_cover_each_other_are_no_sheet():
    fan = [box(300 + 14 * n, 270 + 5 * n, 25 * n) for n in range(4)]
    assert not left_out(drawn(90, [*READ, *fan])).any()


@pytest.mark.parametrize("seed", [11, 28, 32])
def test_the_middle_of_a_heap_is_no_sheet(seed):
    rng = np.random.default_rng(seed)
    heap = [box(*rng.uniform([250, 230, 0], [350, 310, 180])) for _ in range(9)]
    over = [*READ, box(352, 222, 50), box(262, 306, -30)]
    assert not left_out(drawn(90, [*heap, *over]), over).any()


@pytest.mark.parametrize("other", [(262, 322, -30), (520, 380, 0)])
def test_a_letter_on_which_cards_lie_is_left_out(other):
    letter, over = box(300, 270, 10, (105, 148)), [*READ, box(352, 222, 50), box(*other)]
    assert left_out(drawn(90, [letter, *over]), over)[270, 300]


@pytest.mark.parametrize("checks", [12, 20, 30])
def test_a_sheet_on_a_cloth_with_white_checks_is_left_out_and_cards_are_not(checks):
    row, column = np.indices((420, 620)) // checks
    grey = np.where((row + column) % 2, 232, 90).astype(np.uint8)
    for paper in (box(300, 270, 10, (105, 148)), box(500, 300, 20), *READ):
        cv2.fillConvexPoly(grey, np.round(paper).astype(np.int32), 240)
    out = left_out(grey)
    assert out[270, 300] and not out[300, 500]
    assert out.sum() < 1.3 * 105 * 148


@pytest.mark.parametrize("lit", [False, True])
def test_a_table_in_the_sun_is_no_sheet_if_a_card_on_it_is_lighter(lit):
    shaded = drawn(90, READ) * 0.7
    paper = float(np.median(shaded[50:70, 50:70]))
    shaded[260:, 450:] = 0.95 * paper
    if lit:
        part = drawn(90, [box(530, 330)])
        shaded[part > 200] = 1.3 * paper
    out = left_out(shaded.astype(np.uint8))
    assert bool(out[400, 600]) != lit
