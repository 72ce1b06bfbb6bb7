"""SVG made safe: nothing that runs, nothing from elsewhere, nothing that grows without end."""

import base64
import binascii
import io
import re
from xml.etree import ElementTree
from xml.parsers import expat

from PIL import Image

from study_app.importing.refusals import FileRefused

MOST_BYTES = 20_000_000
MOST_ELEMENTS = 100_000
MOST_EMBEDDED_PIXELS = 40_000_000
DEEPEST = 200

_SVG = "{http://www.w3.org/2000/svg}"
_XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
_DROPPED = {"script", "foreignObject", "iframe", "audio", "video", "handler", "listener", "set"}
_EMBEDDED = re.compile(r"data:image/(png|jpeg|jpg|gif|webp);base64,(.*)", re.DOTALL | re.IGNORECASE)
_URL = re.compile(r"url\(\s*['\"]?\s*([^'\")\s]*)", re.IGNORECASE)


def made_safe(source):
    """Parse an SVG, drop what runs, and refuse what reaches outside or grows without end.

    Parameters
    ----------
    source : bytes
        The file.

    Returns
    -------
    bytes
        The same drawing, serialised anew.

    Raises
    ------
    FileRefused
        If it is no SVG, declares entities, refers to anything outside itself, or is too large.
    """
    if len(source) > MOST_BYTES:
        raise FileRefused(f"is an SVG of more than {MOST_BYTES // 1_000_000} MB; simplify it")
    root = _parsed(source)
    if root.tag not in (f"{_SVG}svg", "svg"):
        raise FileRefused("is XML but not an SVG drawing")
    _strip(root)
    _check_references(root)
    _check_growth(root)
    ElementTree.register_namespace("", _SVG.strip("{}"))
    ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)


def _parsed(source):
    """Expat with its doors shut: no entity is declared, nothing outside is fetched."""
    builder = ElementTree.TreeBuilder()
    parser = expat.ParserCreate(namespace_separator="}")
    depth = count = 0

    def start(tag, attributes):
        nonlocal depth, count
        depth, count = depth + 1, count + 1
        if depth > DEEPEST or count > MOST_ELEMENTS:
            raise FileRefused("is an SVG of too many or too deeply nested elements; simplify it")
        builder.start(_braced(tag), {_braced(name): text for name, text in attributes.items()})

    def end(tag):
        nonlocal depth
        depth -= 1
        builder.end(_braced(tag))

    def refuse_entity(*_declaration):
        raise FileRefused("is an SVG that declares XML entities; export it as plain SVG")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = refuse_entity
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    try:
        parser.Parse(source, True)
        return builder.close()
    except expat.ExpatError as error:
        raise FileRefused(f"is not well-formed SVG ({error}); export it again") from error


def _braced(name):
    return "{" + name if "}" in name else name


def _local(tag):
    return tag.rpartition("}")[2]


def _strip(root):
    """Drop elements and attributes that run; they have no part in a printed drawing."""
    for parent in list(root.iter()):
        for child in list(parent):
            if _local(child.tag) in _DROPPED or _local(child.tag).startswith("animate"):
                parent.remove(child)
        for name in [n for n in parent.attrib if _local(n).lower().startswith("on")]:
            del parent.attrib[name]


def _check_references(root):
    pixels = 0
    for element in root.iter():
        for name, text in element.attrib.items():
            if _local(name) == "href" and _local(element.tag) != "a":
                pixels += _embedded_pixels(text.strip())
            _check_style(text)
        if _local(element.tag) == "style":
            _check_style(element.text or "")
    if pixels > MOST_EMBEDDED_PIXELS:
        raise FileRefused(f"is an SVG that embeds pictures of {pixels / 1e6:.0f} megapixels")


def _check_style(text):
    if "@import" in text.lower() or ("\\" in text and "url" in text.lower()):
        raise FileRefused(_OUTSIDE)
    for target in _URL.findall(text):
        if not target.startswith("#"):
            raise FileRefused(_OUTSIDE)


_OUTSIDE = "is an SVG that refers to something outside itself; embed it or export it as plain SVG"


def _embedded_pixels(target):
    """The pixels of a picture inside the file; 0 for a reference to a part of the file."""
    if not target or target.startswith("#"):
        return 0
    found = _EMBEDDED.fullmatch(target)
    if not found:
        raise FileRefused(_OUTSIDE)
    try:
        content = base64.b64decode("".join(found[2].split()))
        kind = found[1].upper().replace("JPG", "JPEG")
        width, height = Image.open(io.BytesIO(content), formats=[kind]).size
    except (binascii.Error, OSError, ValueError, SyntaxError) as error:
        raise FileRefused("is an SVG with a damaged picture inside; export it again") from error
    return width * height


def _check_growth(root):
    """Count the elements as they are drawn: a few nested <use> can stand for millions."""
    named = {element.get("id"): element for element in root.iter() if element.get("id")}
    sizes = {}

    def size(element, above):
        if element in sizes:
            return sizes[element]
        if element in above or len(above) > 2 * DEEPEST:
            raise FileRefused("is an SVG that contains itself; export it as plain SVG")
        target = element.get("href") or element.get(_XLINK_HREF) or ""
        used = named.get(target[1:]) if _local(element.tag) == "use" else None
        inside = [*element, *([used] if used is not None else [])]
        total = 1 + sum(size(child, above | {element}) for child in inside)
        if total > MOST_ELEMENTS:
            raise FileRefused("is an SVG that repeats its parts without end; simplify it")
        sizes[element] = total
        return total

    size(root, frozenset())
