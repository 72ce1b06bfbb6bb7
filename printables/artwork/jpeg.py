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
from collections.abc import Iterable, Iterator
from itertools import islice

from basics.wordings import Wording
from printables.artwork.exif import PREFIX, orientation_exif, orientation_of

# Matches only the last fill byte before a marker; otherwise a search would try each fill byte.
_MARKER = re.compile(rb"\xff([^\x00\xff])", re.DOTALL)
_AFTER_SCAN = re.compile(rb"\xff([^\x00\xff\xd0-\xd7])", re.DOTALL)
_END, _SCAN = 0xD9, 0xDA
# Takes two fifths of the time of counting these bytes.
_SCANS = re.compile(rb"\xff\xda")
# Programs write up to a few dozen scans. A decoder goes through all pixels for each, however short.
MOST_SCANS = 100
# TEM, restart markers and SOI have no length.
_WITHOUT_LENGTH = {0x01, *range(0xD0, 0xD9)}
# Frames, tables, scans, and the beginning and end of the picture.
_OF_PICTURE = {*range(0xC0, 0xD0), *range(0xD8, 0xE0)}
_APP0, _APP1, _APP14 = 0xE0, 0xE1, 0xEE
_JFIF, _ADOBE = b"JFIF\0", b"Adobe"


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
    return next(
        (content[:end] for marker, _start, end in _markers(content) if marker == _END), None
    )


def scans_fault(content: bytes) -> Wording | None:
    """What to say of a file whose first picture has more than `MOST_SCANS` scans, else None."""
    # Quick, and enough for most files; thumbnails and data after the picture are included.
    if not _has_more(_SCANS.finditer(content), MOST_SCANS):
        return None
    scans = (marker for marker, _start, _end in _markers(content) if marker == _SCAN)
    if not _has_more(scans, MOST_SCANS):
        return None
    return Wording("has more than %(most)s scans; save it again as a JPEG", most=MOST_SCANS)


def _has_more(found: Iterable[object], than: int) -> bool:
    return next(islice(iter(found), than, None), None) is not None


def _markers(content: bytes) -> Iterator[tuple[int, int, int]]:
    """Each marker of the first picture, and the start and end of its segment."""
    at, pattern = 0, _MARKER
    while found := pattern.search(content, at):
        at, pattern = found.end(), _MARKER
        marker = found[1][0]
        if marker not in _WITHOUT_LENGTH and marker != _END:
            at += int.from_bytes(content[at : at + 2], "big")
        yield marker, found.start(), at
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
    kept, turned, last, is_scan = list[bytes](), 1, 0, False
    for marker, start, end in _markers(alone):
        if is_scan:
            kept.append(alone[last:start])
        if marker == _APP1 and alone.startswith(PREFIX, start + 4, end):
            turned = orientation_of(alone[start + 4 + len(PREFIX) : end]) or turned
        kept.append(_kept(marker, alone[start:end]))
        last, is_scan = end, marker == _SCAN
    if turned != 1:
        kept.insert(1, _segment(_APP1, PREFIX + orientation_exif(turned)))
    return b"".join(kept)


def _kept(marker: int, segment: bytes) -> bytes:
    """What remains of a segment without metadata."""
    if marker == _APP0 and segment.startswith(_JFIF, 4):
        return _segment(_APP0, segment[4:16] + b"\0\0")
    if marker == _APP14 and segment.startswith(_ADOBE, 4):
        return _segment(_APP14, segment[4:16])
    return segment if marker in _OF_PICTURE else b""


def _segment(marker: int, content: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content
