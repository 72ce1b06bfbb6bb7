"""Opening photos in several formats, and refusing other files."""

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
    """A PNG whose header declares another size than its pixels have."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(b"\0" * 100)), (b"IEND", b""))
    body = b"".join(
        struct.pack(">I", len(part)) + name + part + struct.pack(">I", zlib.crc32(name + part))
        for name, part in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + body


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_the_exif_orientation_is_applied(orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    content = saved(RAMP, "JPEG", exif=exif, quality=95)
    assert np.abs(load_grey(content) - ORIENTATIONS[orientation](RAMP).astype(int)).max() < 8
    assert load_colour(content).shape[:2] == load_grey(content).shape


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("kind", ["PNG", "WEBP", "TIFF"])
def test_the_orientation_is_applied_once_in_every_format(kind, orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    options = {"TIFF": {"tiffinfo": exif}, "WEBP": {"exif": exif, "lossless": True}}
    content = saved(RAMP, kind, **options.get(kind, {"exif": exif}))
    upright = ORIENTATIONS[orientation](RAMP)
    for seen in (load_grey(content), load_colour(content)[..., 1]):
        assert seen.shape == upright.shape and np.abs(seen - upright.astype(int)).max() < 8


@pytest.mark.parametrize("kind", ["PNG", "TIFF", "BMP"])
def test_formats_without_loss_give_the_same_pixels(kind, tmp_path):
    (tmp_path / "photo").write_bytes(saved(RAMP, kind))
    assert (load_grey(tmp_path / "photo") == RAMP).all()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "TIFF", "BMP", "WEBP"])
@pytest.mark.parametrize("size", [(61, 40), (640, 481)])
def test_a_photo_at_half_its_size_shows_the_same(kind, size):
    pixels = np.asarray(Image.fromarray(RAMP).resize(size))
    content = saved(pixels, kind, **({} if kind == "JPEG" else {"lossless": True}))
    for photo in (content, pixels):
        half = load_grey(photo, reduction=2)
        assert np.abs(np.subtract(half.shape, np.divide(pixels.shape, 2))).max() <= 0.5
        expected = np.asarray(
            Image.fromarray(pixels).resize(half.shape[::-1], Image.Resampling.BOX)
        )
        assert np.abs(half.astype(int) - expected)[2:-2, 2:-2].max() < 10


def test_webp():
    assert load_grey(saved(RAMP, "WEBP", lossless=True)).shape == RAMP.shape


def test_arrays_of_pixels_are_used_unchanged():
    assert np.shares_memory(load_grey(RAMP), RAMP)
    red = np.zeros((30, 30, 3), np.uint8)
    red[..., 0] = 255
    assert load_grey(red)[0, 0] == 76
    assert load_colour(red)[0, 0].tolist() == [0, 0, 255]


@pytest.mark.parametrize(
    ("content", "message"),
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
def test_other_files_are_refused_with_a_message(content, message):
    with pytest.raises(PaperError, match=message) as refusal:
        load_grey(content)
    assert "\n" not in str(refusal.value)


def test_files_that_are_too_large_are_not_read(tmp_path):
    (tmp_path / "photo.png").write_bytes(saved(RAMP))
    with pytest.raises(PaperError, match=r"photo\.png: is larger than 0 MB"):
        load_grey(tmp_path / "photo.png", most_bytes=50)


def test_the_message_names_a_missing_file(tmp_path):
    with pytest.raises(PaperError, match=r"nowhere\.jpg: cannot be opened"):
        load_grey(tmp_path / "nowhere.jpg")
    with pytest.raises(PaperError, match="cannot be opened"):
        load_grey(tmp_path)


@pytest.mark.parametrize("pixels", [RAMP.astype(float), RAMP.ravel(), np.zeros((30, 30, 4), "u1")])
def test_arrays_of_other_types_and_shapes_are_refused(pixels):
    with pytest.raises(PaperError, match="uint8 of shape"):
        load_grey(pixels)


@pytest.mark.parametrize("seed", range(20))
def test_randomly_changed_bytes_give_a_photo_or_a_refusal(seed):
    rng = np.random.default_rng(seed)
    content = bytearray(saved(RAMP, "JPEG" if seed % 2 else "PNG"))
    for place in rng.integers(0, len(content), 12):
        content[place] = rng.integers(256)
    with contextlib.suppress(PaperError):
        assert load_grey(bytes(content)).dtype == np.uint8
