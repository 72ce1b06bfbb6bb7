"""Imposition: counts by hand, and properties of all possible layouts."""

import re
from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from printables.artwork.fonts import typeface
from printables.artwork.pictures import Strokes
from printables.cards.card import CardLayout
from printables.cards.codes import decode, header_group
from printables.errors import PaperError
from printables.sheets.face import SetOfCards, header_cards
from printables.sheets.papers import PAPERS
from printables.sheets.sheet import Grid, SheetLayout, impose, manifest_rows
from tests.printables.page_parts import box_room, card_parts, inside, overlap, page_parts
from tests.printables.sheet_layouts import layouts

DOT = Strokes((((1.0, 1.0),),), 2.0)


def chairs(count, name="chairs"):
    return SetOfCards(1, name, tuple((n, f"chair {n}", DOT) for n in range(1, count + 1)))


def test_default_a4_by_hand():
    # 3 x 66 = 198 of 200 mm, 6 x 46 = 276 of 287 mm: 18 cards, centred.
    grid = Grid.of(SheetLayout())
    assert (grid.columns, grid.rows, grid.left, grid.top) == (3, 6, 6.0, 10.5)
    assert len(impose([chairs(300).deck(1)], SheetLayout())) == 17


def test_letter_paper_is_landscape_since_more_cards_fit():
    # Portrait: 3 x 5 = 15; landscape: 4 x 4 = 16.
    grid = Grid.of(SheetLayout(paper_mm=PAPERS["letter"]))
    assert (grid.width_mm, grid.height_mm, grid.columns, grid.rows) == (279.4, 215.9, 4, 4)


@given(layouts(), st.integers(1, 40))
def test_cards_are_separate_and_inside_the_margins(layout, count):
    for page in impose([chairs(count).deck(1)], layout):
        slack = max(map(abs, layout.offset_mm)) if page.number % 2 == 0 else 0
        boxes = sorted((placed.box for placed in page.cards), key=lambda box: (box.y, box.x))
        for box in boxes:
            assert box.x >= layout.margin_mm - slack - 1e-3
            assert box.y >= layout.margin_mm - slack - 1e-3
            assert box.x + box.width <= page.width_mm - layout.margin_mm + slack + 1e-3
            assert box.y + box.height <= page.height_mm - layout.margin_mm + slack + 1e-3
        for one, box in enumerate(boxes):
            for other in boxes[one + 1 :]:
                beside = abs(box.x - other.x) >= box.width + layout.gutter_mm - 1e-3
                below = abs(box.y - other.y) >= box.height + layout.gutter_mm - 1e-3
                assert beside or below


@given(layouts(), st.integers(1, 40))
def test_every_card_has_one_code_and_one_sketch(layout, count):
    pages = impose([chairs(count).deck(1)], layout)
    rows = manifest_rows(pages)
    assert [row.card for row in rows] == list(range(1, count + 1))
    assert len({row.code for row in rows}) == count
    sketches = [p.card for page in pages for p in page.cards if p.face.picture]
    assert len(sketches) == len(set(sketches)) == count
    assert [page.number for page in pages] == list(range(1, len(pages) + 1))


def physical(box, page, flip):
    """Position of a back as seen from the front through the sheet."""
    high = page.height_mm >= page.width_mm
    if (flip == "long") == high:
        return page.width_mm - box.x - box.width, box.y
    return box.x, page.height_mm - box.y - box.height


@given(layouts(), st.integers(1, 40))
def test_backs_are_aligned_with_their_fronts(layout, count):
    if layout.card.qr == "front":
        return
    pages = impose([chairs(count).deck(1)], layout)
    right, down = layout.offset_mm
    for front_page, back_page in zip(pages[::2], pages[1::2], strict=True):
        for front, back in zip(front_page.cards, back_page.cards, strict=True):
            assert front.card == back.card
            unmoved = type(back.box)(
                back.box.x - right, back.box.y - down, back.box.width, back.box.height
            )
            x, y = physical(unmoved, back_page, layout.flip)
            assert (x, y) == pytest.approx((front.box.x, front.box.y), abs=1e-3)


@given(layouts())
def test_backs_leave_3_mm_for_misalignment(layout):
    if layout.card.qr == "front":
        return
    (placed,) = impose([chairs(1).deck(1)], layout)[1].cards
    symbol = placed.face.symbol
    assert not placed.face.lines and placed.face.picture is None
    assert min(symbol.x, symbol.y) >= 3
    assert symbol.x + symbol.width <= layout.card.width_mm - 3
    assert max(words.y for words in placed.face.words) + 0.6 <= layout.card.height_mm - 3


def test_decks_and_header_cards_start_on_new_sheets():
    pages = impose([chairs(19).deck(1), chairs(19).deck(2), header_cards(3)], SheetLayout())
    rows = manifest_rows(pages)
    assert [len(page.cards) for page in pages] == [18, 1, 18, 1, 3]
    assert {(row.deck, row.page) for row in rows} == {
        ("A", 1), ("A", 2), ("B", 3), ("B", 4), ("", 5),
    }  # fmt: skip
    assert [header_group(decode(row.code)) for row in rows[-3:]] == [1, 2, 3]


def test_reprinted_cards_have_the_same_codes():
    whole = {row.code for row in manifest_rows(impose([chairs(30).deck(2)], SheetLayout()))}
    again = manifest_rows(impose([chairs(30).deck(2, only=[29, 7])], SheetLayout()))
    assert [row.card for row in again] == [7, 29]
    assert {row.code for row in again} < whole


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: chairs(3).deck(1, only=[4]), "no card 4"),
        (lambda: chairs(0).deck(1), "no sketches"),
        (lambda: SetOfCards(1, "twice", ((1, "a", DOT), (1, "b", DOT))).deck(1), "two sketches"),
        (lambda: impose([], SheetLayout()), "no card to print"),
        (lambda: SheetLayout(CardLayout(250, 250)), "does not fit on paper of 210 x 297"),
        (lambda: SheetLayout(gutter_mm=-1), "gutter"),
        (lambda: SheetLayout(margin_mm=float("nan")), "margin"),
        (lambda: SheetLayout(flip="diagonal"), "long or its short edge"),
        (lambda: SheetLayout(offset_mm=(9.0, 0.0)), "within 5 mm"),
        (lambda: SheetLayout(paper_mm=(1e6, 297.0)), "paper may be at most"),
    ],
)
def test_refusals_say_what_to_change(make, message):
    with pytest.raises(PaperError, match=message):
        make()


@pytest.mark.parametrize("qr", ["front", "back"])
def test_calibration_rulers_have_their_length(qr):
    layout = SheetLayout(CardLayout(qr=qr), offset_mm=(1.0, 2.0))
    sheets = impose([], layout, calibration=True)
    ruler = max(sheets[0].marks, key=lambda line: line.x2 - line.x1)
    assert ruler.x2 - ruler.x1 == pytest.approx(150)
    assert any("150 mm" in words.text for words in sheets[0].words)
    assert len(sheets) == (2 if qr == "back" else 1)
    assert manifest_rows(sheets) == []
    if qr == "back":
        across = max(sheets[1].marks, key=lambda line: line.x2 - line.x1)
        assert (across.x1 + across.x2) / 2 == pytest.approx(105 + 1)


@given(layouts(), st.integers(1, 20), st.booleans())
def test_cards_marks_and_texts_never_overlap(layout, count, marks):
    for page in impose([chairs(count).deck(1), header_cards(2)], layout, marks=marks):
        parts = page_parts(page)
        assert not [pair for pair in combinations(parts, 2) if overlap(*pair)]
        for placed in page.cards:
            pairs = combinations(card_parts(placed), 2)
            assert not [pair for pair in pairs if overlap(*pair)]


@given(layouts(), st.integers(1, 20))
def test_symbols_are_5_5_mm_inside_the_cut_lines(layout, count):
    cards = [placed for page in impose([chairs(count).deck(1)], layout) for placed in page.cards]
    for placed in cards:
        box, symbol = placed.box, placed.face.symbol
        if symbol:
            assert inside(box_room(symbol, box.x, box.y), box_room(box), least=5.5)
        for part in card_parts(placed):
            assert inside(part, box_room(box))


@given(st.integers(1, 700), st.integers(1, 700), st.sampled_from(["front", "back"]))
def test_cards_without_room_for_5_5_mm_are_refused_with_the_least_size(width, height, qr):
    try:
        SheetLayout(CardLayout(width / 10, height / 10, qr))
    except PaperError as refused:
        least = re.fullmatch(
            r"a card of .* mm is too small for its code on the \w+; "
            r"make it at least (\d+) x (\d+) mm",
            str(refused),
        )
        narrowest, lowest = map(int, least.groups())
        assert width / 10 < narrowest or height / 10 < lowest
        SheetLayout(CardLayout(narrowest, lowest, qr))


@given(layouts(), st.text(max_size=80), st.integers(1, 99999), st.integers(1, 99))
@example(SheetLayout(CardLayout(46, 47)), "chairs", 10_000, 27)
def test_text_stays_inside_the_caption_area(layout, name, card, deck):
    cards = SetOfCards(9999, name, ((card, "x", DOT),), edition=9).deck(deck)
    pages = impose([cards], layout)
    (placed,) = pages[-1].cards
    box = layout.card.caption
    for words in placed.face.words:
        width = typeface(words.bold).width_mm(words.text, words.size_pt)
        left = words.x - width / 2 if words.centred else words.x
        assert left >= box.x - 1e-6
        assert left + width <= box.x + box.width + 1e-6
        assert words.size_pt >= 4.5
