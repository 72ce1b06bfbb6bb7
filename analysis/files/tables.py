"""Reader of CSV tables with a header, for all commands.

Tables are UTF-8 with or without a byte-order mark, comma-separated, with LF or CRLF; a file whose
name ends in ``.gz`` is decompressed. Spaces at both ends of cells are removed, empty lines are
skipped, and additional columns are allowed. Errors state file and line.
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
from basics.system_messages import csv_reason
from basics.wordings import Wording

_LONGEST_SHOWN = 40
_MISSING_MARKERS = {"nan", "inf", "-inf", "null", "#n/a"}


@dataclass(frozen=True)
class Table:
    """A CSV file in memory, by column.

    Attributes
    ----------
    path : Path
    columns : dict of str to list of str
        Cells by column name, in the order of the file.
    lines : list of int
        Line number of each row, for error messages.
    """

    path: Path
    columns: dict[str, list[str]]
    lines: list[int]

    def __len__(self) -> int:
        return len(self.lines)

    def error(self, row: int, finding: str) -> InputError:
        """The error for a row (from 0): ``raise table.error(3, "…")``."""
        return InputError(finding, self.path, self.lines[row])

    def require(self, names: Sequence[str]) -> None:
        """Raise an error if any of these columns is missing."""
        missing = [name for name in names if name not in self.columns]
        if missing:
            raise InputError(
                Wording(
                    "has no column %(missing)s; its header is %(columns)s",
                    "has no columns %(missing)s; its header is %(columns)s",
                    len(missing),
                    missing=", ".join(missing),
                    columns=",".join(self.columns),
                ),
                self.path,
                1,
            )

    def ids(self, name: str) -> list[str]:
        """Cells of a column of ids, none of them empty.

        Raises
        ------
        InputError
            If the column is missing, or a cell is empty.
        """
        self.require([name])
        column = self.columns[name]
        for row, cell in enumerate(column):
            if not cell:
                raise self.error(
                    row, Wording("%(name)s is empty; give it an id or remove the row", name=name)
                )
        return column

    def check_group_label(self, row: int, group: str) -> None:
        """Raise an error for markers of missing values such as NaN, which would form a group."""
        if group.lower() in _MISSING_MARKERS:
            raise self.error(
                row,
                Wording(
                    "the group is %(group)s, which means missing; leave out stimuli that were "
                    "not placed, or rename the group",
                    group=repr(group),
                ),
            )

    def numbers(self, name: str) -> NDArray[np.float64]:
        """A column of finite numbers, shape (rows,).

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
            raise self.error(int(row), self._number_error(name, column[row]))
        return values

    def _number_error(self, name: str, cell: str) -> str:
        """What is wrong with a cell, and a likely cause: a decimal comma, or swapped columns."""
        if not cell:
            return Wording("%(name)s is empty; a finite number is needed", name=name)
        given = repr(shortened(cell))
        if cell.count(",") == 1 and not np.isnan(_number(cell.replace(",", "."))):
            return Wording(
                "%(name)s is %(given)s; a finite number is needed, with a decimal point instead of "
                "the comma",
                name=name,
                given=given,
            )
        if np.isnan([_number(one) for one in self.columns[name]]).all():
            for other, cells in self.columns.items():
                if not np.isnan([_number(one) for one in cells]).any():
                    return Wording(
                        "%(name)s is %(given)s; a finite number is needed; are the columns "
                        "%(name)s and %(other)s swapped?",
                        name=name,
                        given=given,
                        other=other,
                    )
        return Wording("%(name)s is %(given)s; a finite number is needed", name=name, given=given)


def read_table(path: str | Path, required: Sequence[str] = ()) -> Table:
    """Read a CSV file with a header.

    Parameters
    ----------
    path : str or Path
    required : sequence of str
        Names of required columns, in any order.

    Returns
    -------
    Table

    Raises
    ------
    InputError
        If the file cannot be read, is not UTF-8, contains a NUL byte, is empty, has a row of a
        different length than the header, has a column name twice, or has not all of `required`.
    """
    path = Path(path)
    rows = _rows(path)
    _, header = next(rows, (1, []))
    _refuse_header(path, header)
    lines: list[int] = []
    columns: dict[str, list[str]] = {name: [] for name in header}
    # Collect columns, not rows: a million lists would slow down the garbage collector.
    adders = [column.append for column in columns.values()]
    for line, row in rows:
        if len(row) != len(header):
            raise InputError(_other_length(len(row), len(header)), path, line)
        lines.append(line)
        for add, cell in zip(adders, row, strict=True):
            add(cell.strip())
    table = Table(path, columns, lines)
    table.require(required)
    return table


def _other_length(count: int, wanted: int) -> Wording:
    """What is wrong with a row of another length than the header."""
    if count < wanted:
        return Wording(
            "has %(count)s of %(wanted)s cells; add the missing ones, or export the file again if "
            "it was cut off",
            count=count,
            wanted=wanted,
        )
    return Wording(
        "has %(count)s cells where the header has %(wanted)s; put a cell that contains a comma in "
        "quotes",
        count=count,
        wanted=wanted,
    )


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the non-empty rows, each with the number of its first line."""
    reader = csv.reader(StringIO(read_text(path), newline=""), strict=True)
    line = 1
    try:
        for row in reader:
            if row and row != [""]:
                yield line, row
            line = reader.line_num + 1
    except csv.Error as reason:
        raise InputError(
            Wording("is not CSV: %(reason)s", reason=csv_reason(reason)), path, line
        ) from reason


def _refuse_header(path: Path, header: list[str]) -> None:
    header[:] = [name.strip() for name in header]
    if not header:
        raise InputError("is empty; a header line is needed", path)
    if len(header) == 1 and (";" in header[0] or "\t" in header[0]):
        if ";" in header[0]:
            raise InputError("is separated by semicolons; save it with commas", path, 1)
        raise InputError("is separated by tabs; save it with commas", path, 1)
    for name, times in Counter(header).items():
        if times > 1:
            raise InputError(
                Wording(
                    "names the column %(name)s %(times)s times; rename one",
                    name=repr(name),
                    times=times,
                ),
                path,
                1,
            )


def shortened(cell: str) -> str:
    """A cell for an error message; a very long one is cut off.

    Examples
    --------
    >>> shortened("0,5"), len(shortened("9" * 400))
    ('0,5', 41)
    """
    return cell if len(cell) <= _LONGEST_SHOWN else f"{cell[:_LONGEST_SHOWN]}…"


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return float("nan")
