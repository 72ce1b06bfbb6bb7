"""The card's layout: positions by hand, and properties for every size and side."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from printables.cards.card import (
    LARGEST_SYMBOL_MM,
    MARGIN_MM,
    SMALLEST_SYMBOL_MM,
    CardLayout,
    check_printable,
    quiet_zone,
    smallest_card,
    symbol_square,
)
from printables.errors import PaperError

millimetres = st.floats(20, 300).map(lambda mm: round(mm, 1))
sides = st.sampled_from(["front", "back"])


def layout_or_none(width, height, qr):
    try:
        return CardLayout(width, height, qr)
    except PaperError:
        return None


def printed_or_none(layout):
    try:
        check_printable(layout)
        return layout
    except PaperError:
        return None


def meet(a, b):
    """Whether two boxes overlap by more than rounding."""
    across = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
    down = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    return across > 1e-3 and down > 1e-3


def test_default_card_by_hand():
    # Side 0.4 x 46 = 18.4, 5.5 mm inside the cut lines: x = 66 - 5.5 - 18.4.
    assert symbol_square(66, 46, "front") == (42.1, 5.5, 18.4)


def test_back_by_hand():
    # 46 - 10.5 - 3 - 5.5 = 27 mm for 25 modules: side 22.6 mm, 5.5 mm below the upper cut line.
    assert symbol_square(66, 46, "back") == (21.7, 5.5, 22.6)


def test_a_portrait_card_has_its_symbol_at_the_bottom():
    x, y, side = symbol_square(46, 66, "front")
    assert (x, y, side) == (5.5, 42.1, 18.4)


def test_the_symbol_of_a_large_card_is_24_mm_wide():
    assert symbol_square(105, 74, "front")[2] == LARGEST_SYMBOL_MM
    assert symbol_square(105, 74, "back")[2] == LARGEST_SYMBOL_MM


@given(millimetres, millimetres, sides)
def test_symbol_and_quiet_zone_are_on_the_card(width, height, qr):
    if not (layout := layout_or_none(width, height, qr)):
        return
    symbol, quiet = layout.symbol, quiet_zone(layout.symbol.width)
    assert SMALLEST_SYMBOL_MM <= symbol.width <= LARGEST_SYMBOL_MM
    assert symbol.x >= quiet - 1e-3 and symbol.y >= quiet - 1e-3
    assert symbol.x + symbol.width <= width - quiet + 1e-3
    assert symbol.y + symbol.height <= height - quiet + 1e-3


@given(millimetres, millimetres, sides)
def test_the_symbol_is_far_enough_from_the_cut_lines(width, height, qr):
    if not (layout := layout_or_none(width, height, qr)):
        return
    if not printed_or_none(layout):
        return
    symbol = layout.symbol
    ends = (symbol.x, symbol.y, width - symbol.x - symbol.width, height - symbol.y - symbol.height)
    assert min(ends) >= 5.5 - 1e-3


@given(millimetres, millimetres, sides)
def test_caption_and_sketch_are_outside_the_quiet_zone(width, height, qr):
    if not (layout := layout_or_none(width, height, qr)):
        return
    symbol, quiet = layout.symbol, quiet_zone(layout.symbol.width)
    zone = type(symbol)(
        symbol.x - quiet, symbol.y - quiet, symbol.width + 2 * quiet, symbol.height + 2 * quiet
    )
    assert not meet(zone, layout.caption)
    if qr == "front":
        assert not meet(zone, layout.picture)
        assert not meet(layout.caption, layout.picture)


@given(millimetres, millimetres, sides)
def test_caption_and_sketch_are_inside_the_card(width, height, qr):
    if not (layout := layout_or_none(width, height, qr)):
        return
    for box in (layout.picture, layout.caption):
        assert box.x >= 2 and box.y >= MARGIN_MM and box.width > 10 and box.height > 10
        assert box.x + box.width <= width - 2 + 1e-3
        assert box.y + box.height <= height - MARGIN_MM + 0.5


@given(millimetres, millimetres, sides)
def test_a_card_can_be_printed_if_it_has_the_least_size(width, height, qr):
    least_width, least_height = smallest_card(width, height, qr)
    fits = width >= least_width and height >= least_height
    layout = layout_or_none(width, height, qr)
    assert bool(layout and printed_or_none(layout)) == fits


def test_a_small_card_of_an_earlier_deck_can_be_read_but_not_printed():
    assert symbol_square(43, 39, "front") == (21.571, 3.429, 18.0)
    with pytest.raises(PaperError, match="at least 45 x 41 mm"):
        check_printable(CardLayout(43, 39))


def test_the_message_gives_the_least_size():
    with pytest.raises(PaperError, match=r"30 x 20 mm is too small.*at least 45 x 41 mm"):
        CardLayout(30, 20)


@pytest.mark.parametrize("qr", ["front", "back"])
@pytest.mark.parametrize(("width", "height"), [(50, 40), (40, 60)])
def test_a_card_of_the_size_that_the_message_gives_can_be_printed(width, height, qr):
    with pytest.raises(PaperError) as refused:
        check_printable(CardLayout(min(width, 44), min(height, 40), qr))
    least = re.search(r"at least (\d+) x (\d+) mm", str(refused.value))
    assert least is not None
    check_printable(CardLayout(int(least[1]), int(least[2]), qr))


def test_an_unknown_side_is_refused():
    with pytest.raises(PaperError, match="front or the back"):
        CardLayout(qr="inside")
