"""Tables that are safe in spreadsheets: no cell is run as a formula.

Spreadsheets run a cell that begins with = + - @ (or with a tab or a return before them) as a
formula. Such text gets an apostrophe in front, in all files; numbers are unchanged.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TextIO

Cell = str | int | float | bool | datetime | None
RUN_BY_SPREADSHEETS = ("=", "+", "-", "@", "\t", "\r")


def harmless(text: str) -> str:
    """Text that spreadsheets do not run as a formula."""
    return "'" + text if text.startswith(RUN_BY_SPREADSHEETS) else text


def write_plain(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Write a table other than a data file of the dataset: materials, other tools' formats."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        _write(file, columns, rows)


def plain_text(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """The same table as a text, for a download."""
    text = io.StringIO(newline="")
    _write(text, columns, rows)
    return text.getvalue()


def _write(file: TextIO, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([harmless(column) for column in columns])
    writer.writerows([cell(value) for value in row] for row in rows)


def moment(value: datetime | None) -> str:
    """A time in ISO 8601 UTC, or an empty string."""
    return value.isoformat(timespec="milliseconds").replace("+00:00", "Z") if value else ""


def cell(value: Cell) -> Cell:
    """A value as text or number for a cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return harmless(value) if isinstance(value, str) else value
