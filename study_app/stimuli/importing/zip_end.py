"""The size of a .zip's list of files, from the record at its end: before the list is loaded."""

import os
from pathlib import Path

# The last record with its comment, and the two of a large archive before it.
LONGEST_END = 22 + 2**16 + 76
END, LARGE_END = b"PK\x05\x06", b"PK\x06\x06"
SEE_LARGE = 2**32 - 1


def directory_bytes(path: Path) -> int:
    """Length in bytes that an archive declares for its list of files; 0 if it declares none."""
    with path.open("rb") as file:
        file.seek(-min(path.stat().st_size, LONGEST_END), os.SEEK_END)
        end = file.read()
    at, at_large = end.rfind(END), end.rfind(LARGE_END)
    if at < 0:
        return 0
    length = int.from_bytes(end[at + 12 : at + 16], "little")
    if length == SEE_LARGE and at_large >= 0:
        length = int.from_bytes(end[at_large + 40 : at_large + 48], "little")
    return length
