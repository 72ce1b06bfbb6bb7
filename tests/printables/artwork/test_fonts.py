"""The typeface: widths compared with FreeType's, and shortened lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageFont

from printables.artwork.fonts import MM_PER_POINT, plain_line, typeface


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("text", ["Card 300", "Stühle", "стулья", "0001 00042 01 1 19"])
def test_widths_agree_with_freetype(bold, text):
    # An independent reader of the same font file, at 1 em = 2048 pixels, without kerning.
    font = ImageFont.truetype(typeface(bold).path, 2048, layout_engine=ImageFont.Layout.BASIC)
    ems = sum(font.getlength(character) for character in text) / 2048
    assert typeface(bold).width_mm(text, 10) == pytest.approx(ems * 10 * MM_PER_POINT, rel=1e-3)


@given(st.text(max_size=60), st.floats(1, 60))
def test_a_shortened_line_fits_and_ends_with_an_ellipsis(text, room):
    face = typeface()
    line = face.shorten(text, 7, room)
    assert face.width_mm(line, 7) <= room
    assert line in ("", plain_line(text)) or line.endswith("…")


def test_a_line_that_fits_is_unchanged():
    assert typeface().shorten("chairs", 7, 50) == "chairs"
    assert typeface().shorten("a very long name of a set", 7, 20).startswith("a very")


def test_control_characters_and_repeated_spaces_are_removed():
    assert plain_line(" a\x00\t b\u2028c\u202e ") == "a b c"
    assert plain_line("u\u0308") == "ü"


@given(st.text(max_size=30))
def test_every_visible_text_has_glyphs(text):
    face = typeface()
    assert face.can_show(face.visible_text(text))


@pytest.mark.parametrize(
    ("text", "shown"), [("שלום 7", "7 םולש"), ("𒀀 birds", "□ birds"), ("סלאם", "םאלס")]
)
def test_a_line_is_in_visual_order_with_squares_for_missing_characters(text, shown):
    assert typeface().visible_text(text) == shown
