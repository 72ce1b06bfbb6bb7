"""Writing pictures into a PDF, each once even if it is on many cards.

References
----------
ISO 32000-1:2008, 8.9 (images), 8.10 (form XObjects).
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from basics.system_messages import system_reason
from basics.wordings import Wording
from printables.artwork.bitmaps import Bitmap, Jpeg, read_bitmap
from printables.artwork.drawings import Drawing, Segment, Shape, stroke_drawing
from printables.artwork.pictures import Picture
from printables.artwork.png import PlainPng
from printables.errors import PaperError
from printables.sheets.pdf_file import PdfFile

MOST_BYTES = 200_000_000
_SPACES = {1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK"}
_OPERATORS = {"M": "m", "L": "l", "C": "c", "Z": "h"}
# Matrices that turn a stored picture upright in a unit square with y up, by EXIF orientation.
_UPRIGHT = {
    1: (1, 0, 0, 1, 0, 0),
    2: (-1, 0, 0, 1, 1, 0),
    3: (-1, 0, 0, -1, 1, 1),
    4: (1, 0, 0, -1, 0, 1),
    5: (0, -1, -1, 0, 1, 1),
    6: (0, -1, 1, 0, 0, 1),
    7: (0, 1, 1, 0, 0, 0),
    8: (0, 1, -1, 0, 1, 0),
}


@dataclass(frozen=True)
class PdfPicture:
    """A picture that was written into the PDF.

    Parameters
    ----------
    number : int
        Number of its object.
    width, height : float
        Its size in any unit, for its proportions.
    matrix : tuple of six numbers
        From its own coordinates to an upright unit square with y up.
    """

    number: int
    width: float
    height: float
    matrix: tuple[float, ...]


class PdfPictures:
    """The pictures of one PDF.

    Parameters
    ----------
    pdf : PdfFile
    """

    def __init__(self, pdf: PdfFile) -> None:
        self._pdf = pdf
        self._written: dict[bytes, PdfPicture] = {}

    def place(self, picture: Picture) -> PdfPicture:
        """Write a picture, unless the PDF already contains it.

        Parameters
        ----------
        picture : path or Strokes

        Returns
        -------
        PdfPicture

        Raises
        ------
        PaperError
            If the file cannot be read as a picture.
        """
        content = _content(picture) if isinstance(picture, Path) else repr(picture).encode()
        key = hashlib.sha256(content).digest()
        if key not in self._written:
            if isinstance(picture, Path):
                self._written[key] = self._file(content, picture.name)
            else:
                self._written[key] = self._drawing(stroke_drawing(picture))
        return self._written[key]

    def _file(self, content: bytes, place: str) -> PdfPicture:
        if b"<svg" in content[:4096].lower():
            # Imported here: it needs 8 MB, in every process that can print.
            from printables.artwork.svg import read_svg

            drawn = read_svg(content, place)
            if isinstance(drawn, Drawing):
                return self._drawing(drawn)
            content = drawn
        bitmap = read_bitmap(content, place)
        return self._jpeg(bitmap) if isinstance(bitmap, Jpeg) else self._png(bitmap)

    def _png(self, png: PlainPng) -> PdfPicture:
        predictor = (
            f"<< /Predictor 15 /Colors {png.channels} /BitsPerComponent {png.depth} "
            f"/Columns {png.width} >>"
        )
        space = _SPACES[png.channels]
        if png.palette:
            last = len(png.palette) // 3 - 1
            space = f"[/Indexed /DeviceRGB {last} <{png.palette.hex()}>]"
        entries = f"{_image(png, space, png.depth)} /Filter /FlateDecode /DecodeParms {predictor}"
        number = self._pdf.add_stream(entries, png.pixels)
        return PdfPicture(number, png.width, png.height, _UPRIGHT[1])

    def _jpeg(self, jpeg: Jpeg) -> PdfPicture:
        entries = _image(jpeg, _SPACES[jpeg.channels], 8) + " /Filter /DCTDecode"
        if jpeg.inverted:
            entries += " /Decode [1 0 1 0 1 0 1 0]"
        number = self._pdf.add_stream(entries, jpeg.content)
        width, height = jpeg.width, jpeg.height
        if jpeg.orientation >= 5:
            width, height = height, width
        return PdfPicture(number, width, height, _UPRIGHT[jpeg.orientation])

    def _drawing(self, drawing: Drawing) -> PdfPicture:
        left, top, width, height = drawing.left, drawing.top, drawing.width, drawing.height
        right, bottom = left + width, top + height
        entries = f"/Type /XObject /Subtype /Form /BBox [{numbers(left, top, right, bottom)}]"
        content = "\n".join(_painted(shape) for shape in drawing.shapes if shape.segments)
        number = self._pdf.add_compressed(entries, content.encode("latin-1"))
        matrix = (1 / width, 0, 0, -1 / height, -left / width, bottom / height)
        return PdfPicture(number, width, height, matrix)


def numbers(*values: float) -> str:
    """Format numbers for PDF: plain decimals with up to six decimal places."""
    return " ".join(f"{value:.6f}".rstrip("0").rstrip(".") for value in values)


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise PaperError("is larger than 200 MB; reduce the picture", path.name)
        return path.read_bytes()
    except OSError as error:
        raise PaperError(
            Wording("cannot be read (%(reason)s)", reason=system_reason(error)), path.name
        ) from error


def _image(bitmap: Bitmap, space: str, depth: int) -> str:
    return (
        f"/Type /XObject /Subtype /Image /Width {bitmap.width} /Height {bitmap.height} "
        f"/ColorSpace {space} /BitsPerComponent {depth}"
    )


def _painted(shape: Shape) -> str:
    """Draw a shape; the operators q and Q limit colours and stroke style to it."""
    steps = [f"q {numbers(*shape.matrix)} cm"]
    if shape.fill:
        steps.append(f"{numbers(*shape.fill)} rg")
    if shape.stroke:
        steps.append(
            f"{numbers(*shape.stroke)} RG {numbers(shape.width)} w {shape.cap} J {shape.join} j "
            f"{numbers(shape.mitre)} M"
        )
    steps += map(_segment, shape.segments)
    painting = {(True, True): "B", (True, False): "f", (False, True): "S", (False, False): "n"}
    operator = painting[bool(shape.fill), bool(shape.stroke)]
    star = "*" if shape.even_odd and shape.fill else ""
    return "\n".join([*steps, f"{operator}{star} Q"])


def _segment(segment: Segment) -> str:
    letter, points = segment
    place = numbers(*(value for point in points for value in point))
    return f"{place} {_OPERATORS[letter]}".lstrip()
