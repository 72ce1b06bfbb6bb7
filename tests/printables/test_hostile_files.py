"""Files that crashed or froze earlier versions of the server are refused with a message."""

import pytest

from printables.artwork.bitmaps import read_bitmap
from printables.artwork.jpeg import first_picture
from printables.artwork.svg import read_svg
from printables.errors import PaperError
from printables.reading.photos.heic import decoder_present
from printables.reading.photos.photo import load_grey
from tests.printables.hostile_files import CRASHING_BYTES, broken_heic, jpeg_of_fill_bytes, tiff_of
from tests.study_app.stimuli.importing.pictures_made import chunk

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'
LONG = 2_000_000
# Parsing each of these took time quadratic in its length.
QUADRATIC = {
    "digits": f'<rect width="{"1" * LONG}!" height="5"/>',
    "blanks": f'<path d="M0 0h9" stroke="red" stroke-width="1{" " * LONG}!"/>',
    "names": f'<rect width="5" height="5" transform="{"a" * LONG}"/>',
    "brackets": f'<rect width="5" height="5" transform="{"a(" * (LONG // 2)}"/>',
    "references": f'<rect width="5" height="5" fill="{"url(" * (LONG // 4)}"/>',
}


@pytest.mark.skipif(not decoder_present(), reason="no HEIC decoder is installed")
@pytest.mark.parametrize(("place", "value"), CRASHING_BYTES)
def test_a_heic_photo_that_crashes_the_decoder_is_refused(place, value):
    with pytest.raises(PaperError, match=r"^the photo: is damaged, or needs more than 30 s"):
        load_grey(broken_heic(place, value))


def test_a_photo_of_a_hundred_thousand_pages_is_refused():
    with pytest.raises(PaperError, match="1 x 1 pixels are too few to show a card; choose the"):
        load_grey(tiff_of(100_000))


@pytest.mark.parametrize("what", QUADRATIC)
def test_long_attributes_of_an_svg_take_linear_time(what):
    try:
        read_svg(SVG.format(QUADRATIC[what]).encode(), "file")
    except PaperError as refusal:
        assert "takes more than" not in str(refusal)


def test_fill_bytes_of_a_jpeg_take_linear_time():
    assert first_picture(jpeg_of_fill_bytes(5_000_000)) is None


def test_a_png_with_too_many_chunks_is_refused():
    empty = chunk(b"tEXt", b"")
    head = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", bytes([0, 0, 0, 1] * 2 + [8, 0, 0, 0, 0]))
    with pytest.raises(PaperError, match="too many chunks"):
        read_bitmap(head + empty * 200_000, "file")
