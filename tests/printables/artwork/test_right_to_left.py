"""Arabic and Hebrew lines: visual order and letter forms by hand, and no letter is lost."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageFont, features

from printables.artwork.fonts import typeface
from printables.artwork.right_to_left import base_letters, is_right_to_left, visual_order

# Latin, digits, brackets and separators, Hebrew, Arabic with a mark.
CHARACTERS = st.text("ab 12,.·()אבגسلامبُ", max_size=20)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("chairs 12", "chairs 12"),
        ("כיסאות 12", "12 תואסיכ"),
        ("כיסאות 1,200", "1,200 תואסיכ"),
        ("א (ב)", "(ב) א"),
        # In a Latin line only the Hebrew name is reversed.
        ("Set כיסא A", "Set אסיכ A"),
        ("כרטיס 12 · חפיסה A", "A הסיפח · 12 סיטרכ"),
    ],
)
def test_visual_order_by_hand(text, printed):
    assert visual_order(text) == printed


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("سلام", ["LETTER MEEM ISOLATED", "LIGATURE LAM WITH ALEF FINAL", "LETTER SEEN INITIAL"]),
        ("ببب", ["LETTER BEH FINAL", "LETTER BEH MEDIAL", "LETTER BEH INITIAL"]),
        # Dal does not join the letter after it.
        ("دب", ["LETTER BEH ISOLATED", "LETTER DAL ISOLATED"]),
    ],
)
def test_letters_are_joined(text, forms):
    names = [unicodedata.name(character) for character in visual_order(text)]
    assert names == [f"ARABIC {form} FORM" for form in forms]


@given(CHARACTERS)
def test_no_letter_is_lost(text):
    mirrored = str.maketrans(")", "(")
    printed = "".join(map(base_letters, visual_order(text)))
    assert sorted(printed.translate(mirrored)) == sorted(text.translate(mirrored))
    assert is_right_to_left(text) or printed == text


@pytest.mark.skipif(not features.check("raqm"), reason="Pillow without Raqm")
@pytest.mark.parametrize("text", ["بطاقة 12 · رزمة A", "المجموعة 1", "بطاقة عنوان", "كراسي"])
def test_widths_agree_with_harfbuzz(text):
    shaped = ImageFont.truetype(typeface().path, 2048, layout_engine=ImageFont.Layout.RAQM)
    ems = shaped.getlength(text, features=["-kern"]) / 2048
    printed = sum(map(typeface().advance, typeface().visible_text(text))) / typeface().units
    assert printed == pytest.approx(ems, rel=1e-3)
