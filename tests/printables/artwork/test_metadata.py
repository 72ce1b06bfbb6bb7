"""Removing metadata: pixels and orientation are unchanged, also for OpenCV."""

import io
import struct
import zlib

import cv2
import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from printables.artwork.metadata import without_metadata

CAMERA = b"SpyCam"
KINDS = ("png", "webp", "tiff")

DRAWN = Image.effect_mandelbrot((64, 48), (-2, -1, 1, 1), 60)


def exif(orientation, byte_order):
    """EXIF data with a camera's name, a maker note and a position."""
    made = Image.Exif()
    made.endian = byte_order
    made[0x010F], made[0x0110], made[0x0112] = "SpyCam", "SpyCam 3000", orientation
    made.get_ifd(0x8769).update({0x927C: CAMERA * 40, 0xA433: "SpyCam lens"})
    made.get_ifd(0x8825).update({1: "N", 2: (51.0, 3.0, 7.0), 27: CAMERA})
    return made


def written(kind, orientation=6, byte_order="<", mode="RGB"):
    """A picture with all kinds of metadata that cameras and programs write."""
    options = {"exif": exif(orientation, byte_order), "icc_profile": CAMERA * 30}
    if kind == "png":
        options["pnginfo"] = texts = PngImagePlugin.PngInfo()
        texts.add_text("Software", "SpyCam 1.0")
        texts.add_text("Raw profile type exif", "SpyCam", zip=False)
        texts.add_itxt("XML:com.adobe.xmp", "<x:xmpmeta>SpyCam</x:xmpmeta>")
    if kind == "webp":
        options |= {"lossless": True, "xmp": b"<x:xmpmeta>SpyCam</x:xmpmeta>"}
    if kind == "tiff":
        options["exif"][270], options["exif"][305] = "SpyCam drew", "SpyCam 1.0"
        options["exif"][700] = b"<x:xmpmeta>SpyCam</x:xmpmeta>"
    file = io.BytesIO()
    DRAWN.convert(mode).save(file, kind, **options)
    return file.getvalue()


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA"])
@pytest.mark.parametrize("kind", KINDS)
def test_metadata_is_removed_and_pixels_are_unchanged(kind, mode):
    content = written(kind, mode=mode)
    kept = without_metadata(content, kind)
    assert content.count(CAMERA) > 3 and CAMERA not in kept and b"xmpmeta" not in kept
    with Image.open(io.BytesIO(kept)) as image, Image.open(io.BytesIO(content)) as before:
        found = image.getexif()
        assert found[0x0112] == 6
        assert not {0x010F, 0x0110, 0x8825, 0x8769, 0x0131} & set(found)
        assert not found.get_ifd(0x8825) and not found.get_ifd(0x8769)
        assert not {"icc_profile", "xmp", "Software"} & set(image.info)
        assert image.tobytes() == before.tobytes() and image.size == before.size
    # OpenCV, since Pillow wrote the file.
    both = [cv2.imdecode(np.frombuffer(c, np.uint8), cv2.IMREAD_UNCHANGED) for c in (content, kept)]
    assert both[0] is not None and np.array_equal(*both)
    assert without_metadata(kept, kind) == kept


@pytest.mark.parametrize("byte_order", ["<", ">"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_orientation_is_kept(kind, byte_order):
    for orientation in range(1, 9):
        kept = without_metadata(written(kind, orientation, byte_order), kind)
        with Image.open(io.BytesIO(kept)) as image:
            assert image.getexif().get(0x0112, 1) == orientation


def test_data_after_the_picture_is_removed():
    assert CAMERA not in without_metadata(written("png") + CAMERA, "png")
    assert CAMERA not in without_metadata(written("webp") + CAMERA, "webp")


def test_a_plain_picture_is_unchanged():
    for kind in ("png", "webp"):
        file = io.BytesIO()
        DRAWN.save(file, kind)
        assert without_metadata(file.getvalue(), kind) == file.getvalue()
    assert without_metadata(b"<svg/>", "svg") == b"<svg/>"


def test_an_unknown_chunk_is_removed():
    chunk = b"caMr" + CAMERA
    chunk = struct.pack(">I", len(CAMERA)) + chunk + struct.pack(">I", zlib.crc32(chunk))
    content = written("png")
    assert CAMERA not in without_metadata(content[:33] + chunk + content[33:], "png")


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files_are_refused_or_cleaned(kind):
    content = written(kind)
    for end in range(0, 400, 13):
        cut = without_metadata(content[:end], kind)
        assert cut is None or len(cut) <= end + 60
    for at in range(8, len(content), 7):
        changed = content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1 :]
        without_metadata(changed, kind)
