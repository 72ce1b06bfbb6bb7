"""Writing pages as PDF, page by page; the same pages give the same bytes.

Sketches are copied unchanged (PNG pixels, JPEG files) or drawn as vectors; symbols are vectors.
Text uses an embedded subset of DejaVu Sans, with other characters from system fonts, and can be
searched and copied.

References
----------
ISO 32000-1:2008, 7.7 (document structure), 8 (graphics), 9.7 (composite fonts).
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from printables.artwork.fonts import MM_PER_POINT, Typeface, typeface
from printables.artwork.right_to_left import base_letters
from printables.cards.card import Box
from printables.cards.codes import MODULES, encode, symbol
from printables.sheets.face import HAIRLINE, Line, TextLine
from printables.sheets.pdf_file import PdfFile, text_string
from printables.sheets.pdf_pictures import PdfPicture, PdfPictures, numbers
from printables.sheets.sheet import Page, PlacedCard

MARK_GREY, MARK_PT, HAIRLINE_PT = 0.55, 0.25, 0.3
Progress = Callable[[int, int], None]


def draw_pages(
    pages: Sequence[Page], path: str | Path, title: str = "Cards", progress: Progress | None = None
) -> None:
    """Write pages of cards as one PDF.

    Only one page and one picture are in memory at a time; a picture on several cards is stored
    once.

    Parameters
    ----------
    pages : sequence of Page
        From `printables.sheets.sheet.impose`.
    path : path
        The file to write; it is overwritten.
    title : str
        The document's title.
    progress : callable (done, total), optional
        Called with the number of cards drawn after each page.

    Raises
    ------
    PaperError
        If a picture cannot be read; the PDF is then incomplete.
    """
    total, done = sum(len(page.cards) for page in pages), 0
    with Path(path).open("wb") as file:
        draft = _Document(PdfFile(file))
        for page in pages:
            draft.draw(page)
            done += len(page.cards)
            if progress:
                progress(done, total)
        draft.close(title)


class _Document:
    """A PDF that is being written."""

    def __init__(self, pdf: PdfFile) -> None:
        self._pdf = pdf
        self._pictures = PdfPictures(pdf)
        self._tree = pdf.reserve()
        self._fonts = {bold: pdf.reserve() for bold in (False, True)}
        self._used: dict[bool, dict[str, int]] = {False: {}, True: {}}
        self._pages: list[int] = []

    def draw(self, page: Page) -> None:
        pictures: dict[str, int] = {}
        steps = [_lines(page.marks, Box(0, 0, 0, 0), page.height_mm, MARK_GREY, MARK_PT)]
        for placed in page.cards:
            steps += self._card(placed, page.height_mm, pictures)
        steps += [self._words(words, Box(0, 0, 0, 0), page.height_mm) for words in page.words]
        content = self._pdf.add_compressed("", "\n".join(filter(None, steps)).encode("latin-1"))
        named = " ".join(f"/{name} {number} 0 R" for name, number in pictures.items())
        fonts = f"/Regular {self._fonts[False]} 0 R /Bold {self._fonts[True]} 0 R"
        size = numbers(_points(page.width_mm), _points(page.height_mm))
        self._pages.append(
            self._pdf.add(
                f"<< /Type /Page /Parent {self._tree} 0 R /MediaBox [0 0 {size}] "
                f"/Contents {content} 0 R "
                f"/Resources << /Font << {fonts} >> /XObject << {named} >> >> >>"
            )
        )

    def close(self, title: str) -> None:
        for bold, number in self._fonts.items():
            _write_font(self._pdf, typeface(bold), self._used[bold], number)
        kids = " ".join(f"{number} 0 R" for number in self._pages)
        self._pdf.add(f"<< /Type /Pages /Kids [{kids}] /Count {len(self._pages)} >>", self._tree)
        # Viewers that support it then print at actual size, so that fronts and backs match.
        catalogue = self._pdf.add(
            f"<< /Type /Catalog /Pages {self._tree} 0 R "
            "/ViewerPreferences << /PrintScaling /None >> >>"
        )
        information = f"<< /Title {text_string(title)} /Producer {text_string('sketch-study')} >>"
        self._pdf.close(catalogue, self._pdf.add(information))

    def _card(self, placed: PlacedCard, height_mm: float, pictures: dict[str, int]) -> list[str]:
        face, box = placed.face, placed.box
        steps = [_lines(face.lines, box, height_mm, HAIRLINE, HAIRLINE_PT)]
        if face.picture and placed.card.picture:
            picture = self._pictures.place(placed.card.picture)
            pictures[f"P{picture.number}"] = picture.number
            steps.append(_picture(picture, face.picture, box, height_mm))
        if face.symbol:
            steps.append(_symbol(encode(placed.card.code), face.symbol, box, height_mm))
        steps += [self._words(words, box, height_mm) for words in face.words]
        return steps

    def _words(self, words: TextLine, box: Box, height_mm: float) -> str:
        font = typeface(words.bold)
        glyphs = [
            self._glyph(font, character, self._used[words.bold])
            for character in font.visible_text(words.text)
        ]
        left = words.x - (font.width_mm(words.text, words.size_pt) / 2 if words.centred else 0)
        x, y = _points(box.x + left), _points(height_mm - box.y - words.y)
        name = "Bold" if words.bold else "Regular"
        shown = "".join(f"{glyph:04x}" for glyph in glyphs)
        size = numbers(words.size_pt)
        return f"BT /{name} {size} Tf {words.grey:g} g {numbers(x, y)} Td <{shown}> Tj ET"

    def _glyph(self, font: Typeface, character: str, used: dict[str, int]) -> int:
        """A character's glyph number in this document; those of other fonts are numbered in order
        of use."""
        if character not in used:
            own = font.own_glyph(character)
            used[character] = max(font.count - 1, *used.values(), 0) + 1 if own is None else own
        return used[character]


def _points(mm: float) -> float:
    return mm / MM_PER_POINT


def _lines(lines: Sequence[Line], box: Box, height_mm: float, grey: float, width_pt: float) -> str:
    if not lines:
        return ""
    steps = []
    for line in lines:
        start = numbers(_points(box.x + line.x1), _points(height_mm - box.y - line.y1))
        end = numbers(_points(box.x + line.x2), _points(height_mm - box.y - line.y2))
        steps.append(f"{start} m {end} l")
    return f"{grey:g} G {width_pt:g} w " + "\n".join(steps) + " S"


def _picture(picture: PdfPicture, room: Box, card: Box, height_mm: float) -> str:
    """Draw a picture as large as its area allows, centred."""
    scale = min(room.width / picture.width, room.height / picture.height)
    width, height = picture.width * scale, picture.height * scale
    x = card.x + room.x + (room.width - width) / 2
    y = height_mm - card.y - room.y - (room.height + height) / 2
    place = numbers(_points(width), 0, 0, _points(height), _points(x), _points(y))
    upright = "" if picture.matrix == (1, 0, 0, 1, 0, 0) else f"{_precise(picture.matrix)} cm "
    return f"q {place} cm {upright}/P{picture.number} Do Q"


def _precise(matrix: tuple[float, ...]) -> str:
    """Numbers with ten decimal places, since large canvases have tiny scales."""
    return " ".join(f"{value:.10f}".rstrip("0").rstrip(".") for value in matrix)


def _symbol(code: str, square: Box, card: Box, height_mm: float) -> str:
    """Draw runs of dark modules as rectangles, so that no seams show between modules of a row."""
    module = _points(square.width / MODULES)
    x, y = _points(card.x + square.x), _points(height_mm - card.y - square.y)
    runs = []
    for row, modules in enumerate(symbol(code).tolist(), 1):
        column = 0
        while column < MODULES:
            end = column
            while end < MODULES and modules[end]:
                end += 1
            if end > column:
                runs.append(f"{column} -{row} {end - column} 1 re")
            column = max(end, column + 1)
    return f"q {numbers(module, 0, 0, module, x, y)} cm 0 g " + "\n".join(runs) + " f Q"


def _write_font(pdf: PdfFile, font: Typeface, used: dict[str, int], number: int) -> None:
    """Embed a subset of a font, with the map from its glyph numbers to characters."""
    outlines = font.subset(used)
    program = pdf.add_compressed(f"/Length1 {len(outlines)}", outlines)
    name = f"/SKETCH+{font.name}"

    def thousandths(units: float) -> int:
        return round(units * 1000 / font.units)

    box = " ".join(str(thousandths(side)) for side in font.box)
    descriptor = pdf.add(
        f"<< /Type /FontDescriptor /FontName {name} /Flags 4 /FontBBox [{box}] /ItalicAngle 0 "
        f"/Ascent {thousandths(font.ascent)} /Descent {thousandths(font.descent)} "
        f"/CapHeight 729 /StemV 80 /FontFile2 {program} 0 R >>"
    )
    by_number = sorted((glyph, character) for character, glyph in used.items())
    widths = " ".join(
        f"{glyph} [{thousandths(font.advance(character))}]" for glyph, character in by_number
    )
    descendant = pdf.add(
        f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont {name} /FontDescriptor {descriptor} 0 R "
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> "
        f"/CIDToGIDMap /Identity /DW 600 /W [{widths}] >>"
    )
    unicode = pdf.add_compressed("", _to_unicode(by_number))
    pdf.add(
        f"<< /Type /Font /Subtype /Type0 /BaseFont {name} /Encoding /Identity-H "
        f"/DescendantFonts [{descendant} 0 R] /ToUnicode {unicode} 0 R >>",
        number,
    )


def _to_unicode(used: Sequence[tuple[int, str]]) -> bytes:
    """The ToUnicode map for searching and copying text, with at most 100 characters per block."""
    pairs = [f"<{g:04x}> <{base_letters(s).encode('utf-16-be').hex()}>" for g, s in used]
    blocks = [pairs[start : start + 100] for start in range(0, len(pairs), 100)]
    body = "".join(f"{len(b)} beginbfchar\n" + "\n".join(b) + "\nendbfchar\n" for b in blocks)
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
        "/CMapName /Adobe-Identity-UCS def /CMapType 2 def\n"
        "1 begincodespacerange <0000> <ffff> endcodespacerange\n"
        f"{body}endcmap CMapName currentdict /CMap defineresource pop end end\n"
    ).encode("ascii")
