"""Removing metadata from TIFF files.

Pixels are not moved: entries that decoders do not need are removed from their directory, and the
bytes of their values are set to zero.

References
----------
TIFF 6.0 (Adobe 1992), sections 2, 8 and 14 to 22.
"""

import struct
from contextlib import suppress
from typing import NamedTuple

# Tags that decoders need to find and decode the pixels, and the orientation (274).
_KEPT = {254, 255, 256, 257, 258, 259, 262, 263, 264, 265, 266, 273, 274, 277, 278, 279}
_KEPT |= {280, 281, 282, 283, 284, 290, 291, 292, 293, 296, 301, 317, 318, 319, 320, 321}
_KEPT |= {322, 323, 324, 325, 332, 334, 336, 338, 339, 340, 341, 342, 347, *range(512, 522)}
_KEPT |= {529, 530, 531, 532}
# Tags of subdirectories: smaller copies, EXIF, GPS, interoperability.
_INNER = {330, 34665, 34853, 40965}
_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4}
# Pictures have few directories; a malicious file may have any number.
_MOST_DIRECTORIES, _MOST_ENTRIES = 64, 4096


class _Entry(NamedTuple):
    """An entry of a directory; its value is in the entry itself or elsewhere in the file."""

    tag: int
    length: int
    packed: bytes
    value: slice
    is_within: bool


def without_descriptions(content: bytes) -> bytes | None:
    """Remove EXIF, GPS, XMP, texts and colour profiles from a TIFF file.

    Parameters
    ----------
    content : bytes

    Returns
    -------
    bytes or None
        None if it is not a TIFF file, or its directories are damaged.
    """
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(content[:4])
    if order is None:
        return None
    cleaned = bytearray(content)
    try:
        _Cleaner(content, cleaned, order).pages(struct.unpack_from(f"{order}I", content, 4)[0])
    except (struct.error, ValueError):
        return None
    return bytes(cleaned)


class _Cleaner:
    """Removes entries from the directories of one file."""

    def __init__(self, content: bytes, cleaned: bytearray, order: str) -> None:
        self._content, self._cleaned, self._order = content, cleaned, order
        self._left = _MOST_DIRECTORIES

    def pages(self, at: int) -> None:
        """Clean a directory and all that follow it."""
        while at:
            at = self._clean(at, _KEPT)

    def _clean(self, at: int, kept_tags: set[int]) -> int:
        """Remove all but some tags of a directory; return the position of the next directory."""
        self._left -= 1
        if self._left < 0:
            raise ValueError("too many directories")
        entries, end = self._entries(at)
        kept = [entry for entry in entries if entry.tag in kept_tags]
        for entry in entries:
            if entry.tag in _INNER:
                self._clean_inner(entry)
        for entry in entries:
            if entry.tag not in kept_tags:
                self._erase(entry.value)
        following = self._content[end : end + 4]
        written = struct.pack(f"{self._order}H", len(kept)) + b"".join(e.packed for e in kept)
        self._erase(slice(at, end + 4))
        self._write(at, written + following)
        for entry in kept:
            # A removed entry may have shared bytes with this value.
            if not entry.is_within:
                self._write(entry.value.start, self._content[entry.value])
        return int.from_bytes(following, "little" if self._order == "<" else "big")

    def _clean_inner(self, entry: _Entry) -> None:
        count = min(entry.length, _MOST_DIRECTORIES)
        # The entry of a damaged subdirectory is removed as well.
        with suppress(struct.error, ValueError):
            for at in struct.unpack_from(f"{self._order}{count}I", self._content[entry.value]):
                self._clean(at, set())

    def _entries(self, at: int) -> tuple[list[_Entry], int]:
        (count,) = struct.unpack_from(f"{self._order}H", self._content, at)
        if count > _MOST_ENTRIES:
            raise ValueError("too many entries")
        places = range(at + 2, at + 2 + 12 * count, 12)
        return [self._entry(place) for place in places], at + 2 + 12 * count

    def _entry(self, at: int) -> _Entry:
        tag, kind, count, value = struct.unpack_from(f"{self._order}HHII", self._content, at)
        size = _SIZES.get(kind, 1) * count
        start = at + 8 if size <= 4 else value
        place = slice(start, start + size)
        return _Entry(tag, count, self._content[at : at + 12], place, size <= 4)

    def _erase(self, place: slice) -> None:
        start, stop, _ = place.indices(len(self._cleaned))
        self._cleaned[start:stop] = bytes(max(0, stop - start))

    def _write(self, at: int, written: bytes) -> None:
        self._cleaned[at : at + len(written)] = written
