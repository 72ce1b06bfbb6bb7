"""The end of the first picture in a JPEG file, and removing its metadata."""

import io
import time

import numpy as np
import pytest
from PIL import Image

from printables.artwork.bitmaps import read_bitmap
from printables.artwork.jpeg import MOST_SCANS, first_picture, scans_fault, without_metadata
from printables.errors import PaperError
from printables.reading.photos.photo import load_grey
from study_app.stimuli.importing.prepare import prepare
from study_app.stimuli.importing.refusals import FileRefused


@pytest.fixture(params=[{}, {"progressive": True}, {"restart_marker_rows": 1}], ids=str)
def jpeg(request):
    pixels = np.random.default_rng(1).integers(0, 256, (48, 64, 3), np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", exif=b"Exif\0\0\xff\xd9", **request.param)
    return file.getvalue()


def test_data_after_the_picture_is_removed(jpeg):
    assert first_picture(jpeg) == jpeg
    assert first_picture(jpeg + b"a video" + jpeg) == jpeg


def test_a_truncated_file_gives_none(jpeg):
    assert first_picture(jpeg[:-2]) is None
    assert first_picture(jpeg[: len(jpeg) // 2]) is None
    assert first_picture(b"") is None


def _from_a_camera(orientation, byte_order):
    exif = Image.Exif()
    exif.endian = byte_order
    exif[0x010F], exif[0x0110], exif[0x0112] = "SpyCam", "SpyCam 3000", orientation
    exif.get_ifd(0x8825).update({1: "N", 2: (51.0, 3.0, 7.0)})
    drawn = Image.effect_mandelbrot((64, 48), (-2, -1, 1, 1), 60).convert("RGB")
    written = io.BytesIO()
    drawn.save(written, "JPEG", exif=exif, comment=b"SpyCam was here", icc_profile=b"SpyCam" * 9)
    return written.getvalue()


@pytest.mark.parametrize("byte_order", ["<", ">"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_only_the_orientation_remains_of_the_metadata(orientation, byte_order):
    content = _from_a_camera(orientation, byte_order)
    kept = without_metadata(content + b"a video of SpyCam")
    assert b"SpyCam" in content and b"SpyCam" not in kept
    with Image.open(io.BytesIO(kept)) as image, Image.open(io.BytesIO(content)) as before:
        assert dict(image.getexif()) == ({} if orientation == 1 else {0x0112: orientation})
        assert image.tobytes() == before.tobytes()
    assert without_metadata(kept) == kept
    assert without_metadata(content[:-9]) is None
    # Damaged EXIF data does not make the picture unreadable.
    for at in range(20, 200, 7):
        damaged = without_metadata(content[:at] + b"\xfe" + content[at + 1 :])
        assert damaged is None or b"\xff\xda" in damaged


def _put_in(content, at, marker, inside):
    return (
        content[:at] + bytes((0xFF, marker)) + (len(inside) + 2).to_bytes(2) + inside + content[at:]
    )


def test_metadata_between_two_scans_and_in_unusual_segments_is_removed():
    drawn, written = Image.effect_mandelbrot((64, 48), (-2, -1, 1, 1), 60), io.BytesIO()
    drawn.convert("RGB").save(written, "JPEG", progressive=True)
    plain = content = written.getvalue()
    second_tables = content.index(b"\xff\xc4", content.index(b"\xff\xda"))
    for marker, inside in [(0xFE, b"SpyCam"), (0xE1, b"Exif\0\0SpyCam"), (0xED, b"SpyCam")]:
        content = _put_in(content, second_tables, marker, inside)
    content = _put_in(content, 2, 0xEE, b"Adobe\0\x64\0\0\0\0\1SpyCam")
    content = _put_in(content, 2, 0xEE, b"SpyCam")
    kept = without_metadata(content)
    assert content.count(b"SpyCam") == 5 and b"SpyCam" not in kept
    with Image.open(io.BytesIO(kept)) as image, Image.open(io.BytesIO(plain)) as before:
        assert image.info["adobe_transform"] == 1
        assert image.tobytes() == before.tobytes()


def _with_scans(extra):
    """A progressive JPEG, one scan of which is repeated."""
    written = io.BytesIO()
    Image.new("L", (64, 48), 200).save(written, "JPEG", progressive=True)
    content = written.getvalue()
    first, second = (content.index(b"\xff\xda", at) for at in (0, content.index(b"\xff\xda") + 2))
    third = content.index(b"\xff\xda", second + 2)
    return content[:first] + content[first:third] + content[second:third] * extra + content[third:]


@pytest.mark.parametrize(
    "read",
    [
        lambda content: read_bitmap(content, "a.jpg"),
        load_grey,
        lambda content: prepare(content, "jpeg", 1_000_000),
    ],
    ids=["printed", "photo", "imported"],
)
def test_a_file_of_many_scans_is_refused_before_it_is_decoded(read):
    """A small file of 2,000 scans keeps a decoder busy for half a minute."""
    read(_with_scans(40))
    for content in (_with_scans(2000), _with_scans(2000)[:-9]):
        with pytest.raises((PaperError, FileRefused), match="has more than 100 scans; save it"):
            read(content)


def test_scans_are_counted_in_the_first_picture_only(jpeg):
    thumbnail = b"\xff\xda" * 200
    exif = b"\xff\xe1" + (len(thumbnail) + 2).to_bytes(2, "big") + thumbnail
    assert not scans_fault(jpeg[:2] + exif + jpeg[2:] + jpeg * 200)
    assert not scans_fault(_with_scans(MOST_SCANS - 6))
    assert scans_fault(_with_scans(MOST_SCANS))


@pytest.mark.parametrize(
    "filling", [b"\xff", b"\xff\xd8", b"\xff\xda\x00\x02\xff\xff", b"\xff\xe1"]
)
def test_megabytes_of_filling_are_read_in_linear_time(filling):
    content = b"\xff\xd8" + filling * (2_000_000 // len(filling))
    before = time.process_time()
    first_picture(content), scans_fault(content), without_metadata(content)
    # In quadratic time it would be minutes.
    assert time.process_time() - before < 10
