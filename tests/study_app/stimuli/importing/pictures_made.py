"""Pictures, kind and hostile, made for the tests of importing."""

import io
import json
import struct
import zipfile
import zlib

from PIL import Image, ImageDraw


def saved(picture, file_format, **options):
    """A picture as the bytes of a file."""
    kept = io.BytesIO()
    picture.save(kept, file_format, **options)
    return kept.getvalue()


def sketch(number=0, size=(120, 90), mode="L"):
    """A grey sketch that differs from that of every other number."""
    picture = Image.new("L", size, 255)
    pen = ImageDraw.Draw(picture)
    pen.ellipse((10, 10, 50 + number % 50, 60), outline=0, width=3)
    pen.line((5, 5, 5 + number // 50, 80), fill=0, width=2)
    return picture.convert(mode)


def png(number=0):
    """The same as a PNG file."""
    return saved(sketch(number), "PNG")


def chunk(name, content):
    """A chunk of a PNG file."""
    check = struct.pack(">I", zlib.crc32(name + content))
    return struct.pack(">I", len(content)) + name + content + check


def png_that_claims(width, height):
    """A PNG of a few bytes whose header claims any size."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = chunk(b"IDAT", zlib.compress(b"\0" * 1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + pixels + chunk(b"IEND", b"")


def animated(file_format):
    """Two frames in one file."""
    frames = [sketch(n, mode="RGB") for n in (0, 40)]
    return saved(frames[0], file_format, save_all=True, append_images=frames[1:], duration=100)


def zipped(entries, packed=True):
    """A .zip of name -> content, the names exactly as they are given."""
    kept = io.BytesIO()
    way = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    with zipfile.ZipFile(kept, "w") as archive:
        for name, content in entries.items():
            archive.writestr(zipfile.ZipInfo(name), content, way)
    return kept.getvalue()


def line(key, *strokes):
    """One line of a Quick, Draw! file."""
    return json.dumps({"word": "bird", "key_id": key, "drawing": list(strokes)}).encode() + b"\n"


def svg(inside, **attributes):
    """An SVG document of 100 x 50 units."""
    more = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        f' viewBox="0 0 100 50"{more}>{inside}</svg>'
    ).encode()
