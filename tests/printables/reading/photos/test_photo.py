"""Files that are photos, and files that are not."""

import contextlib
import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from printables.errors import PaperError
from printables.reading.photos.photo import load_colour, load_grey

RAMP = np.add.outer(np.arange(40), 3 * np.arange(60)).astype(np.uint8)
ORIENTATIONS = {
    1: lambda p: p,
    2: lambda p: p[:, ::-1],
    3: lambda p: p[::-1, ::-1],
    4: lambda p: p[::-1],
    5: lambda p: p.T,
    6: lambda p: np.rot90(p, -1),
    7: lambda p: np.rot90(p, 2).T,
    8: lambda p: np.rot90(p, 1),
}


def saved(pixels, kind="PNG", **options):
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, kind, **options)
    return file.getvalue()


def png_claiming(width, height):
    """A PNG whose header promises a size that is not there."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(b"\0" * 100)), (b"IEND", b""))
    body = b"".join(
        struct.pack(">I", len(part)) + name + part + struct.pack(">I", zlib.crc32(name + part))
        for name, part in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + body


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_a_photo_stands_upright_as_exif_says(orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    content = saved(RAMP, "JPEG", exif=exif, quality=95)
    assert np.abs(load_grey(content) - ORIENTATIONS[orientation](RAMP).astype(int)).max() < 8
    assert load_colour(content).shape[:2] == load_grey(content).shape


@pytest.mark.parametrize("kind", ["PNG", "TIFF", "BMP"])
def test_kinds_of_pictures(kind, tmp_path):
    (tmp_path / "photo").write_bytes(saved(RAMP, kind))
    assert (load_grey(tmp_path / "photo") == RAMP).all()


def test_webp():
    assert load_grey(saved(RAMP, "WEBP", lossless=True)).shape == RAMP.shape


def test_pixels_are_taken_as_they_are():
    assert (load_grey(RAMP) == RAMP).all()
    red = np.zeros((30, 30, 3), np.uint8)
    red[..., 0] = 255
    assert load_grey(red)[0, 0] == 76
    assert load_colour(red)[0, 0].tolist() == [0, 0, 255]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"hello, I am a photo", "not a photo"),
        (b"\0\0\0\x18ftypqt  " + b"\0" * 50, "a video"),
        (saved(RAMP)[:60], "damaged"),
        (saved(RAMP, "JPEG")[:300], "damaged"),
        (png_claiming(60_000, 50_000), "more than 120 million"),
        (png_claiming(3000, 2000), "damaged"),
        (saved(RAMP[:5, :5]), "too few"),
        (b"\xff\xd8\xff\xe1\0\x08Exif\0\0", "damaged|not a photo"),
    ],
)
def test_what_is_no_photo_is_refused_in_a_sentence(content, words):
    with pytest.raises(PaperError, match=words) as refusal:
        load_grey(content)
    assert "\n" not in str(refusal.value)


def test_files_that_are_too_large_are_not_read(tmp_path):
    (tmp_path / "photo.png").write_bytes(saved(RAMP))
    with pytest.raises(PaperError, match=r"photo\.png: is larger than 0 MB"):
        load_grey(tmp_path / "photo.png", most_bytes=50)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(PaperError, match=r"nowhere\.jpg: cannot be opened"):
        load_grey(tmp_path / "nowhere.jpg")
    with pytest.raises(PaperError, match="cannot be opened"):
        load_grey(tmp_path)


@pytest.mark.parametrize("pixels", [RAMP.astype(float), RAMP.ravel(), np.zeros((30, 30, 4), "u1")])
def test_pixels_of_other_shapes(pixels):
    with pytest.raises(PaperError, match="uint8 of shape"):
        load_grey(pixels)


@pytest.mark.parametrize("seed", range(20))
def test_bytes_changed_at_random_never_break_it(seed):
    rng = np.random.default_rng(seed)
    content = bytearray(saved(RAMP, "JPEG" if seed % 2 else "PNG"))
    for place in rng.integers(0, len(content), 12):
        content[place] = rng.integers(256)
    with contextlib.suppress(PaperError):
        assert load_grey(bytes(content)).dtype == np.uint8
