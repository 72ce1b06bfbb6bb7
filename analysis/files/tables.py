"""CSV tables with a header: the one reader of every command.

UTF-8 with or without a byte-order mark, comma-separated, LF or CRLF; a name that ends in ``.gz`` is
unpacked. Cells are stripped of blanks at both ends, empty lines are skipped, further columns are
kept. Refusals name file and line.
"""

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.files.text import read_text

_NO_GROUPS = {"nan", "inf", "-inf", "null", "#n/a"}


@dataclass(frozen=True)
class Table:
    """A CSV file in memory, by column.

    Attributes
    ----------
    path : Path
        Where it was read.
    columns : dict of str to list of str
        Cells by column name, in the order of the file.
    lines : list of int
        The file's line of each row, for messages.
    """

    path: Path
    columns: dict[str, list[str]]
    lines: list[int]

    def __len__(self) -> int:
        return len(self.lines)

    def error(self, row: int, finding: str) -> InputError:
        """Make the refusal of a row (counted from 0): ``raise table.error(3, "…")``."""
        return InputError(f"{finding}", self.path, self.lines[row])

    def require(self, names: Sequence[str]) -> None:
        """Refuse a table that lacks one of these columns."""
        missing = [name for name in names if name not in self.columns]
        if missing:
            word = "column" if len(missing) == 1 else "columns"
            raise InputError(
                f"has no {word} {', '.join(missing)}; its header is {','.join(self.columns)}",
                self.path,
                1,
            )

    def ids(self, name: str) -> list[str]:
        """Give a column of identifiers; an empty one is refused.

        Raises
        ------
        InputError
            If the column is missing, or a cell is empty.
        """
        self.require([name])
        column = self.columns[name]
        for row, cell in enumerate(column):
            if not cell:
                raise self.error(row, f"{name} is empty; give it an id or remove the row")
        return column

    def refuse_no_group(self, row: int, group: str) -> None:
        """Refuse what programs write where a number is missing: all of it would be one group."""
        if group.lower() in _NO_GROUPS:
            raise self.error(
                row,
                f"the group is {group!r}, which is none; leave out what was not placed, or give "
                "the group another name",
            )

    def numbers(self, name: str) -> NDArray[np.float64]:
        """Give a column of finite numbers, shape (rows,).

        Raises
        ------
        InputError
            If the column is missing, or a cell is empty, not a number, or not finite.
        """
        self.require([name])
        column = self.columns[name]
        try:
            values = np.array(column, dtype=np.float64)
        except ValueError:
            values = np.array([_number(cell) for cell in column], dtype=np.float64)
        underscored = np.array(["_" in cell for cell in column], dtype=bool)
        for row in np.flatnonzero(~np.isfinite(values) | underscored):
            raise self.error(int(row), f"{name} is {column[row]!r}; a finite number is needed")
        return values


def read_table(path: str | Path, required: Sequence[str] = ()) -> Table:
    """Read a CSV file with a header.

    Parameters
    ----------
    path : path of the file.
    required : names of the columns that it must have, in any order.

    Returns
    -------
    Table

    Raises
    ------
    InputError
        If the file cannot be read, is not UTF-8, holds a NUL byte, is empty, has a row of another
        length than its header, names a column twice, or lacks one of `required`.
    """
    path = Path(path)
    rows = _rows(path)
    _, header = next(rows, (1, []))
    _refuse_header(path, header)
    lines: list[int] = []
    columns: dict[str, list[str]] = {name: [] for name in header}
    # Cell by cell into the columns: a million rows kept as lists would busy the garbage collector.
    adders = [column.append for column in columns.values()]
    for line, row in rows:
        if len(row) != len(header):
            raise InputError(
                f"has {len(row)} cells where the header has {len(header)}; "
                "put a cell that contains a comma in quotes",
                path,
                line,
            )
        lines.append(line)
        for add, cell in zip(adders, row, strict=True):
            add(cell.strip())
    table = Table(path, columns, lines)
    table.require(required)
    return table


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Give the file's rows that are not empty, each with the line where it begins."""
    reader = csv.reader(StringIO(read_text(path), newline=""), strict=True)
    line = 1
    try:
        for row in reader:
            if row and row != [""]:
                yield line, row
            line = reader.line_num + 1
    except csv.Error as reason:
        raise InputError(f"is not CSV: {reason}", path, line) from reason


def _refuse_header(path: Path, header: list[str]) -> None:
    header[:] = [name.strip() for name in header]
    if not header:
        raise InputError("is empty; a header line is needed", path)
    if len(header) == 1 and (";" in header[0] or "\t" in header[0]):
        separator = "semicolons" if ";" in header[0] else "tabs"
        raise InputError(f"is separated by {separator}; save it with commas", path, 1)
    for name, times in Counter(header).items():
        if times > 1:
            raise InputError(f"names the column {name!r} {times} times; rename one", path, 1)


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return float("nan")
