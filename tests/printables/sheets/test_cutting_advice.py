"""Instructions for cutting: in words, and on the first page of every layout."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from printables.cards.card import CardLayout
from printables.sheets.papers import PAPERS
from printables.sheets.sheet import SheetLayout, impose, manifest_rows
from tests.printables.drawn_cards import SQUARE, deck_of
from tests.printables.page_parts import inside, text_room
from tests.printables.sheet_layouts import layouts

TWENTY = deck_of([SQUARE] * 20)
KEEP = "Keep the white around each code."


def advice(layout, **options):
    page, *others = impose([TWENTY], layout, **options)
    assert not any(page.words for page in others)
    return " ".join(words.text for words in page.words), len(page.cards)


@pytest.mark.parametrize(
    ("layout", "marks", "text", "cards"),
    [
        (
            SheetLayout(),
            True,
            f"Cut straight from mark to mark. Cut off the margins last. {KEEP}",
            18,
        ),
        (
            SheetLayout(paper_mm=PAPERS["letter"], gutter_mm=4),
            True,
            f"Cut straight from mark to mark. Cut where the short lines end. {KEEP}",
            12,
        ),
        (SheetLayout(CardLayout(66.5, 46)), False, f"Cut the cards to 66.5 × 46 mm. {KEEP}", 18),
        # Margins without room for text: the last card is on the next page.
        (
            SheetLayout(paper_mm=(198, 276), margin_mm=0),
            True,
            f"Cut the cards to 66 × 46 mm. {KEEP}",
            17,
        ),
        (
            SheetLayout(paper_mm=(76, 56)),
            True,
            f"Cut straight from mark to mark. Cut off the margins last. {KEEP}",
            0,
        ),
        # Each card has a whole sheet of its size.
        (SheetLayout(paper_mm=(66, 46), margin_mm=0), True, "", 1),
    ],
)
def test_the_first_page_says_how_to_cut(layout, marks, text, cards):
    assert advice(layout, marks=marks) == (text, cards)


@pytest.mark.parametrize("card", [(46, 66), (60, 41)])
def test_narrow_margins_have_smaller_text_or_narrower_lines(card):
    text, cards = advice(SheetLayout(CardLayout(*card)))
    assert text == f"Cut straight from mark to mark. Cut off the margins last. {KEEP}"
    assert cards == {46: 18, 60: 20}[card[0]]


@given(layouts(), st.integers(1, 20), st.booleans())
def test_every_layout_has_instructions_and_all_cards(layout, count, marks):
    pages = impose([TWENTY[:count]], layout, marks=marks)
    text = " ".join(words.text for words in pages[0].words)
    assert text.endswith(KEEP)
    assert "mark" not in text or any(page.marks for page in pages)
    assert [row.card for row in manifest_rows(pages)] == list(range(1, count + 1))
    paper = (0, 0, pages[0].width_mm, pages[0].height_mm)
    for words in pages[0].words:
        assert words.size_pt >= 4.5
        assert inside(text_room(words), paper, least=3)
