"""Removing metadata from picture files without changing the pixels.

Only the orientation remains, and what decoders need for the same pixels. EXIF, GPS positions, XMP,
texts, colour profiles (which name a monitor or a scanner) and data after the picture are removed.

References
----------
PNG specification, third edition (W3C 2025), section 5. RFC 9649 (WebP), section 2.7. TIFF 6.0
(Adobe 1992), section 2.
"""

import struct
import zlib
from collections.abc import Iterator

from printables.artwork import jpeg
from printables.artwork.exif import PREFIX, orientation_exif, orientation_of
from printables.artwork.png import SIGNATURE
from printables.artwork.tiff import without_descriptions

_PNG_KEPT = {b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"sBIT"}
_PNG_KEPT |= {b"pHYs", b"bKGD", b"acTL", b"fcTL", b"fdAT"}
_WEBP_KEPT = {b"VP8 ", b"VP8L", b"ALPH", b"ANIM", b"ANMF"}
# Flags in the header of extended WebP files.
_WEBP_EXIF, _WEBP_SHOWN = 0x08, 0x12


def without_metadata(content: bytes, kind: str) -> bytes | None:
    """Remove the metadata from a picture file.

    Parameters
    ----------
    content : bytes
    kind : {"jpeg", "png", "webp", "tiff"}
        Other kinds are returned unchanged.

    Returns
    -------
    bytes or None
        None if the file is too damaged to be parsed.
    """
    if kind == "jpeg":
        return jpeg.without_metadata(content)
    if kind == "png":
        return _png(content)
    if kind == "webp":
        return _webp(content)
    return without_descriptions(content) if kind == "tiff" else content


def _png(content: bytes) -> bytes | None:
    kept, turned = [], 1
    for name, start, end in _png_chunks(content):
        if name == b"eXIf":
            turned = orientation_of(content[start + 8 : end - 4]) or turned
        if name in _PNG_KEPT:
            kept.append(content[start:end])
    if not kept:
        return None
    if turned != 1:
        # Before the pixels, where all decoders look for it.
        kept.insert(1, _png_chunk(b"eXIf", orientation_exif(turned)))
    return SIGNATURE + b"".join(kept)


def _png_chunks(content: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Name, start and end of each complete chunk, up to the end of the picture."""
    at, name = len(SIGNATURE), b""
    while name != b"IEND" and at + 12 <= len(content):
        (length,), name = struct.unpack_from(">I", content, at), content[at + 4 : at + 8]
        end = at + 12 + length
        if end > len(content):
            return
        yield name, at, end
        at = end


def _png_chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def _webp(content: bytes) -> bytes | None:
    kept, header, turned = [], None, 1
    for name, body in _webp_chunks(content):
        if name == b"EXIF":
            turned = orientation_of(body.removeprefix(PREFIX)) or turned
        if name == b"VP8X" and len(body) >= 10:
            header = body
        if name in _WEBP_KEPT:
            kept.append(_webp_chunk(name, body))
    if not kept:
        return None
    if header is not None:
        flags = header[0] & _WEBP_SHOWN | (_WEBP_EXIF if turned != 1 else 0)
        kept.insert(0, _webp_chunk(b"VP8X", bytes([flags]) + header[1:10]))
        if turned != 1:
            kept.append(_webp_chunk(b"EXIF", orientation_exif(turned)))
    joined = b"WEBP" + b"".join(kept)
    return b"RIFF" + struct.pack("<I", len(joined)) + joined


def _webp_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Name and content of each complete chunk."""
    end = min(len(content), 8 + int.from_bytes(content[4:8], "little"))
    at = 12
    while at + 8 <= end:
        length = int.from_bytes(content[at + 4 : at + 8], "little")
        if at + 8 + length > end:
            return
        yield content[at : at + 4], content[at + 8 : at + 8 + length]
        at += 8 + length + length % 2


def _webp_chunk(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)
