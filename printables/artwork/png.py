"""Splitting PNG files into the parts that a PDF needs, without decoding their pixels.

PDF supports PNG's compression and filters, so the pixels of a plain PNG (grey, colour or palette;
not interlaced, not transparent) are copied unchanged.

References
----------
PNG specification, third edition (W3C 2025), sections 5 and 11. ISO 32000-1:2008, 7.4.4.4.
"""

import struct
import zlib
from dataclasses import dataclass

from basics.wordings import Wording
from printables.errors import PaperError

# Programs write chunks of some kilobytes; a malicious file may have millions of empty ones.
MOST_CHUNKS = 100_000
SIGNATURE = b"\x89PNG\r\n\x1a\n"
_GREY, _COLOUR, _PALETTE = 0, 2, 3
_DEPTHS = {_GREY: (1, 2, 4, 8, 16), _COLOUR: (8, 16), _PALETTE: (1, 2, 4, 8)}
# Chunks that make decoding necessary: transparency, animation, orientation.
_NOT_PLAIN = {b"tRNS", b"acTL", b"eXIf"}


@dataclass(frozen=True)
class PlainPng:
    """The parts of a PNG that can be copied.

    Parameters
    ----------
    width, height : int
        Pixels.
    depth : int
        Bits per sample.
    channels : int
        1 (grey or palette) or 3.
    palette : bytes
        Red, green and blue of each entry; empty without a palette.
    pixels : bytes
        The joined IDAT chunks: a zlib stream.
    """

    width: int
    height: int
    depth: int
    channels: int
    palette: bytes
    pixels: bytes


def plain_png(content: bytes, place: str) -> PlainPng | None:
    """Split a PNG into its parts, if its pixels can be copied.

    Parameters
    ----------
    content : bytes
        A file that begins with `SIGNATURE`.
    place : str
        The file's name in error messages.

    Returns
    -------
    PlainPng or None
        None if the pixels must be decoded first.

    Raises
    ------
    PaperError
        If the file is damaged or cut off.
    """
    chunks = _chunks(content, place)
    head = chunks.get(b"IHDR", b"")
    if len(head) != 13 or b"IDAT" not in chunks:
        raise PaperError("the PNG has no pixels; save the picture again", place)
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", head)
    if not width or not height:
        raise PaperError(
            Wording(
                "the PNG is %(width)s x %(height)s pixels; save the picture again",
                width=width,
                height=height,
            ),
            place,
        )
    palette = chunks.get(b"PLTE", b"") if kind == _PALETTE else b""
    if depth not in _DEPTHS.get(kind, ()) or interlaced or _NOT_PLAIN & chunks.keys():
        return None
    if kind == _PALETTE and not palette:
        raise PaperError("the PNG has no palette; save the picture again", place)
    channels = 3 if kind == _COLOUR else 1
    return PlainPng(width, height, depth, channels, palette, chunks[b"IDAT"])


def _chunks(content: bytes, place: str) -> dict[bytes, bytes]:
    """Content by chunk type, joined if there are several, after checking the checksums."""
    parts: dict[bytes, list[bytes]] = {}
    start, count = len(SIGNATURE), 0
    while b"IEND" not in parts:
        count += 1
        if count > MOST_CHUNKS:
            raise PaperError("the PNG has too many chunks; save the picture again", place)
        end = start + 8 + int.from_bytes(content[start : start + 4], "big")
        if end + 4 > len(content):
            raise PaperError("the PNG is cut off; save or copy the picture again", place)
        body = memoryview(content)[start + 4 : end]
        if content[end : end + 4] != zlib.crc32(body).to_bytes(4, "big"):
            raise PaperError("the PNG is damaged; save or copy the picture again", place)
        parts.setdefault(bytes(body[:4]), []).append(bytes(body[4:]))
        start = end + 4
    return {kind: b"".join(bodies) for kind, bodies in parts.items()}
