"""Fonts of this computer that have what DejaVu Sans lacks: Chinese, Japanese and Korean.

Only fonts that come with an operating system or under a free licence are taken, and only those that
allow embedding. Any kind of outlines is read and drawn as TrueType.
"""

import io
from functools import cache
from pathlib import Path
from typing import Any

# Beginnings of file names, the best first: Noto, Source Han, Windows, macOS, older free fonts.
PREFERRED = (
    *("NotoSansCJK-Regular", "NotoSansSC-Regular", "NotoSansJP-Regular", "NotoSansKR-Regular"),
    *("SourceHanSans", "msyh.", "YuGothR", "meiryo.", "malgun."),
    *("PingFang", "Hiragino Sans GB", "AppleSDGothicNeo", "Arial Unicode"),
    *("DroidSansFallbackFull", "wqy-microhei", "wqy-zenhei"),
)
# In the table OS/2: this font must not be embedded.
RESTRICTED = 2


class SystemFont:
    """A font of this computer.

    Parameters
    ----------
    path : pathlib.Path
        A TrueType or OpenType font, or a collection, whose first font is taken.
    """

    def __init__(self, path: Path) -> None:
        from fontTools.ttLib import TTFont

        self._font = TTFont(io.BytesIO(path.read_bytes()), fontNumber=0, lazy=True)
        self.units = int(self._font["head"].unitsPerEm)
        self.may_embed = not self._font["OS/2"].fsType & RESTRICTED
        self._names: dict[int, str] = self._font.getBestCmap()

    def has(self, character: str) -> bool:
        """Whether it can draw a character."""
        return ord(character) in self._names

    def advance(self, character: str) -> int:
        """A character's width in units of this font."""
        return int(self._font["hmtx"][self._names[ord(character)]][0])

    def outline(self, character: str, units: int) -> Any:
        """A character as a TrueType glyph, in a font of `units` to the em."""
        from fontTools.pens.cu2quPen import Cu2QuPen
        from fontTools.pens.recordingPen import DecomposingRecordingPen
        from fontTools.pens.transformPen import TransformPen
        from fontTools.pens.ttGlyphPen import TTGlyphPen

        glyphs = self._font.getGlyphSet()
        drawn, glyph = DecomposingRecordingPen(glyphs), TTGlyphPen(None)
        glyphs[self._names[ord(character)]].draw(drawn)
        scale = units / self.units
        drawn.replay(TransformPen(Cu2QuPen(glyph, 1.0), (scale, 0, 0, scale, 0, 0)))
        return glyph.glyph()


@cache
def find_font(character: str) -> SystemFont | None:
    """The first of the wanted fonts that has a character, or None."""
    return next((font for font in _fonts() if font.has(character)), None)


@cache
def _fonts() -> tuple[SystemFont, ...]:
    found = map(SystemFont, paths())
    return tuple(font for font in found if font.may_embed)


def paths() -> list[Path]:
    """Files of wanted fonts, the best first."""
    # A second of work, for which only a character that DejaVu Sans lacks is a reason.
    from matplotlib.font_manager import findSystemFonts

    every = sorted(map(Path, findSystemFonts()))
    return [path for name in PREFERRED for path in every if path.name.startswith(name)]
