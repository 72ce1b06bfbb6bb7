"""Refusals of pictures that cannot be printed."""

import io

import pytest
from PIL import Image

from printables.artwork.pictures import Strokes
from printables.errors import PaperError
from tests.printables.drawn_cards import (
    COPIED,
    deck_of,
    drawn,
)


def broken_png(change):
    written = io.BytesIO()
    COPIED["grey"].save(written, format="PNG")
    return change(written.getvalue())


BROKEN = {
    "cut.png": (broken_png(lambda png: png[:-30]), "cut off"),
    "damaged.png": (broken_png(lambda png: png[:60] + b"\0\0\0" + png[63:]), "damaged"),
    "no pixels.png": (broken_png(lambda png: png[:33] + png[-12:]), "no pixels"),
    "text.png": (b"not a picture", "is not a picture"),
    "empty.jpg": (b"", "is not a picture"),
    "cut.jpg": (b"\xff\xd8\xff\xe0\x00\x10JFIF", "picture"),
    "entities.svg": (b'<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>', "declares XML entities"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_the_message_names_a_broken_picture(tmp_path, name):
    content, message = BROKEN[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(PaperError, match=f"{name}.*{message}"):
        drawn(tmp_path, deck_of([tmp_path / name]))


def test_the_message_names_a_missing_picture(tmp_path):
    with pytest.raises(PaperError, match=r"gone\.png: cannot be read"):
        drawn(tmp_path, deck_of([tmp_path / "gone.png"]))


@pytest.mark.parametrize("name", ["huge.png", "huge.tiff", "huge.jpg"])
def test_a_picture_of_a_hundred_megapixels_is_refused(tmp_path, name):
    Image.new("L", (10_000, 10_001)).save(tmp_path / name)
    with pytest.raises(PaperError, match="more than 50 megapixels"):
        drawn(tmp_path, deck_of([tmp_path / name]))


@pytest.mark.parametrize(
    ("drawing", "size", "message"),
    [
        ([], 256, "1 to"),
        ([[[1, 2], [1]]], 256, "not a drawing"),
        ([[1]], 256, "not a drawing"),
        ([[["a"], ["b"]]], 256, "not a drawing"),
        ([[[float("nan")], [0]]], 256, "million"),
        ([[[1], [1]]], 0, "million"),
    ],
)
def test_invalid_drawings_are_refused(drawing, size, message):
    with pytest.raises(PaperError, match=message):
        Strokes.from_quickdraw(drawing, size)
