"""System fonts for characters that DejaVu Sans lacks: Chinese, Japanese and Korean.

Only fonts of operating systems or under a free licence are used, and only those that allow
embedding. Outlines of any kind are converted to TrueType.
"""

import io
from functools import cache
from pathlib import Path
from typing import Any

# Beginnings of file names, in order of preference: Noto, Source Han, Windows, macOS, older free
# fonts.
PREFERRED = (
    *("NotoSansCJK-Regular", "NotoSansSC-Regular", "NotoSansJP-Regular", "NotoSansKR-Regular"),
    *("SourceHanSans", "msyh.", "YuGothR", "meiryo.", "malgun."),
    *("PingFang", "Hiragino Sans GB", "AppleSDGothicNeo", "Arial Unicode"),
    *("DroidSansFallbackFull", "wqy-microhei", "wqy-zenhei"),
)
# Bit of fsType in the table OS/2 of fonts that must not be embedded (OpenType 1.9.1, OS/2).
RESTRICTED = 2


class SystemFont:
    """A font installed on this computer.

    Parameters
    ----------
    path : pathlib.Path
        A TrueType or OpenType font, or a collection, of which the first font is used.
    """

    def __init__(self, path: Path) -> None:
        from fontTools.ttLib import TTFont

        self._font = TTFont(io.BytesIO(path.read_bytes()), fontNumber=0, lazy=True)
        self.units = int(self._font["head"].unitsPerEm)
        self.may_embed = not self._font["OS/2"].fsType & RESTRICTED
        self._names: dict[int, str] = self._font.getBestCmap()

    def has(self, character: str) -> bool:
        """Whether the font has a character."""
        return ord(character) in self._names

    def advance(self, character: str) -> int:
        """The advance width of a character, in units of this font."""
        return int(self._font["hmtx"][self._names[ord(character)]][0])

    def outline(self, character: str, units: int) -> Any:
        """Convert a character to a TrueType glyph, for a font with `units` per em."""
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
    """The first preferred font that has a character; None if there is none."""
    return next((font for font in _fonts() if font.has(character)), None)


@cache
def _fonts() -> tuple[SystemFont, ...]:
    found = map(SystemFont, paths())
    return tuple(font for font in found if font.may_embed)


def paths() -> list[Path]:
    """Files of installed fonts, in order of preference."""
    # The search takes a second, so it waits for a character that DejaVu Sans lacks.
    from matplotlib.font_manager import findSystemFonts

    every = sorted(map(Path, findSystemFonts()))
    return [path for name in PREFERRED for path in every if path.name.startswith(name)]
