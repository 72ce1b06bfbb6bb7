"""The end of the first picture in a JPEG file, and removing its metadata."""

import io

import numpy as np
import pytest
from PIL import Image

from printables.artwork.jpeg import first_picture, without_metadata


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
