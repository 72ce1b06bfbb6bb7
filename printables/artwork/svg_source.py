"""Parsing SVG files safely: no scripts, no external references, no unbounded expansion.

An SVG may refer to other files, run scripts, and expand through entities and repeated elements.
Scripts and animations are removed, since a printed drawing does not need them; other dangers are
refused.
"""

import base64
import binascii
import io
import re
import warnings
from xml.etree import ElementTree
from xml.parsers import expat

from PIL import Image

from basics.wordings import Wording
from printables.errors import PaperError

MOST_BYTES = 20_000_000
MOST_ELEMENTS = 100_000
MOST_EMBEDDED_PIXELS = 40_000_000
MOST_DEPTH = 200
SVG_NAMESPACE = "{http://www.w3.org/2000/svg"

_XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
_DROPPED = {"script", "foreignObject", "iframe", "audio", "video", "handler", "listener", "set"}
_EMBEDDED = re.compile(r"data:image/(png|jpeg|jpg|gif|webp);base64,(.*)", re.DOTALL | re.IGNORECASE)
_URL = re.compile(r"url\(\s*['\"]?\s*([^'\")\s]*)", re.IGNORECASE)
_ACTIVE_STYLE = re.compile(r"@import|expression\(", re.IGNORECASE)


class _Refused(Exception):
    """A reason for a refusal; the caller adds the file's name."""


def parse_svg(content: bytes, place: str) -> ElementTree.Element:
    """Parse an SVG and check that it is safe to draw.

    Parameters
    ----------
    content : bytes
        The file.
    place : str
        Its name in error messages.

    Returns
    -------
    Element
        The root, without scripts, event handlers, animations and foreign content.

    Raises
    ------
    PaperError
        If it is not an SVG, declares entities, refers to anything outside itself, embeds pictures
        of more than 40 megapixels, nests elements deeper than 200, or draws more than 100,000
        elements.
    """
    try:
        if len(content) > MOST_BYTES:
            raise _Refused(
                Wording(
                    "is an SVG larger than %(most)s MB; simplify it", most=MOST_BYTES // 1_000_000
                )
            )
        root = _parsed(content)
        if root.tag not in (f"{SVG_NAMESPACE}}}svg", "svg"):
            raise _Refused("is XML but not an SVG drawing")
        _strip(root)
        _check_references(root)
        _check_expansion(root)
    except _Refused as refusal:
        raise PaperError(str(refusal), place) from refusal.__cause__
    return root


def _parsed(content: bytes) -> ElementTree.Element:
    """Parse XML with Expat, without entity declarations and external references."""
    builder = ElementTree.TreeBuilder()
    parser = expat.ParserCreate(namespace_separator="}")
    depth = count = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth, count
        depth, count = depth + 1, count + 1
        if depth > MOST_DEPTH or count > MOST_ELEMENTS:
            raise _Refused("is an SVG with too many or too deeply nested elements; simplify it")
        builder.start(_braced(tag), {_braced(name): text for name, text in attributes.items()})

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(_braced(tag))

    def refuse_entity(*_declaration: object) -> None:
        raise _Refused("is an SVG that declares XML entities; export it as plain SVG")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = refuse_entity
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    try:
        parser.Parse(content, True)
        return builder.close()
    except expat.ExpatError as error:
        raise _Refused(
            Wording(
                "is not well-formed SVG (line %(line)s, column %(column)s); export it again",
                line=error.lineno,
                column=error.offset + 1,
            )
        ) from error
    except (LookupError, ValueError) as error:
        raise _Refused("is not well-formed SVG; export it again") from error


def _braced(name: str) -> str:
    return "{" + name if "}" in name else name


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _strip(root: ElementTree.Element) -> None:
    for parent in list(root.iter()):
        for child in list(parent):
            if _local(child.tag) in _DROPPED or _local(child.tag).startswith("animate"):
                parent.remove(child)
        for name in [n for n in parent.attrib if _local(n).lower().startswith("on")]:
            del parent.attrib[name]


def _check_references(root: ElementTree.Element) -> None:
    pixels = 0
    for element in root.iter():
        for name, text in element.attrib.items():
            if _local(name) == "href" and _local(element.tag) != "a":
                pixels += _embedded_pixels(text.strip())
            _check_style(text)
        if _local(element.tag) == "style":
            _check_style(element.text or "")
    if pixels > MOST_EMBEDDED_PIXELS:
        raise _Refused(_TOO_MANY_PIXELS)


def _check_style(text: str) -> None:
    # In a style sheet, these words can also be written with backslash escapes.
    if _ACTIVE_STYLE.search(text) or ("\\" in text and "url" in text.lower()):
        raise _Refused(_OUTSIDE)
    for target in _URL.findall(text):
        if not target.startswith("#"):
            raise _Refused(_OUTSIDE)


_TOO_MANY_PIXELS = Wording(
    "is an SVG with embedded pictures of more than %(most)s megapixels; reduce them",
    most=MOST_EMBEDDED_PIXELS // 1_000_000,
)
_OUTSIDE = Wording(
    "is an SVG that refers to something outside itself; embed it or export it as plain SVG"
)


def _embedded_pixels(target: str) -> int:
    """Number of pixels of an embedded picture; 0 for a reference within the file."""
    if not target or target.startswith("#"):
        return 0
    found = _EMBEDDED.fullmatch(target)
    if not found:
        raise _Refused(_OUTSIDE)
    try:
        content = base64.b64decode("".join(found[2].split()))
        kind = found[1].upper().replace("JPG", "JPEG")
        with warnings.catch_warnings(action="error", category=Image.DecompressionBombWarning):
            width, height = Image.open(io.BytesIO(content), formats=[kind]).size
    except (Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
        raise _Refused(_TOO_MANY_PIXELS) from error
    except (binascii.Error, OSError, ValueError, SyntaxError) as error:
        raise _Refused("is an SVG with a damaged picture inside; export it again") from error
    return width * height


def _check_expansion(root: ElementTree.Element) -> None:
    """Limit the number of elements drawn: a few nested <use> elements can expand to millions."""
    named = {element.get("id"): element for element in root.iter() if element.get("id")}
    sizes: dict[ElementTree.Element, int] = {}

    def size(element: ElementTree.Element, above: frozenset[ElementTree.Element]) -> int:
        if element in sizes:
            return sizes[element]
        if element in above or len(above) > 2 * MOST_DEPTH:
            raise _Refused("is an SVG that contains itself; export it as plain SVG")
        target = element.get("href") or element.get(_XLINK_HREF) or ""
        used = named.get(target[1:]) if _local(element.tag) == "use" else None
        inside = [*element, *([used] if used is not None else [])]
        total = 1 + sum(size(child, above | {element}) for child in inside)
        if total > MOST_ELEMENTS:
            raise _Refused("is an SVG that repeats its parts too often; simplify it")
        sizes[element] = total
        return total

    size(root, frozenset())
