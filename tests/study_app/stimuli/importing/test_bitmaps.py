"""Every bitmap format, and malicious files."""

import io
import struct
import subprocess
import sys
import zlib

import numpy as np
import pytest
from PIL import Image

from study_app.core.storage.picture_sizes import SHOWN_PIXELS, THUMBNAIL_PIXELS
from study_app.stimuli.importing import bitmaps
from study_app.stimuli.importing import prepare as module
from study_app.stimuli.importing.kinds import BITMAPS, kind_of
from study_app.stimuli.importing.prepare import prepare
from study_app.stimuli.importing.refusals import FileRefused
from tests.printables.hostile_files import gif_of, tiff_of
from tests.study_app.stimuli.importing.pictures_made import (
    animated,
    chunk,
    png,
    png_that_claims,
    saved,
    sketch,
)

LIMIT = 120_000_000


def test_a_process_that_decodes_pictures_loads_neither_the_database_nor_the_pages():
    loaded = subprocess.run(
        [sys.executable, "-c", f"import sys, {module.__name__}; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert {"PIL.Image", module.__name__} <= set(loaded)
    assert not {"sqlalchemy", "study_app.models", "study_app.web"} & set(loaded)


def shown(content):
    """The picture that people see of a file."""
    prepared = prepare(content, kind_of(content), LIMIT)
    return Image.open(io.BytesIO(prepared.png))


@pytest.mark.parametrize("kind", sorted(BITMAPS))
def test_every_format_is_rendered(kind):
    lossy = {"jpeg": {"quality": 95}, "webp": {"lossless": True}}
    content = saved(sketch(7, mode="RGB"), kind.upper(), **lossy.get(kind, {}))
    assert kind_of(content) == kind
    difference = np.asarray(shown(content).convert("L"), int) - np.asarray(sketch(7), int)
    assert abs(difference).max() <= (60 if kind == "jpeg" else 2)


def test_transparency_becomes_white():
    clear = Image.new("RGBA", (40, 30), (255, 0, 0, 0))
    clear.paste((0, 0, 0, 255), (10, 10, 20, 20))
    picture = shown(saved(clear, "PNG")).convert("RGB")
    assert picture.getpixel((0, 0)) == (255, 255, 255)
    assert picture.getpixel((15, 15)) == (0, 0, 0)


def test_palette_transparency_becomes_white():
    picture = Image.new("P", (20, 20), 0)
    picture.putpalette([10, 20, 30] + [0] * 765)
    content = saved(picture, "PNG", transparency=0)
    assert shown(content).convert("RGB").getpixel((5, 5)) == (255, 255, 255)


@pytest.mark.parametrize(("orientation", "place"), [(1, (2, 2)), (3, (37, 17)), (6, (17, 2))])
def test_the_exif_orientation_is_applied(orientation, place):
    lying = Image.new("L", (40, 20), 255)
    lying.paste(0, (0, 0, 5, 5))
    exif = Image.Exif()
    exif[0x0112] = orientation
    picture = shown(saved(lying, "JPEG", quality=95, exif=exif))
    assert picture.size == ((20, 40) if orientation == 6 else (40, 20))
    assert picture.convert("L").getpixel(place) < 60
    assert not picture.getexif()


def test_sixteen_bits_become_eight_without_clipping():
    ramp = (np.arange(256, dtype=np.uint16) * 257).reshape(16, 16)
    picture = shown(saved(Image.fromarray(ramp), "PNG"))
    assert np.array_equal(np.asarray(picture).ravel(), np.arange(256))


def test_cmyk_becomes_rgb():
    picture = shown(saved(Image.new("CMYK", (20, 20), (0, 255, 255, 0)), "JPEG", quality=95))
    red, green, blue = picture.getpixel((10, 10))
    assert red > 200 and green < 60 and blue < 60


def test_a_large_picture_is_bounded_and_its_thumbnail_small():
    content = saved(Image.new("L", (5000, 4000), 255), "PNG")
    prepared = prepare(content, "png", LIMIT)
    assert prepared.size == (SHOWN_PIXELS, SHOWN_PIXELS * 4 // 5)
    small = Image.open(io.BytesIO(prepared.webp))
    assert small.size == (THUMBNAIL_PIXELS, round(THUMBNAIL_PIXELS * 4 / 5))


def test_metadata_is_removed():
    picture = sketch(1)
    exif = Image.Exif()
    exif[0x010E] = "taken by Ada at home"
    content = saved(picture, "JPEG", exif=exif, comment=b"Ada")
    prepared = prepare(content, "jpeg", LIMIT)
    assert b"Ada" in content
    assert b"Ada" not in prepared.png + prepared.webp


@pytest.mark.parametrize("file_format", ["GIF", "WEBP", "PNG"])
def test_animation_is_refused(file_format):
    content = animated(file_format)
    with pytest.raises(FileRefused, match="is animated"):
        prepare(content, kind_of(content), LIMIT)


def test_several_pages_are_refused():
    with pytest.raises(FileRefused, match="several pages"):
        prepare(animated("TIFF"), "tiff", LIMIT)


def test_six_hundred_megapixels_are_refused_without_decoding():
    with pytest.raises(FileRefused, match=r"30000 x 20000 pixels .600 megapixels"):
        prepare(png_that_claims(30000, 20000), "png", LIMIT)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_truncated_file_is_refused(share):
    for kind in ("png", "jpeg", "webp", "gif", "tiff", "bmp"):
        whole = saved(sketch(3, (300, 200), "RGB"), kind.upper())
        with pytest.raises(FileRefused, match="is corrupt"):
            prepare(whole[: int(len(whole) * share)], kind, LIMIT)


def test_a_wrong_declared_size_is_found():
    with pytest.raises(FileRefused, match="is corrupt"):
        prepare(png_that_claims(300, 300), "png", LIMIT)


def test_the_pixel_hash_does_not_depend_on_the_file_format():
    one = prepare(png(5), "png", LIMIT)
    other = prepare(saved(sketch(5), "PNG", compress_level=1), "png", LIMIT)
    third = prepare(png(6), "png", LIMIT)
    assert one.pixel_hash == other.pixel_hash != third.pixel_hash


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGB", "RGBA", "CMYK", "I;16", "I"])
def test_large_pictures_of_every_mode_are_reduced(mode):
    """Twenty megapixels, reduced in bands, look like a picture of the reduced size."""
    small = Image.linear_gradient("L").resize((2000, 1030)).convert("RGB")
    for number in range(5):
        small.paste((50 * number, 0, 90), (0, 206 * number, 2000, 206 * number + 103))
    if mode.startswith("I"):
        deep = np.asarray(small.convert("L")).astype(np.uint16 if mode == "I;16" else np.int32)
        small = Image.fromarray(deep * 257)
        big = Image.fromarray((deep * 257).repeat(3, axis=0).repeat(3, axis=1))
    else:
        small = small.convert(mode)
        if mode in ("LA", "RGBA"):
            small.putalpha(128)
        big = small.resize((6000, 3090), Image.Resampling.NEAREST)
    assert big.width * big.height > bitmaps.BIG_PIXELS and big.mode == mode
    found, expected = bitmaps.shown(big), bitmaps.shown(small)
    assert found.size == expected.size == (2000, 1030)
    difference = np.abs(np.asarray(found, int) - np.asarray(expected, int))
    assert difference.max() <= 2


MEASURED = """
import io, resource, sys
from study_app.stimuli.importing.bitmaps import open_bitmap, shown
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
picture = shown(open_bitmap(sys.stdin.buffer.read(), "png", 120_000_000))
print(picture.size, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss counts otherwise elsewhere")
@pytest.mark.parametrize(("depth", "colour"), [(16, 0), (8, 3)])
def test_a_small_file_of_a_hundred_megapixels_takes_bounded_memory(depth, colour):
    """Grey of 16 bits, and a palette with transparency: 3.2 and 1.6 GB before."""
    width, height = 59_000, 2000
    rows = zlib.compress(bytes((width * depth // 8 + 1) * height), 1)
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    palette = chunk(b"PLTE", bytes(768)) + chunk(b"tRNS", bytes(256)) if colour else b""
    content = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + palette
    content += chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    finished = subprocess.run([sys.executable, "-c", MEASURED], input=content, capture_output=True)
    size, megabytes = finished.stdout.decode().rsplit(" ", 1)
    assert size.startswith("(2000, "), finished.stderr.decode()
    assert int(megabytes) < 600


@pytest.mark.parametrize(
    ("content", "message"),
    [(tiff_of(100_000), "several pages"), (gif_of(500_000), "is animated")],
    ids=["pages", "frames"],
)
def test_frames_are_not_counted(content, message):
    with pytest.raises(FileRefused, match=message):
        prepare(content, kind_of(content), LIMIT)


def test_a_crashing_decoder_loses_one_file_only(monkeypatch):
    monkeypatch.setattr(module, "_MAKE", "os:abort")
    with pytest.raises(FileRefused, match="is damaged, or takes more than 60 s or 2 GB to open"):
        prepare(png(5), "png", LIMIT)
