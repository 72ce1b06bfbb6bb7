"""Text files, packed or not: where every reader opens its file.

UTF-8 with or without a byte-order mark; a name that ends in ``.gz`` is unpacked. Refusals name file
and line.
"""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from analysis.errors import InputError

_FIRST = 1 << 16
_GZIP = b"\x1f\x8b"
_WORKBOOKS = {
    b"PK\x03\x04": "an Excel workbook (.xlsx) or another zip archive",
    b"\xd0\xcf\x11\xe0": "an Excel workbook (.xls)",
}


def read_bytes(path: Path) -> bytes:
    """Give a file's bytes, unpacked where its name ends in .gz.

    Raises
    ------
    InputError
        If the file cannot be read, or is not a whole gzip file where its name says so.
    """
    return _read(path, -1)


def read_text(path: Path) -> str:
    """Give a file's text, unpacked where its name ends in .gz.

    Raises
    ------
    InputError
        As `read_bytes`; or if the file is not UTF-8, or holds a NUL byte.
    """
    return decoded(path, read_bytes(path))


def first_line(path: Path) -> str:
    """Give the first line that is not blank, or what of it stands in a file's first 64 KiB.

    Raises
    ------
    InputError
        As `read_bytes`.
    """
    start = _read(path, _FIRST).decode("utf-8-sig", errors="replace")
    return start.lstrip("\ufeff \t\r\n").split("\n", 1)[0]


def read_blocks(path: Path, size: int) -> Iterator[bytes]:
    """Give a file's bytes in blocks of a size, unpacked where its name ends in .gz.

    Raises
    ------
    InputError
        As `read_bytes`.
    """
    with _told(path), _opened(path) as file:
        while block := file.read(size):
            yield block


def decoded(path: Path, raw: bytes, before: int = 0) -> str:
    """Give the text that bytes of a file stand for, behind so many lines `before` them.

    Raises
    ------
    InputError
        With file and line, if they are not UTF-8, or hold a NUL byte; with the file, if they are
        packed, or a spreadsheet program's workbook.
    """
    try:
        text = raw.decode("utf-8" if before else "utf-8-sig")
    except UnicodeDecodeError as reason:
        if raw.startswith(_GZIP):
            raise InputError(
                "is packed with gzip; give it a name that ends in .gz", path
            ) from reason
        if not before:
            _refuse_workbook(path, raw)
        line = before + raw[: reason.start].count(b"\n") + 1
        raise InputError("is not UTF-8; save it as UTF-8 text", path, line) from reason
    if "\0" in text:
        if not before:
            _refuse_workbook(path, raw)
        line = before + text[: text.index("\0")].count("\n") + 1
        raise InputError("holds a NUL byte; it is not a text file", path, line)
    return text


def is_packed(path: Path) -> bool:
    """Tell a gzip file by its name."""
    return path.suffix.lower() == ".gz"


def plain_suffix(path: Path) -> str:
    """Give a file's ending, in small letters and as if it was not packed.

    Examples
    --------
    >>> plain_suffix(Path("sift.csv.gz")), plain_suffix(Path("sift.CSV"))
    ('.csv', '.csv')
    """
    return Path(path.stem if is_packed(path) else path.name).suffix.lower()


def _refuse_workbook(path: Path, raw: bytes) -> None:
    """Name a spreadsheet program's own file, which people take for the table that it shows."""
    for start, kind in _WORKBOOKS.items():
        if raw.startswith(start):
            raise InputError(
                f"is {kind}; save its sheet as CSV UTF-8 (comma delimited) and give that", path
            )


def _read(path: Path, most: int) -> bytes:
    with _told(path), _opened(path) as file:
        return file.read(most)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Refuse with the file's name what the system says of it."""
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as reason:
        raise InputError(f"is not a whole gzip file: {reason}", path) from reason
    except OSError as reason:
        raise InputError(f"cannot be read: {reason.strerror}", path) from reason


def _opened(path: Path) -> IO[bytes]:
    return gzip.open(path) if is_packed(path) else path.open("rb")  # type: ignore[return-value]
