"""Tables that are safe in spreadsheets: no cell is run as a formula.

Spreadsheets run a cell that begins with = + - @ (or with a tab or a line break before them) as a
formula. Such text gets an apostrophe in front, in all files; numbers are unchanged.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from math import isnan
from pathlib import Path
from typing import TextIO

Cell = str | int | float | bool | datetime | None
RUN_BY_SPREADSHEETS = ("=", "+", "-", "@", "\t", "\r", "\n")


def harmless(text: str) -> str:
    """Text that spreadsheets do not run as a formula."""
    return "'" + text if text.startswith(RUN_BY_SPREADSHEETS) else text


def write_plain(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Write a table other than a data file of the dataset: materials, other tools' formats."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        _write(file, columns, rows)


def plain_text(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """The same table as text, for a download."""
    text = io.StringIO(newline="")
    _write(text, columns, rows)
    return text.getvalue()


def _write(file: TextIO, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([harmless(column) for column in columns])
    writer.writerows([cell(value) for value in row] for row in rows)


def measure_rows(records: Iterable[object], columns: Sequence[str]) -> list[tuple[Cell, ...]]:
    """Rows of measures: NaN is empty, and a tuple is one cell with its parts joined by "; "."""
    return [tuple(_measure(getattr(one, name)) for name in columns) for one in records]


def _measure(value: object) -> Cell:
    if isinstance(value, tuple):
        return "; ".join(value)
    if isinstance(value, float):
        return None if isnan(value) else round(value, 4)
    return value if isinstance(value, (str, int)) else None


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
