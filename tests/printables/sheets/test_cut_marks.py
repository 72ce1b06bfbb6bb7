"""Cut marks: where they are, by hand and on all possible layouts."""

import pytest
from hypothesis import given

from printables.cards.card import Box
from printables.sheets.cut_marks import cut_marks
from printables.sheets.face import Line
from printables.sheets.sheet import SheetLayout, impose
from tests.printables.drawn_cards import SQUARE, deck_of
from tests.printables.page_parts import box_room, line_room, overlap
from tests.printables.sheet_layouts import layouts


def test_marks_of_two_cards_by_hand():
    # Two cards of 40 x 30 mm with one cut between them; 10 mm are left on each side.
    boxes = [Box(10, 10, 40, 30), Box(50, 10, 40, 30)]
    columns = [Line(x, *ends) for x in (10, 50, 90) for ends in ((4, x, 9), (41, x, 46))]
    rows = [Line(*ends) for y in (10, 40) for ends in ((4, y, 9, y), (91, y, 96, y))]
    assert set(cut_marks(boxes, (100, 50))) == {*columns, *rows}


@given(layouts())
def test_no_mark_is_on_a_card(layout):
    page = impose([deck_of([SQUARE] * 40)], layout)[0]
    cards = [box_room(placed.box) for placed in page.cards]
    for mark in map(line_room, page.marks):
        assert not [card for card in cards if overlap(mark, card)]


@given(layouts())
def test_marks_are_on_the_page_and_on_cuts(layout):
    page = impose([deck_of([SQUARE] * 20)], layout)[0]
    cuts_x = {round(x, 3) for p in page.cards for x in (p.box.x, p.box.x + p.box.width)}
    cuts_y = {round(y, 3) for p in page.cards for y in (p.box.y, p.box.y + p.box.height)}
    for mark in page.marks:
        assert 0 <= mark.x1 <= mark.x2 <= page.width_mm
        assert 0 <= mark.y1 <= mark.y2 <= page.height_mm
        along = round(mark.x1, 3) in cuts_x if mark.x1 == mark.x2 else round(mark.y1, 3) in cuts_y
        ends = {round(x, 3) for x in (mark.x1, mark.x2)} & cuts_x
        ends |= {round(y, 3) for y in (mark.y1, mark.y2)} & cuts_y
        assert along or ends


@given(layouts())
def test_margins_of_3_mm_have_a_mark_of_every_cut(layout):
    page = impose([deck_of([SQUARE] * 20)], layout)[0]
    if layout.margin_mm < 3:
        return
    first = min(placed.box.y for placed in page.cards)
    above = {round(mark.x1, 3) for mark in page.marks if mark.y2 < first and mark.x1 == mark.x2}
    for placed in page.cards:
        assert round(placed.box.x, 3) in above
        assert round(placed.box.x + placed.box.width, 3) in above


@pytest.mark.parametrize("gutter", [1.0, 4.0, 12.0])
def test_with_a_gutter_marks_remain_after_the_first_cuts(gutter):
    # After cutting along the rows, each strip must still show all vertical cuts.
    (page,) = impose([deck_of([SQUARE] * 4)], SheetLayout(gutter_mm=gutter))
    for box in {placed.box for placed in page.cards}:
        for x in (box.x, box.x + box.width):
            within = [
                mark
                for mark in page.marks
                if x in (mark.x1, mark.x2) and box.y < mark.y1 == mark.y2 < box.y + box.height
            ]
            assert len(within) == 2
