"""System fonts for characters that DejaVu Sans lacks."""

import pytest
from fontTools.ttLib import TTFont
from PIL import ImageFont

from printables.artwork import system_fonts
from printables.artwork.fonts import MISSING, typeface
from tests.system_fonts import CHAIR, make_font


@pytest.mark.parametrize("cff", [False, True])
def test_a_missing_character_comes_from_a_system_font(installed, tmp_path, cff):
    installed(make_font(tmp_path / "made.ttf", cff=cff))
    face = typeface()
    assert face.can_show(f"{CHAIR} A") and face.own_glyph(CHAIR) is None
    assert face.advance(CHAIR) == face.units
    number = face.count + 1
    cut = tmp_path / "cut.ttf"
    cut.write_bytes(face.subset({"A": face.own_glyph("A"), CHAIR: number}))
    # The glyph with this number is the made font's: a square that fills the em.
    font = ImageFont.truetype(cut, 20, layout_engine=ImageFont.Layout.BASIC)
    with TTFont(cut) as written:
        name = written.getGlyphName(number)
        bounds = written["glyf"][name]
        assert written["hmtx"][name] == (face.units, 0)
        assert (bounds.xMin, bounds.yMin, bounds.xMax, bounds.yMax) == (
            0,
            0,
            face.units,
            face.units,
        )
    assert font.getlength("A") > 0


def test_without_such_a_font_a_square_is_shown(installed):
    installed()
    assert not typeface().can_show(CHAIR)
    assert typeface().visible_text(f"{CHAIR} A") == f"{MISSING} A"


def test_a_font_that_must_not_be_embedded_is_not_used(installed, tmp_path):
    installed(make_font(tmp_path / "made.ttf", fs_type=system_fonts.RESTRICTED))
    assert system_fonts.find_font(CHAIR) is None


def test_only_preferred_fonts_are_used():
    assert all(path.name.startswith(system_fonts.PREFERRED) for path in system_fonts.paths())
