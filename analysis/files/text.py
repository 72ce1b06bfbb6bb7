"""Text files, compressed or not, for all readers.

Files are UTF-8 with or without a byte-order mark; a file whose name ends in ``.gz`` is
decompressed. Errors state file and line.
"""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedIOBase
from pathlib import Path

from analysis.errors import InputError
from basics.system_messages import system_reason
from basics.wordings import Wording

_FIRST = 1 << 16
_GZIP = b"\x1f\x8b"
_OTHER_FORMATS = {
    b"PK\x03\x04": Wording(
        "is an Excel workbook (.xlsx) or another zip archive; save the sheet as CSV UTF-8 (comma "
        "delimited) and use that file"
    ),
    b"\xd0\xcf\x11\xe0": Wording(
        "is an Excel workbook (.xls); save the sheet as CSV UTF-8 (comma delimited) and use "
        "that file"
    ),
    b"\x89PNG": Wording("is a PNG picture; give a text file"),
    b"\xff\xd8\xff": Wording("is a JPEG picture; give a text file"),
    b"%PDF": Wording("is a PDF; give a text file"),
    b"MATLAB ": Wording("is a MATLAB file (.mat); save the table as CSV, or a matrix as .npz"),
}


def read_bytes(path: Path) -> bytes:
    """Read a file's bytes, decompressed if its name ends in .gz.

    Raises
    ------
    InputError
        If the file cannot be read, or its name ends in .gz and it is not a complete gzip file.
    """
    return _read(path, -1)


def read_text(path: Path) -> str:
    """Read a file's text, decompressed if its name ends in .gz.

    Raises
    ------
    InputError
        As for `read_bytes`, or if the file is not UTF-8 or contains a NUL byte.
    """
    return decoded(path, read_bytes(path))


def first_line(path: Path) -> str:
    """Read the first non-blank line, up to 64 KiB.

    Raises
    ------
    InputError
        As for `read_bytes`.
    """
    start = _read(path, _FIRST).decode("utf-8-sig", errors="replace")
    return start.lstrip("\ufeff \t\r\n").split("\n", 1)[0]


@contextmanager
def opened(path: Path) -> Iterator[BufferedIOBase]:
    """Open a file's bytes, decompressed if its name ends in .gz.

    Raises
    ------
    InputError
        As for `read_bytes`, also while reading.
    """
    with _as_input_errors(path), gzip.open(path) if is_gzip(path) else path.open("rb") as file:
        yield file


def decoded(path: Path, raw: bytes, before: int = 0) -> str:
    """Decode bytes of a file; `before` is the number of lines that precede them.

    Raises
    ------
    InputError
        With file and line, if the bytes are not UTF-8 or contain a NUL byte; with the file, if they
        are compressed, an Excel workbook, or a MATLAB file.
    """
    try:
        text = raw.decode("utf-8" if before else "utf-8-sig")
    except UnicodeDecodeError as reason:
        if raw.startswith(_GZIP):
            raise InputError(
                "is compressed with gzip; rename it so that its name ends in .gz", path
            ) from reason
        if not before:
            _refuse_other(path, raw)
        line = before + raw[: reason.start].count(b"\n") + 1
        raise InputError("is not UTF-8; save it as UTF-8 text", path, line) from reason
    if "\0" in text:
        if not before:
            _refuse_other(path, raw)
        line = before + text[: text.index("\0")].count("\n") + 1
        raise InputError("contains a NUL byte; it is not a text file", path, line)
    return text


def is_gzip(path: Path) -> bool:
    """Whether a file is gzip-compressed, by its name."""
    return path.suffix.lower() == ".gz"


def plain_suffix(path: Path) -> str:
    """Extension of a file in lower case, without .gz.

    Examples
    --------
    >>> plain_suffix(Path("sift.csv.gz")), plain_suffix(Path("sift.CSV"))
    ('.csv', '.csv')
    """
    return Path(path.stem if is_gzip(path) else path.name).suffix.lower()


def _refuse_other(path: Path, raw: bytes) -> None:
    """Raise an error for files of other programs that people may mistake for CSV."""
    for start, finding in _OTHER_FORMATS.items():
        if raw.startswith(start):
            raise InputError(finding, path)


def _read(path: Path, most: int) -> bytes:
    with opened(path) as file:
        return file.read(most)


@contextmanager
def _as_input_errors(path: Path) -> Iterator[None]:
    """Convert errors of the operating system into errors with the file's name."""
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as reason:
        raise InputError(
            "is not a complete gzip file; compress or download it again", path
        ) from reason
    except OSError as reason:
        raise InputError(
            Wording("cannot be read: %(reason)s", reason=system_reason(reason)), path
        ) from reason
