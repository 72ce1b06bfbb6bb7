"""SVG as it is stored: made safe by `printables.artwork.svg_source`, serialised anew."""

from xml.etree import ElementTree

from printables.artwork.svg_source import SVG_NAMESPACE, parse_svg
from printables.errors import PaperError
from study_app.stimuli.importing.refusals import FileRefused


def made_safe(source: bytes) -> bytes:
    """The same drawing as bytes, without scripts.

    Raises
    ------
    FileRefused
        If it is not an SVG, refers to other files, or expands without limit.
    """
    try:
        root = parse_svg(source, "")
    except PaperError as refusal:
        raise FileRefused(refusal.finding) from refusal
    ElementTree.register_namespace("", SVG_NAMESPACE.strip("{"))
    ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
