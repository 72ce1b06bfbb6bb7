"""SVG: plain drawings become vectors that look as resvg draws them; resvg draws the others."""

import base64
import io
import struct
import time
import zlib
from contextlib import suppress

import numpy as np
import pytest
import resvg_py
from PIL import Image

from printables.artwork.drawings import Drawing
from printables.artwork.svg import RASTER_PIXELS, read_svg
from printables.cards.card import CardLayout
from printables.errors import PaperError
from tests.printables.drawn_cards import deck_of, drawn, rendered, run, sketch_room

SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {}</svg>'
BOX = 'viewBox="0 0 100 100">'
PLAIN = {
    "path": f'{BOX}<path d="M10 90 C20 0 80 0 90 90 Q50 50 10 90z" fill="none" stroke="#000" '
    'stroke-width="4"/>',
    "arcs": f'{BOX}<path d="m20 50 a30 20 30 1 0 60 0 t 5 20 h-10 v-5 s 5 5 9 9" fill="#c33"/>',
    "shapes": f'{BOX}<rect x="5" y="5" width="30" height="20" rx="6" fill="teal"/>'
    '<circle cx="70" cy="20" r="15"/><ellipse cx="30" cy="70" rx="25" ry="10" fill="rgb(9,99,9)"/>'
    '<line x1="60" y1="60" x2="95" y2="95" stroke="black" stroke-width="5"/>'
    '<polyline points="60,90 70,60 80,90" style="fill:none;stroke:navy;stroke-width:3"/>'
    '<polygon points="40 40 60 40 50 55"/>',
    "transforms": f'{BOX}<g transform="translate(50 50) rotate(30) scale(1.5 .8)" stroke="black">'
    '<g transform="matrix(1 .3 0 1 0 0)" fill="gold"><rect x="-20" y="-20" width="40" '
    'height="40" stroke-width="4"/></g></g>'
    '<path transform="rotate(45,20,80)" d="M10 80h20v4h-20"/>',
    "holes": f'{BOX}<path fill-rule="evenodd" d="M10 10h80v80h-80zM30 30h40v40h-40z"/>'
    '<path d="M40 40h20v20h-20zM45 45v10h10v-10z" fill="red"/>',
    "hidden": f'{BOX}<g display="none"><circle r="50" cx="50" cy="50"/></g><title>no</title>'
    '<rect x="20" y="20" width="9" height="60"/>',
    "offset box": 'viewBox="-50 -20 100 40" width="10cm"><circle r="19"/>',
    "size only": 'width="50mm" height="80"><rect x="10" y="10" width="60" height="60"/>',
    "clipped at its frame": f'{BOX}<circle cx="100" cy="50" r="40"/>',
    "caps and joins": f'{BOX}<g fill="none" stroke="black" stroke-width="12">'
    '<path d="M20 20h40" stroke-linecap="round"/><path d="M20 50h40" stroke-linecap="square"/>'
    '<path d="M20 90l20-25 20 25" stroke-linejoin="bevel"/></g>',
}
NOT_PLAIN = {
    "text": f'{BOX}<text x="5" y="50">hello</text>',
    "style sheet": f'{BOX}<style>.a{{fill:red}}</style><rect class="a" width="50" height="50"/>',
    "gradient": f'{BOX}<defs><linearGradient id="g"><stop stop-color="red"/></linearGradient>'
    "</defs>"
    '<rect width="90" height="90" fill="url(#g)"/>',
    "opacity": f'{BOX}<rect width="90" height="90" opacity=".5"/>',
    "dashes": f'{BOX}<path d="M0 50h100" stroke="black" stroke-dasharray="4"/>',
    "use": f'{BOX}<defs><rect id="r" width="50" height="50"/></defs><use href="#r" x="20"/>',
    "nested": f'{BOX}<svg x="10" y="10" width="50" height="50"><circle r="40"/></svg>',
    "see-through colour": f'{BOX}<rect width="90" height="90" fill="#ff000080"/>',
    "text in mm": 'viewBox="0 0 9 9" width="9mm" height="9mm"><text y="8" font-size="5">a</text>',
    "broken path": f'{BOX}<path d="M 10 10 L 50 50 L oh" stroke="black"/>',
    "half a shape": f'{BOX}<rect width="50"/><rect width="50" height="10"/>',
    "distorted": 'viewBox="0 0 100 100" width="200" height="100" preserveAspectRatio="none">'
    '<circle r="40"/>',
}
OUTSIDE = {
    "image": f'{BOX}<image href="/etc/passwd.png" width="9" height="9"/>',
    "xlink": f'{BOX}<image xlink:href="https://example.org/a.png" width="9" height="9"/>',
    "use": f'{BOX}<use href="other.svg#a"/>',
    "style": f'{BOX}<style>@import "a.css";</style>',
    "paint": f'{BOX}<rect width="9" height="9" fill="url(other.svg#a)"/>',
    "computed style": f'{BOX}<rect width="9" height="9" style="width: expression(alert(1))"/>',
    "picture that is not base64": f'{BOX}<image href="data:image/png,abc" width="9" height="9"/>',
    "svg in image": f'{BOX}<image href="data:image/svg+xml;base64,PHN2Zy8+" width="9" height="9"/>',
}


def on_card(folder, text, dpi=150):
    """The sketch area of a card with the SVG, as poppler draws it, and the PDF."""
    (folder / "drawing.svg").write_text(text, encoding="utf-8")
    pdf, pages = drawn(folder, deck_of([folder / "drawing.svg"]))
    return sketch_room(rendered(pdf, 1, dpi, folder), pages[0].cards[0], dpi), pdf


@pytest.mark.parametrize("name", PLAIN)
def test_a_plain_svg_becomes_vectors_that_look_like_resvgs_picture(tmp_path, name):
    text = SVG.format(PLAIN[name])
    seen, pdf = on_card(tmp_path, text)
    assert len(run("pdfimages", "-list", str(pdf)).splitlines()) == 2
    drawing = read_svg(text.encode(), "a.svg")
    scale = min(seen.width / drawing.width, seen.height / drawing.height)
    size = round(drawing.width * scale), round(drawing.height * scale)
    png = bytes(
        resvg_py.svg_to_bytes(text, width=size[0], height=size[1], background="white", dpi=96)
    )
    with Image.open(io.BytesIO(png)) as image:
        expected = np.asarray(image.convert("L").resize(size), dtype=float)
    left, top = (seen.width - size[0]) // 2, (seen.height - size[1]) // 2
    crop = seen.convert("L").crop((left, top, left + size[0], top + size[1]))
    assert np.abs(np.asarray(crop, dtype=float) - expected).mean() < 5
    assert (expected < 200).mean() > 0.01


@pytest.mark.slow
@pytest.mark.parametrize("name", NOT_PLAIN)
def test_other_svgs_are_drawn_by_resvg(tmp_path, name):
    png = read_svg(SVG.format(NOT_PLAIN[name]).encode(), "a.svg")
    assert isinstance(png, bytes)
    with Image.open(io.BytesIO(png)) as image:
        assert max(image.size) == RASTER_PIXELS
    seen, _ = on_card(tmp_path, SVG.format(NOT_PLAIN[name]))
    assert np.asarray(seen.convert("L")).max() == 255


@pytest.mark.parametrize("name", OUTSIDE)
def test_external_references_are_refused(name):
    with pytest.raises(PaperError, match=r"a\.svg: is an SVG that refers to something outside"):
        read_svg(SVG.format(OUTSIDE[name]).encode(), "a.svg")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<svg", "not well-formed SVG"),
        (b"<html/>", "not an SVG"),
        (b"\x00\x01<svg/>", "not well-formed SVG"),
        (b'<?xml version="1.0" encoding="klingon"?><svg/>', "not well-formed SVG"),
        (b'<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>', "entities"),
        (b"<svg" + b" " * 20_000_001 + b"/>", "larger than 20 MB"),
    ],
)
def test_invalid_and_unsafe_svgs_are_refused(content, message):
    with pytest.raises(PaperError, match=message):
        read_svg(content, "a.svg")


def test_an_svg_without_a_size_is_drawn():
    content = b'<svg xmlns="http://www.w3.org/2000/svg"><text>no size</text></svg>'
    assert isinstance(read_svg(content, "a.svg"), bytes)


@pytest.mark.parametrize("family", ["Arial", "serif", "No Such Font, monospace"])
def test_text_is_drawn_in_the_same_typeface_on_every_computer(family):
    text = f'<text x="5" y="60" font-size="40" font-family="{family}">M</text>'
    with Image.open(io.BytesIO(read_svg(SVG.format(BOX + text).encode(), "a.svg"))) as image:
        assert (np.asarray(image)[:, :, 3] > 128).mean() > 0.02


def test_scripts_are_ignored():
    text = SVG.format(
        f'{BOX}<script>fetch("https://example.org")</script><rect width="9" height="9"/>'
    )
    assert isinstance(read_svg(text.encode(), "a.svg"), Drawing)


@pytest.mark.parametrize("size", [(9000, 9000), (30000, 20000)])
def test_a_huge_embedded_picture_is_refused_before_it_is_decoded(size):
    png = b"\x89PNG\r\n\x1a\n"
    for name, content in ((b"IHDR", struct.pack(">IIBBBBB", *size, 8, 0, 0, 0, 0)), (b"IDAT", b"")):
        check = struct.pack(">I", zlib.crc32(name + content))
        png += struct.pack(">I", len(content)) + name + content + check
    inside = f'<image href="data:image/png;base64,{base64.b64encode(png).decode()}" width="9"/>'
    with pytest.raises(PaperError, match="embedded pictures of more than 40 megapixels"):
        read_svg(SVG.format(BOX + inside).encode(), "a.svg")


def test_deeply_nested_and_endlessly_repeated_elements_are_refused(tmp_path):
    for depth, drawn_ in ((150, True), (100_000, False)):
        deep = SVG.format(BOX + "<g>" * depth + '<rect width="9" height="9"/>' + "</g>" * depth)
        if drawn_:
            assert isinstance(read_svg(deep.encode(), "a.svg"), Drawing)
        else:
            with pytest.raises(PaperError, match="too deeply nested"):
                read_svg(deep.encode(), "a.svg")
    laughs = "".join(
        f'<g id="g{level + 1}">' + f'<use href="#g{level}"/>' * 10 + "</g>" for level in range(9)
    )
    with pytest.raises(PaperError, match="repeats its parts too often"):
        read_svg(SVG.format(f'{BOX}<g id="g0"><rect/></g>{laughs}').encode(), "a.svg")


def test_a_drawing_fills_the_sketch_area_whatever_its_units(tmp_path):
    layout = CardLayout()
    for size in (1e-3, 1.0, 1e5):
        text = SVG.format(f'viewBox="0 0 {size} {size}"><rect width="{size}" height="{size}"/>')
        seen, _ = on_card(tmp_path, text, dpi=100)
        dark = (np.asarray(seen.convert("L")) < 128).mean()
        assert dark == pytest.approx(layout.picture.width / layout.picture.height, abs=0.03)


@pytest.mark.parametrize(
    "attribute",
    [
        'transform="{spaces}x"',
        'transform="translate({spaces}1{spaces}"',
        'transform="{digits}("',
        'stroke-width="{digits}x"',
        'stroke-width="{spaces}1{spaces}x!"',
        'style="fill:{spaces}url({spaces}"',
        'fill="url({spaces}&quot;{spaces}"',
    ],
)
def test_a_long_attribute_is_read_in_linear_time(attribute):
    filled = attribute.format(spaces=" " * 200_000, digits="1" * 200_000)
    content = SVG.format(f'{BOX}<path d="M10 90h5v5z" {filled}/>').encode()
    before = time.process_time()
    with suppress(PaperError):
        read_svg(content, "a.svg")
    # In quadratic time it would be minutes.
    assert time.process_time() - before < 10
