"""Sanitised SVG: what is refused, what is removed, and unchanged drawings."""

import base64

import numpy as np
import pytest

from study_app.stimuli.importing.drawings import drawn
from study_app.stimuli.importing.prepare import prepare
from study_app.stimuli.importing.refusals import FileRefused
from study_app.stimuli.importing.svg import made_safe
from tests.study_app.stimuli.importing.pictures_made import png, png_that_claims, svg

SQUARE = '<rect id="r" x="10" y="10" width="20" height="20"/>'
BOMB = b"""<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>
<svg xmlns="http://www.w3.org/2000/svg"><text>&b;</text></svg>"""


def embedded(content):
    """A picture inside an SVG."""
    return f'<image href="data:image/png;base64,{base64.b64encode(content).decode()}" width="9"/>'


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (BOMB, "declares XML entities"),
        (svg('<image href="http://127.0.0.1/x.png"/>'), "refers to something outside"),
        (svg('<image href="/etc/passwd"/>'), "refers to something outside"),
        (svg('<image xlink:href="file:///etc/passwd"/>'), "refers to something outside"),
        (svg('<use href="other.svg#x"/>'), "refers to something outside"),
        (svg('<style>@import "http://127.0.0.1/x.css";</style>'), "refers to something outside"),
        (svg('<rect fill="url(http://127.0.0.1/#g)"/>'), "refers to something outside"),
        (svg("<style>rect { fill: url( 'x.svg#g' ) }</style>"), "refers to something outside"),
        (svg('<image href="data:image/svg+xml;base64,AAAA"/>'), "refers to something outside"),
        (svg(embedded(png_that_claims(30000, 20000))), "embedded pictures of more than 40"),
        (svg(embedded(b"not a picture")), "damaged picture inside"),
        (svg('<g id="a"><use href="#a"/></g>'), "contains itself"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><g></svg>", "not well-formed"),
        (b"<html><body><svg/></body></html>", "not an SVG"),
        (svg("<g>" * 300 + "</g>" * 300), "too deeply nested"),
        (svg(""), None),
    ],
)
def test_external_references_and_entity_expansion_are_refused(source, words):
    if words is None:
        assert made_safe(source)
        return
    with pytest.raises(FileRefused, match=words):
        made_safe(source)


def test_nested_use_elements_are_refused():
    uses = "".join(
        f'<g id="l{n}">' + f'<use href="#l{n - 1}"/>' * 10 + "</g>" for n in range(1, 10)
    )
    with pytest.raises(FileRefused, match="repeats its parts too often"):
        made_safe(svg(f'<g id="l0">{SQUARE}</g>{uses}'))


def test_scripts_are_removed():
    hostile = "<script>alert(1)</script><foreignObject/><animate/>"
    safe = made_safe(svg(hostile + '<rect onclick="alert(1)" width="5" height="5"/>', onload="x()"))
    for word in (b"script", b"foreign", b"alert", b"onclick", b"onload", b"animate"):
        assert word not in safe
    assert b"rect" in safe


def test_the_drawing_is_unchanged_on_white():
    source = svg(f'<defs>{SQUARE}</defs><use href="#r"/><use xlink:href="#r" x="40"/>')
    picture = np.asarray(drawn(made_safe(source), 200))
    assert picture.shape == (100, 200)
    assert picture[5, 5] == 255
    assert picture[40, 40] == picture[40, 120] == 0


def test_a_linked_drawing_is_shown():
    assert np.asarray(drawn(made_safe(svg(f'<a href="http://x.org">{SQUARE}</a>')), 200)).min() == 0


def test_an_embedded_picture_is_shown():
    picture = np.asarray(drawn(made_safe(svg(embedded(png()) + SQUARE)), 200))
    assert picture.min() == 0


@pytest.mark.parametrize("box", ["0 0 1 100000", "0 0 100000 1", "0 0 0 0", "a b c d"])
def test_extreme_aspect_ratios(box):
    source = svg(SQUARE).replace(b"0 0 100 50", box.encode())
    try:
        assert max(prepare(source, "svg", 10**8).size) <= 2000
    except FileRefused as refusal:
        assert "cannot be drawn" in str(refusal)


def test_lines_are_stored_for_print():
    prepared = prepare(svg(SQUARE), "svg", 10**8)
    assert prepared.form == "svg"
    assert b"<rect" in prepared.vector
