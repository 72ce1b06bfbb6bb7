"""Writing tables of an export, and describing their columns."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from study_app.core.text.spreadsheets import Cell, cell, harmless, write_plain
from study_app.results.exports.columns import (
    COLUMNS,
    FURTHER_COLUMNS,
    LEVEL,
    NUMBER,
    TRUTH,
    WHOLE,
    Column,
)

NAMED_AFTER_IDS = ("similarity.csv", "wide.csv")
"""Tables whose columns are sketches or participants."""


@dataclass
class Found:
    """The values of one column, over all data files.

    Attributes
    ----------
    low, high : float or None
        Smallest and largest number.
    levels : dict of str to None
        The values of a category, in order of appearance.
    """

    low: float | None = None
    high: float | None = None
    levels: dict[str, None] = field(default_factory=dict)

    def add(self, column: Column, value: Cell) -> None:
        """Add one cell; empty ones are ignored."""
        if value is None or value == "":
            return
        if column.type in (WHOLE, NUMBER) and isinstance(value, int | float):
            self.low = value if self.low is None else min(self.low, value)
            self.high = value if self.high is None else max(self.high, value)
        elif column.type == LEVEL and isinstance(value, str):
            self.levels[harmless(value)] = None


class Tables:
    """The data files of one export, and their columns.

    Attributes
    ----------
    used : dict of str to Found
        Columns of the data files written so far.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.used: dict[str, Found] = {}

    def write(self, path: str, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
        """Write one data file; each row has a value per column."""
        found = [(COLUMNS[name], self.used.setdefault(name, Found())) for name in columns]
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            for row in rows:
                for (column, values), value in zip(found, row, strict=True):
                    values.add(column, value)
                writer.writerow([cell(value) for value in row])

    def write_some(self, path: str, columns: Sequence[str], rows: Iterator[Sequence[Cell]]) -> None:
        """Write one data file, unless there are no rows."""
        first = next(rows, None)
        if first is not None:
            self.write(path, columns, chain([first], rows))

    def allow(self, name: str, low: float, high: float) -> None:
        """Widen the range of a column, if present, to its possible values."""
        if name in self.used:
            self.used[name].add(COLUMNS[name], low)
            self.used[name].add(COLUMNS[name], high)

    def measured(self) -> list[dict[str, Any]]:
        """The columns of the data files for Psych-DS: meaning, type, range, levels."""
        return [
            _property(name, COLUMNS[name], values) for name, values in sorted(self.used.items())
        ]

    def describe_others(self, places: Iterable[str], path: str) -> None:
        """Write a table with the meanings of the columns of all other tables."""
        known = {name: column.meaning for name, column in COLUMNS.items()} | FURTHER_COLUMNS
        rows: set[tuple[str, str, str]] = set()
        for table in (table for place in places for table in (self.folder / place).rglob("*.csv")):
            if table.name not in NAMED_AFTER_IDS:
                with table.open(encoding="utf-8", newline="") as file:
                    # A list of cards is named after its set and deck.
                    name = "cards/*.csv" if table.parent.name == "cards" else table.name
                    rows |= {(name, column, known[column]) for column in next(csv.reader(file))}
        write_plain(self.folder / path, ("table", "column", "meaning"), sorted(rows))


def _property(name: str, column: Column, values: Found) -> dict[str, Any]:
    described: dict[str, Any] = {
        "@type": "PropertyValue",
        "name": name,
        "description": column.meaning,
    }
    described["value"] = column.type
    if column.unit:
        described["unitText"] = column.unit
    if values.low is not None:
        described |= {"minValue": values.low, "maxValue": values.high}
    if column.type == TRUTH:
        described["valueReference"] = ["true", "false"]
    elif column.type == LEVEL:
        described["valueReference"] = list(dict.fromkeys((*column.levels, *values.levels)))
    return described
