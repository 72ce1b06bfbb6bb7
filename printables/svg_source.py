"""SVG files opened safely.

An SVG is a document that may name other files, run scripts and swell by entities. Here nothing is
fetched, run or expanded: outside references and entities are refused, scripts are never looked at.
"""

import re
from xml.etree import ElementTree
from xml.parsers import expat

from printables.errors import PaperError

MOST_BYTES = 20_000_000
SVG_NAMESPACE = "{http://www.w3.org/2000/svg"
_OUTSIDE = re.compile(r"url\(\s*['\"]?\s*(?!['\"#\s])|@import|expression\(", re.IGNORECASE)
_INLINE_IMAGE = re.compile(r"#|data:image/(?:png|jpeg|gif|webp)[;,]", re.IGNORECASE)


def parse_svg(content: bytes, place: str) -> ElementTree.Element:
    """The root of an SVG that is safe to draw.

    Parameters
    ----------
    content : bytes
        The file.
    place : str
        What to call it in a refusal.

    Raises
    ------
    PaperError
        If it is no SVG, declares entities, or names an outside file.
    """
    if len(content) > MOST_BYTES:
        raise PaperError(f"{place}: the SVG is larger than {MOST_BYTES // 1_000_000} MB; reduce it")

    def refuse_entity(*_: object) -> None:
        raise PaperError(f"{place}: the SVG declares entities; save it as plain SVG")

    guard = expat.ParserCreate()
    guard.EntityDeclHandler = refuse_entity
    try:
        guard.Parse(content, True)
        root = ElementTree.fromstring(content)
    except (expat.ExpatError, ElementTree.ParseError, LookupError, ValueError) as error:
        if isinstance(error, PaperError):
            raise
        raise PaperError(f"{place}: is not a valid SVG ({error})") from error
    if root.tag not in (f"{SVG_NAMESPACE}}}svg", "svg"):
        raise PaperError(f"{place}: is XML, but no SVG picture")
    for element in root.iter():
        _refuse_outside(element, place)
    return root


def _refuse_outside(element: ElementTree.Element, place: str) -> None:
    texts = [element.text or "", *element.attrib.values()]
    links = [v for name, v in element.attrib.items() if name.rpartition("}")[2] == "href"]
    named = element.tag.rpartition("}")[2] in ("image", "use", "feImage", "pattern")
    outside = named and not all(_INLINE_IMAGE.match(link.strip()) for link in links)
    if outside or any(_OUTSIDE.search(text) for text in texts):
        raise PaperError(f"{place}: the SVG names an outside file; save it with pictures embedded")
