"""The typeface on paper, DejaVu Sans: text widths and subsets of its glyphs.

It comes with matplotlib and has some 5,900 characters: Latin, Greek, Cyrillic, Armenian, Georgian
and more. Characters that it lacks, such as Chinese, Japanese and Korean, are shown as empty
squares. So are right-to-left scripts: lines are set from left to right, and Hebrew or Arabic would
be printed backwards. The number on a card and its code never depend on the name.
"""

import io
import unicodedata
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

from printables.errors import PaperError

MM_PER_POINT = 25.4 / 72
MISSING = "□"
ELLIPSIS = "…"
_FILES = {False: "DejaVuSans.ttf", True: "DejaVuSans-Bold.ttf"}
_FROM_RIGHT = {"R", "AL", "AN"}
_LAYOUT_TABLES = {"FFTM", "GDEF", "GPOS", "GSUB", "MATH", "kern"}


class Typeface:
    """One weight of DejaVu Sans.

    Parameters
    ----------
    bold : bool
    """

    def __init__(self, bold: bool) -> None:
        self.path = _fonts_folder() / _FILES[bold]
        self.name = self.path.stem
        with TTFont(self.path, lazy=True) as font:
            head, line = font["head"], font["hhea"]
            self.units = int(head.unitsPerEm)
            self.ascent, self.descent = int(line.ascent), int(line.descent)
            self.box = [int(side) for side in (head.xMin, head.yMin, head.xMax, head.yMax)]
            metrics, signs = font["hmtx"].metrics, font.getBestCmap()
            self._glyphs = {
                sign: font.getGlyphID(name)
                for sign, name in signs.items()
                if unicodedata.bidirectional(chr(sign)) not in _FROM_RIGHT
            }
            self._advances = {font.getGlyphID(name): metrics[name][0] for name in signs.values()}

    def signs(self, text: str) -> str:
        """A line as it can be shown, with squares for characters that the typeface lacks."""
        return "".join(s if ord(s) in self._glyphs else MISSING for s in plain_line(text))

    def can_show(self, text: str) -> bool:
        """Whether a line can be shown without squares."""
        return all(ord(sign) in self._glyphs for sign in plain_line(text))

    def glyphs(self, text: str) -> list[int]:
        """Glyph numbers of a line, one for each of its `signs`."""
        return [self._glyphs[ord(sign)] for sign in self.signs(text)]

    def advance(self, glyph: int) -> int:
        """A glyph's width in units of the font (`units` to the em)."""
        return self._advances[glyph]

    def width_mm(self, text: str, size_pt: float) -> float:
        """The width of a line in mm."""
        ems = sum(map(self.advance, self.glyphs(text))) / self.units
        return ems * size_pt * MM_PER_POINT

    def shorten(self, text: str, size_pt: float, width_mm: float) -> str:
        """The line if it fits, else its beginning with an ellipsis; empty if not even that fits."""
        line = plain_line(text)
        if self.width_mm(line, size_pt) <= width_mm:
            return line
        for end in range(len(line) - 1, 0, -1):
            shorter = line[:end].rstrip() + ELLIPSIS
            if self.width_mm(shorter, size_pt) <= width_mm:
                return shorter
        return ""

    def cut_down(self, glyphs: set[int]) -> bytes:
        """The font file with the outlines of these glyphs only; glyphs keep their numbers."""
        options = subset.Options(retain_gids=True, hinting=False, notdef_outline=True)
        options.drop_tables += ["OS/2", "name", "post"]
        written = io.BytesIO()
        with TTFont(self.path, recalcTimestamp=False) as font:
            # The subsetter would read these before it drops them, which takes most of its time.
            for table in _LAYOUT_TABLES & set(font.keys()):
                del font[table]
            subsetter = subset.Subsetter(options)
            subsetter.populate(gids=sorted(glyphs))
            subsetter.subset(font)
            font.save(written)
        return written.getvalue()


@cache
def typeface(bold: bool = False) -> Typeface:
    """The regular or the bold weight, loaded once."""
    return Typeface(bold)


def plain_line(text: str) -> str:
    """One line without control characters or repeated spaces, in composed Unicode (NFC)."""
    visible = "".join(" " if unicodedata.category(sign)[0] in "CZ" else sign for sign in text)
    return unicodedata.normalize("NFC", " ".join(visible.split()))


def _fonts_folder() -> Path:
    found = find_spec("matplotlib")
    if found is None or not found.submodule_search_locations:
        raise PaperError("the typeface is missing: install matplotlib, which brings DejaVu Sans")
    return Path(found.submodule_search_locations[0]) / "mpl-data" / "fonts" / "ttf"
