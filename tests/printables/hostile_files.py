"""Files that crashed or froze earlier versions of the server."""

import struct
from pathlib import Path

HEIC = Path(__file__).parent / "reading" / "photos" / "three_cards.heic"
# Found by changing each byte in turn: with these, libheif 1.23.4 reads out of bounds.
CRASHING_BYTES = ((178, 233), (178, 255), (177, 248))


def broken_heic(place, value):
    """A HEIC photo with one changed byte."""
    content = bytearray(HEIC.read_bytes())
    content[place] = value
    return bytes(content)


def tiff_of(pages):
    """A TIFF of many pages of one pixel."""
    tags = ((256, 4, 1), (257, 4, 1), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, 8))
    tags += ((277, 3, 1), (278, 4, 1), (279, 4, 1))
    entries = b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in tags)
    length = 2 + len(entries) + 4
    directories = (
        struct.pack("<H", len(tags))
        + entries
        + struct.pack("<I", 0 if page == pages - 1 else 10 + (page + 1) * length)
        for page in range(pages)
    )
    return b"II*\0" + struct.pack("<I", 10) + b"\x7f\0" + b"".join(directories)


def gif_of(frames):
    """A GIF of many frames of one pixel."""
    frame = b"\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0"
    head = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff"
    return head + frame * frames + b";"


def jpeg_of_fill_bytes(count):
    """The beginning of a JPEG, followed by fill bytes without a marker."""
    return b"\xff\xd8" + b"\xff" * count + b"\0"
