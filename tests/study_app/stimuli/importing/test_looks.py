"""Warnings about pictures that people would hardly see."""

import io

import pytest
from PIL import Image, ImageDraw

from study_app.stimuli.importing import looks
from study_app.stimuli.importing.prepare import prepare

LIMIT = 10**7


def _drawing(ground, ink, size=200, mode="RGB"):
    picture = Image.new(mode, (size, size), ground)
    ImageDraw.Draw(picture).line((20, 20, size - 20, size - 20), fill=ink, width=4)
    return picture


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        (_drawing("white", "black"), []),
        (_drawing("white", "white"), ["is blank"]),
        (_drawing("black", "white"), ["is mostly dark; is it inverted?"]),
        (_drawing("white", "black", 63), ["is only 63 x 63 pixels"]),
        (_drawing("black", "black", 10), ["is blank", "is only 10 x 10 pixels"]),
    ],
)
def test_unusual_pictures_get_warnings(picture, message):
    assert looks.remarks_on(picture) == message


def _prepared(picture):
    kept = io.BytesIO()
    picture.save(kept, "PNG")
    return prepare(kept.getvalue(), "png", LIMIT)


def test_white_lines_on_transparency_are_not_blank():
    clear, white = (0, 0, 0, 0), (255, 255, 255, 255)
    drawn = _prepared(_drawing(clear, white, mode="RGBA"))
    blank = _prepared(Image.new("RGBA", (200, 200), clear))
    assert drawn.remarks == (looks.HIDDEN,) and blank.remarks == ("is blank",)
    assert drawn.pixel_hash != blank.pixel_hash
    # Two blank ones are the same picture, however they are stored.
    assert blank.pixel_hash == _prepared(Image.new("RGB", (200, 200), "white")).pixel_hash
