"""Reading the orientation from EXIF data, and writing EXIF data that contains only that.

References
----------
CIPA DC-008 (Exif), tag 274 (orientation).
"""

import struct

# Precedes EXIF data in JPEG files.
PREFIX = b"Exif\0\0"
ORIENTATION = 0x0112


def orientation_exif(orientation: int) -> bytes:
    """Make EXIF data that contains only an orientation."""
    return struct.pack(">2sHIHHHIHHI", b"MM", 42, 8, 1, ORIENTATION, 3, 1, orientation, 0, 0)


def orientation_of(exif: bytes) -> int | None:
    """Read the orientation, 1 to 8, from the first directory of EXIF data; None if it has none."""
    order = {b"II": "<", b"MM": ">"}.get(exif[:2])
    if order is None or len(exif) < 10:
        return None
    (first,) = struct.unpack_from(f"{order}I", exif, 4)
    entries = exif[first + 2 :]
    for at in range(0, len(entries) - 11, 12):
        tag, kind, _, value = struct.unpack_from(f"{order}HHIH", entries, at)
        if tag == ORIENTATION and kind == 3:
            return value if 1 <= value <= 8 else None
    return None
