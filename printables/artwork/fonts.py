"""The typeface on paper, DejaVu Sans: text widths and subsets of its glyphs.

It comes with matplotlib and has some 5,900 characters: Latin, Greek, Cyrillic, Arabic, Hebrew,
Armenian, Georgian and more. Other characters, such as Chinese, Japanese and Korean, come from a
system font; those that no font has are shown as empty squares. The number on a card and its code
do not depend on the name of the set.
"""

import io
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from basics.wordings import Wording
from printables.artwork.right_to_left import visual_order
from printables.artwork.system_fonts import SystemFont, find_font
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
        # Loading fontTools takes a tenth of the web application's start, so it waits for a text.
        from fontTools.ttLib import TTFont

        self.path = _fonts_folder() / _FILES[bold]
        self.name = self.path.stem
        with TTFont(self.path, lazy=True) as font:
            head, line = font["head"], font["hhea"]
            self.units = int(head.unitsPerEm)
            self.ascent, self.descent = int(line.ascent), int(line.descent)
            self.box = [int(side) for side in (head.xMin, head.yMin, head.xMax, head.yMax)]
            metrics = font["hmtx"].metrics
            names = {chr(character): name for character, name in font.getBestCmap().items()}
            self._glyphs = {character: font.getGlyphID(name) for character, name in names.items()}
            self._advances = {character: metrics[name][0] for character, name in names.items()}
            # Glyphs of other fonts are added after its own.
            self.count = len(font.getGlyphOrder())

    def visible_text(self, text: str) -> str:
        """The characters of a line as shown, from left to right; squares replace those that no
        font has."""
        shown = visual_order(plain_line(text))
        return "".join(character if self._has(character) else MISSING for character in shown)

    def can_show(self, text: str) -> bool:
        """Whether fonts have all characters of a line."""
        return all(map(self._has, visual_order(plain_line(text))))

    def own_glyph(self, character: str) -> int | None:
        """The glyph number of a character; None if it comes from another font."""
        return self._glyphs.get(character)

    def advance(self, character: str) -> float:
        """The advance width of a character, in units of this font (`units` per em)."""
        if character in self._advances:
            return float(self._advances[character])
        font = _other(character)
        return font.advance(character) * self.units / font.units

    def _has(self, character: str) -> bool:
        return character in self._glyphs or find_font(character) is not None

    def width_mm(self, text: str, size_pt: float) -> float:
        """The width of a line, in millimetres."""
        ems = sum(map(self.advance, self.visible_text(text))) / self.units
        return ems * size_pt * MM_PER_POINT

    def shorten(self, text: str, size_pt: float, width_mm: float) -> str:
        """Shorten a line to fit a width.

        Parameters
        ----------
        text : str
        size_pt : float
            Font size, points.
        width_mm : float

        Returns
        -------
        str
            The line if it fits, otherwise its beginning with an ellipsis; empty if even one
            character with an ellipsis does not fit.
        """
        line = plain_line(text)
        if self.width_mm(line, size_pt) <= width_mm:
            return line
        for end in range(len(line) - 1, 0, -1):
            shorter = line[:end].rstrip() + ELLIPSIS
            if self.width_mm(shorter, size_pt) <= width_mm:
                return shorter
        return ""

    def subset(self, glyphs: Mapping[str, int]) -> bytes:
        """Make a font file with the outlines of these characters only.

        Parameters
        ----------
        glyphs : mapping of str to int
            Glyph number of each character.

        Returns
        -------
        bytes
            A TrueType file.

        Raises
        ------
        PaperError
            If no font has one of the characters.
        """
        from fontTools import subset
        from fontTools.ttLib import TTFont

        options = subset.Options(retain_gids=True, hinting=False, notdef_outline=True)
        options.drop_tables += ["OS/2", "name", "post"]
        written = io.BytesIO()
        with TTFont(self.path, recalcTimestamp=False) as font:
            # The subsetter would parse these tables before dropping them, which takes most of its
            # time.
            for table in _LAYOUT_TABLES & set(font.keys()):
                del font[table]
            subsetter = subset.Subsetter(options)
            subsetter.populate(gids=sorted(self._glyphs[s] for s in glyphs if s in self._glyphs))
            subsetter.subset(font)
            self._add(
                font,
                {character: n for character, n in glyphs.items() if character not in self._glyphs},
            )
            font.save(written)
        return written.getvalue()

    def _add(self, font: Any, glyphs: Mapping[str, int]) -> None:
        """Add the outlines of characters from other fonts."""
        from fontTools.ttLib.tables._g_l_y_f import Glyph

        if not glyphs:
            return
        order, drawn = list(font.getGlyphOrder()), {n: character for character, n in glyphs.items()}
        for number in range(len(order), max(drawn) + 1):
            name, character = f"added{number}", drawn.get(number)
            order.append(name)
            font["glyf"].glyphs[name] = (
                _other(character).outline(character, self.units) if character else Glyph()
            )
            font["hmtx"].metrics[name] = (round(self.advance(character)) if character else 0, 0)
        font.setGlyphOrder(order)
        font["glyf"].setGlyphOrder(order)


def _other(character: str) -> SystemFont:
    """The system font that has a character."""
    found = find_font(character)
    if found is None:
        raise PaperError(Wording("no font of this computer has %(sign)s", sign=repr(character)))
    return found


@cache
def typeface(bold: bool = False) -> Typeface:
    """The regular or the bold weight, loaded once."""
    return Typeface(bold)


def plain_line(text: str) -> str:
    """Normalise a line: no control characters or repeated spaces, composed Unicode (NFC)."""
    visible = "".join(
        " " if unicodedata.category(character)[0] in "CZ" else character for character in text
    )
    return unicodedata.normalize("NFC", " ".join(visible.split()))


def _fonts_folder() -> Path:
    found = find_spec("matplotlib")
    if found is None or not found.submodule_search_locations:
        raise PaperError("the typeface is missing: install matplotlib, which brings DejaVu Sans")
    return Path(found.submodule_search_locations[0]) / "mpl-data" / "fonts" / "ttf"
