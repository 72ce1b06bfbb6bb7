"""Layouts of sheets for property tests."""

from hypothesis import assume
from hypothesis import strategies as st

from printables.cards.card import CardLayout
from printables.errors import PaperError
from printables.sheets.papers import PAPERS
from printables.sheets.sheet import SheetLayout

PAPER_SIZES = [*PAPERS.values(), (200.0, 200.0), (420.0, 297.0)]
_TENTHS_MM = st.integers(290, 1200)


@st.composite
def layouts(draw):
    """Any layout that is not refused."""
    try:
        return SheetLayout(
            CardLayout(
                draw(_TENTHS_MM) / 10,
                draw(_TENTHS_MM) / 10,
                draw(st.sampled_from(["front", "back"])),
            ),
            draw(st.sampled_from(PAPER_SIZES)),
            gutter_mm=draw(st.sampled_from([0.0, 0.5, 2.0, 5.5, 12.0])),
            margin_mm=draw(st.sampled_from([0.0, 5.0, 12.5])),
            flip=draw(st.sampled_from(["long", "short"])),
            offset_mm=draw(st.sampled_from([(0.0, 0.0), (1.5, -0.5)])),
        )
    except PaperError:
        assume(False)
