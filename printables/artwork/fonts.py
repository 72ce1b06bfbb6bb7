"""The typeface on paper, DejaVu Sans: text widths and subsets of its glyphs.

It comes with matplotlib and has some 5,900 characters: Latin, Greek, Cyrillic, Arabic, Hebrew,
Armenian, Georgian and more. Those that it lacks, such as Chinese, Japanese and Korean, come from a
font of this computer; characters that none has are shown as empty squares. The number on a card and
its code never depend on the name.
"""

import io
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from basics.wordings import Wording
from printables.artwork.right_to_left import as_printed
from printables.artwork.system_fonts import SystemFont, font_with
from printables.errors import PaperError

MM_PER_POINT = 25.4 / 72
MISSING = "□"
ELLIPSIS = "…"
_FILES = {False: "DejaVuSans.ttf", True: "DejaVuSans-Bold.ttf"}
_LAYOUT_TABLES = {"FFTM", "GDEF", "GPOS", "GSUB", "MATH", "kern"}


class Typeface:
    """One weight of DejaVu Sans.

    Parameters
    ----------
    bold : bool
    """

    def __init__(self, bold: bool) -> None:
        # A tenth of the time in which the web application starts: loaded with the first text.
        from fontTools.ttLib import TTFont

        self.path = _fonts_folder() / _FILES[bold]
        self.name = self.path.stem
        with TTFont(self.path, lazy=True) as font:
            head, line = font["head"], font["hhea"]
            self.units = int(head.unitsPerEm)
            self.ascent, self.descent = int(line.ascent), int(line.descent)
            self.box = [int(side) for side in (head.xMin, head.yMin, head.xMax, head.yMax)]
            metrics = font["hmtx"].metrics
            names = {chr(sign): name for sign, name in font.getBestCmap().items()}
            self._glyphs = {sign: font.getGlyphID(name) for sign, name in names.items()}
            self._advances = {sign: metrics[name][0] for sign, name in names.items()}
            # Glyphs of other fonts are added after its own.
            self.count = len(font.getGlyphOrder())

    def signs(self, text: str) -> str:
        """A line as it is shown, from the left: squares stand for characters that no font has."""
        shown = as_printed(plain_line(text))
        return "".join(sign if self._has(sign) else MISSING for sign in shown)

    def can_show(self, text: str) -> bool:
        """Whether a line can be shown without squares."""
        return all(map(self._has, as_printed(plain_line(text))))

    def own_glyph(self, sign: str) -> int | None:
        """The number of a character's glyph; None if it comes from another font."""
        return self._glyphs.get(sign)

    def advance(self, sign: str) -> float:
        """A character's width in units of the font (`units` to the em)."""
        if sign in self._advances:
            return float(self._advances[sign])
        font = _other(sign)
        return font.advance(sign) * self.units / font.units

    def _has(self, sign: str) -> bool:
        return sign in self._glyphs or font_with(sign) is not None

    def width_mm(self, text: str, size_pt: float) -> float:
        """The width of a line in mm."""
        ems = sum(map(self.advance, self.signs(text))) / self.units
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

    def cut_down(self, glyphs: Mapping[str, int]) -> bytes:
        """The font file with the outlines of these characters only, under these glyph numbers."""
        from fontTools import subset
        from fontTools.ttLib import TTFont

        options = subset.Options(retain_gids=True, hinting=False, notdef_outline=True)
        options.drop_tables += ["OS/2", "name", "post"]
        written = io.BytesIO()
        with TTFont(self.path, recalcTimestamp=False) as font:
            # The subsetter would read these before it drops them, which takes most of its time.
            for table in _LAYOUT_TABLES & set(font.keys()):
                del font[table]
            subsetter = subset.Subsetter(options)
            subsetter.populate(gids=sorted(self._glyphs[s] for s in glyphs if s in self._glyphs))
            subsetter.subset(font)
            self._add(font, {sign: n for sign, n in glyphs.items() if sign not in self._glyphs})
            font.save(written)
        return written.getvalue()

    def _add(self, font: Any, glyphs: Mapping[str, int]) -> None:
        """Add characters of other fonts."""
        from fontTools.ttLib.tables._g_l_y_f import Glyph

        if not glyphs:
            return
        order, drawn = list(font.getGlyphOrder()), {n: sign for sign, n in glyphs.items()}
        for number in range(len(order), max(drawn) + 1):
            name, sign = f"added{number}", drawn.get(number)
            order.append(name)
            font["glyf"].glyphs[name] = _other(sign).outline(sign, self.units) if sign else Glyph()
            font["hmtx"].metrics[name] = (round(self.advance(sign)) if sign else 0, 0)
        font.setGlyphOrder(order)
        font["glyf"].setGlyphOrder(order)


def _other(sign: str) -> SystemFont:
    found = font_with(sign)
    if found is None:
        raise PaperError(Wording("no font of this computer has %(sign)s", sign=repr(sign)))
    return found


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
