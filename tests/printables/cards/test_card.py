"""The card's geometry: places worked by hand, and properties for every size and side."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from printables.cards.card import (
    LARGEST_SYMBOL_MM,
    MARGIN_MM,
    SMALLEST_SYMBOL_MM,
    CardLayout,
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


def meet(a, b):
    """Whether two boxes overlap by more than rounding."""
    across = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
    down = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    return across > 1e-3 and down > 1e-3


def test_default_card_by_hand():
    # Side 0.4 x 46 = 18.4; quiet zone 18.4 x 4/21 = 3.505; x = 66 - 3.505 - 18.4.
    assert symbol_square(66, 46, "front") == (44.095, 3.505, 18.4)


def test_back_by_hand():
    # 46 - 10.5 - 3 = 32.5 mm for 29 modules: 23.5 mm; the quiet zone of 4.476 mm above it.
    assert symbol_square(66, 46, "back") == (21.25, 4.476, 23.5)


def test_high_card_has_its_symbol_at_the_foot():
    x, y, side = symbol_square(46, 66, "front")
    assert (x, y, side) == (3.505, 44.095, 18.4)


def test_symbol_grows_on_a_large_card_to_24_mm():
    assert symbol_square(105, 74, "front")[2] == LARGEST_SYMBOL_MM
    assert symbol_square(105, 74, "back")[2] == LARGEST_SYMBOL_MM


@given(millimetres, millimetres, sides)
def test_symbol_with_its_quiet_zone_lies_on_the_card(width, height, qr):
    if not (layout := layout_or_none(width, height, qr)):
        return
    symbol, quiet = layout.symbol, quiet_zone(layout.symbol.width)
    assert SMALLEST_SYMBOL_MM <= symbol.width <= LARGEST_SYMBOL_MM
    assert symbol.x >= quiet - 1e-3 and symbol.y >= quiet - 1e-3
    assert symbol.x + symbol.width <= width - quiet + 1e-3
    assert symbol.y + symbol.height <= height - quiet + 1e-3


@given(millimetres, millimetres, sides)
def test_nothing_reaches_the_quiet_zone(width, height, qr):
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
def test_every_box_lies_within_the_card(width, height, qr):
    if not (layout := layout_or_none(width, height, qr)):
        return
    for box in (layout.picture, layout.caption):
        assert box.x >= 2 and box.y >= MARGIN_MM and box.width > 10 and box.height > 10
        assert box.x + box.width <= width - 2 + 1e-3
        assert box.y + box.height <= height - MARGIN_MM + 0.5


@given(millimetres, millimetres, sides)
def test_a_card_is_refused_exactly_below_its_smallest_size(width, height, qr):
    least_width, least_height = smallest_card(width, height, qr)
    fits = width >= least_width and height >= least_height
    assert bool(layout_or_none(width, height, qr)) == fits


def test_the_refusal_says_what_would_fit():
    with pytest.raises(PaperError, match=r"30 x 20 mm is too small.*at least 43 x 38 mm"):
        CardLayout(30, 20)


def test_no_such_side():
    with pytest.raises(PaperError, match="front or the back"):
        CardLayout(qr="inside")
