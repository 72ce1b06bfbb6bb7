"""Reducing JPEG files to their first picture, without metadata and appended data.

Phones write the place and the camera before the picture and may append a video. In a JPEG file, a
segment's length follows its marker, and the data after a scan's header end at the first marker that
is neither a stuffed zero nor a restart marker.

References
----------
ITU-T T.81 (1992), annex B.
"""

import re
import struct
from collections.abc import Iterator
from itertools import islice

from printables.artwork.exif import PREFIX, orientation_exif, orientation_of

# Matches only the last fill byte before a marker; otherwise a search would try each fill byte.
_MARKER = re.compile(rb"\xff([^\x00\xff])", re.DOTALL)
_AFTER_SCAN = re.compile(rb"\xff([^\x00\xff\xd0-\xd7])", re.DOTALL)
_END, _SCAN = 0xD9, 0xDA
# Programs write up to a few dozen scans. A decoder goes through all pixels for each, however short.
MOST_SCANS = 100
# TEM, restart markers and SOI have no length.
_WITHOUT_LENGTH = {0x01, *range(0xD0, 0xD9)}
_APP0, _APP1, _APP14, _APP15, _COMMENT = 0xE0, 0xE1, 0xEE, 0xEF, 0xFE
_JFIF = b"JFIF\0"


def first_picture(content: bytes) -> bytes | None:
    """Cut off what follows the first picture of a file.

    Parameters
    ----------
    content : bytes
        A JPEG file.

    Returns
    -------
    bytes or None
        None if the picture has no end because the file is truncated.
    """
    return next((content[:end] for marker, end in _markers(content) if marker == _END), None)


def has_too_many_scans(content: bytes) -> bool:
    """Whether the first picture of a file has more than `MOST_SCANS` scans."""
    # Quick, and enough for most files; thumbnails and data after the picture are included.
    if content.count(b"\xff\xda") <= MOST_SCANS:
        return False
    scans = (marker for marker, _end in _markers(content) if marker == _SCAN)
    return next(islice(scans, MOST_SCANS, None), None) is not None


def _markers(content: bytes) -> Iterator[tuple[int, int]]:
    """Each marker of the first picture, and the end of its segment."""
    at, pattern = 0, _MARKER
    while found := pattern.search(content, at):
        at, pattern = found.end(), _MARKER
        marker = found[1][0]
        if marker not in _WITHOUT_LENGTH and marker != _END:
            at += int.from_bytes(content[at : at + 2], "big")
        yield marker, at
        if marker == _END:
            return
        if marker == _SCAN:
            pattern = _AFTER_SCAN


def without_metadata(content: bytes) -> bytes | None:
    """Remove metadata from the first picture of a file, and cut off what follows it.

    Only the orientation remains, and what decoders need for the right colours (JFIF without its
    thumbnail, Adobe). EXIF, XMP, IPTC, colour profiles and comments are removed, with GPS
    positions, names and thumbnails.

    Parameters
    ----------
    content : bytes
        A JPEG file.

    Returns
    -------
    bytes or None
        None if the file is truncated.
    """
    if (alone := first_picture(content)) is None or not alone.startswith(b"\xff\xd8"):
        return None
    kept, at, turned = [], 2, 1
    while found := _MARKER.search(alone, at):
        at, marker, start = found.start(), found[1][0], found.end()
        end = start + int.from_bytes(alone[start : start + 2], "big")
        segment = alone[start + 2 : end]
        if marker == _APP1 and segment.startswith(PREFIX):
            turned = orientation_of(segment[len(PREFIX) :]) or turned
        if marker == _APP0 and segment.startswith(_JFIF):
            kept.append(_segment(_APP0, segment[:12] + b"\0\0"))
        elif marker == _APP14 or not (_APP0 <= marker <= _APP15 or marker == _COMMENT):
            kept.append(alone[at:end])
        at = end
        if marker == _SCAN:
            break
    exif = [_segment(_APP1, PREFIX + orientation_exif(turned))] if turned != 1 else []
    return b"".join([b"\xff\xd8", *exif, *kept, alone[at:]])


def _segment(marker: int, content: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content
