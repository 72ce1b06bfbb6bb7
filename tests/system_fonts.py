"""A font with one character, and a simulated list of installed fonts."""

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen

from printables.artwork import system_fonts

CHAIR = "椅"


def _square(pen, side):
    pen.moveTo((0, 0))
    for corner in ((side, 0), (side, side), (0, side)):
        pen.lineTo(corner)
    pen.closePath()
    return pen


def make_font(path, cff=False, fs_type=0, side=1000):
    """A font whose one character is a square as high and wide as the em."""
    build = FontBuilder(1000, isTTF=not cff)
    build.setupGlyphOrder([".notdef", "chair"])
    build.setupCharacterMap({ord(CHAIR): "chair"})
    if cff:
        glyph = _square(T2CharStringPen(side, None), side).getCharString()
        build.setupCFF("Made", {}, {".notdef": glyph, "chair": glyph}, {})
    else:
        glyph = _square(TTGlyphPen(None), side).glyph()
        build.setupGlyf({".notdef": glyph, "chair": glyph})
    build.setupHorizontalMetrics({".notdef": (side, 0), "chair": (side, 0)})
    build.setupHorizontalHeader()
    build.setupOS2(fsType=fs_type)
    build.setupNameTable({"familyName": "Made", "styleName": "Regular"})
    build.setupPost()
    build.save(path)
    return path


@pytest.fixture
def installed(monkeypatch):
    """Set the list of installed fonts."""

    def install(*paths):
        system_fonts._fonts.cache_clear()
        system_fonts.find_font.cache_clear()
        monkeypatch.setattr(system_fonts, "paths", lambda: list(paths))

    yield install
    system_fonts._fonts.cache_clear()
    system_fonts.find_font.cache_clear()
