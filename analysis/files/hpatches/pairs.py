"""HPatches classification files: pairs of patches, their labels, and a descriptor's distances.

There are two formats. The first has ``a,b,label`` pairs and ``distance,label`` results; the second
has pairs and results without labels, and a ``.labels`` file with one label per line. Labels are 1
(the same point) and 0. Spaces after commas, CRLF and blank lines at the end are allowed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.files.text import first_line, is_gzip, read_bytes, read_text
from basics.wordings import Wording

Values = NDArray[np.float64]
_SCHEMA: dict[str, type[pl.DataType]] = {
    "distance": pl.Float64,
    "label": pl.Int8,
    "first": pl.String,
    "second": pl.String,
}


@dataclass(frozen=True)
class Distances:
    """A descriptor's distances, one per pair.

    Attributes
    ----------
    path : Path
    distances : float array, shape (pairs,)
    labels : int array, shape (pairs,), or None
        None if the file has no labels.
    """

    path: Path
    distances: Values
    labels: NDArray[np.integer] | None


@dataclass(frozen=True)
class PatchPairs:
    """Pairs of patches to compare.

    Attributes
    ----------
    path : Path
    first, second : polars.Series of text
        Patch ids, ``sequence.image.index``.
    labels : int array, shape (pairs,), or None
    """

    path: Path
    first: pl.Series
    second: pl.Series
    labels: NDArray[np.integer] | None


def read_distances(path: str | Path) -> Distances:
    """Read a results file in either format.

    Parameters
    ----------
    path : str or Path
        A file of ``distance,label`` or ``distance`` rows, without a header.

    Returns
    -------
    Distances

    Raises
    ------
    InputError
        With file and line, if the file is empty, rows have different numbers of cells, a distance
        is not a finite number, or a label is neither 0 nor 1.
    """
    path = Path(path)
    table = _fast_table(path, ("distance", "label"))
    if table is None:
        table = _checked_table(path)
    labels = None if table.width == 1 else table.to_series(1).to_numpy()
    return Distances(path, table.to_series(0).to_numpy(), labels)


def read_labels(path: str | Path) -> NDArray[np.integer]:
    """Read a ``.labels`` file of a classification task: one label, 0 or 1, per line.

    Raises
    ------
    InputError
        With file and line, if the file is empty or a label is neither 0 nor 1.
    """
    path = Path(path)
    table = _fast_table(path, ("label",))
    if table is not None:
        return table.to_series().to_numpy()
    labels = [_label(path, line, row[0]) for line, row in _rows(path, (1,))]
    return np.array(labels, dtype=np.int8)


def read_pairs(path: str | Path) -> PatchPairs:
    """Read a ``.pairs`` file in either format.

    Raises
    ------
    InputError
        With file and line, if the file is empty, a row has neither two nor three cells, an id is
        empty, or a label is neither 0 nor 1.
    """
    path = Path(path)
    table = _fast_table(path, ("first", "second", "label"))
    if table is None or table.width == 1:
        table = _checked_pairs(path)
    labels = table["label"].to_numpy() if table.width == 3 else None
    return PatchPairs(path, table["first"], table["second"], labels)


def _fast_table(path: Path, columns: Sequence[str]) -> pl.DataFrame | None:
    """Parse a clean file fast with polars; None if anything is unusual."""
    width = first_line(path).count(",") + 1
    schema = {name: _SCHEMA[name] for name in columns[:width]}
    source = read_bytes(path) if is_gzip(path) else path
    quote = None if "first" in schema else '"'
    try:
        table = pl.read_csv(source, has_header=False, quote_char=quote, schema=schema)
    except (pl.exceptions.PolarsError, OSError):
        return None
    if not table.height or table.width != width or any(table.null_count().row(0)):
        return None
    names = [name for name in table.columns if _SCHEMA[name] == pl.String]
    table = table.with_columns(pl.col(names).str.strip_chars())
    unclear = [
        (pl.col(name) == "") | pl.col(name).str.contains("\0", literal=True) for name in names
    ]
    if names and table.select(pl.any_horizontal(unclear).any()).item():
        return None
    numbers = "distance" not in schema or np.isfinite(table["distance"].to_numpy()).all()
    labels = "label" not in schema or table["label"].is_between(0, 1).all()
    return table if numbers and labels else None


def _checked_pairs(path: Path) -> pl.DataFrame:
    """Parse line by line, so that errors can state the line."""
    rows = []
    for line, (first, second, *label) in _rows(path, (2, 3)):
        if not (first and second):
            raise InputError("names only one patch; a pair needs two", path, line)
        rows.append((first, second, *(_label(path, line, cell) for cell in label)))
    names = ("first", "second", "label")[: len(rows[0])]
    return pl.DataFrame(rows, {name: _SCHEMA[name] for name in names}, orient="row")


def _checked_table(path: Path) -> pl.DataFrame:
    """Parse line by line, so that errors can state the line."""
    distances, labels = [], []
    for line, row in _rows(path, (1, 2)):
        try:
            distance = float(row[0])
        except ValueError:
            distance = float("nan")
        if not np.isfinite(distance):
            raise InputError(
                Wording("distance %(distance)s is not a finite number", distance=repr(row[0])),
                path,
                line,
            )
        distances.append(distance)
        if len(row) == 2:
            labels.append(_label(path, line, row[1]))
    columns = {"distance": distances} | ({"label": labels} if labels else {})
    return pl.DataFrame(columns, schema_overrides=_SCHEMA)


def _rows(path: Path, widths: tuple[int, ...]) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of each non-blank line; all lines have the same number of cells."""
    width = None
    for line, row in enumerate(read_text(path).split("\n"), start=1):
        if not row.strip():
            continue
        cells = [cell.strip() for cell in row.split(",")]
        if len(cells) not in widths or (width is not None and len(cells) != width):
            wanted = width or " or ".join(str(w) for w in widths)
            raise InputError(
                Wording(
                    "has %(num)s cell instead of %(wanted)s",
                    "has %(num)s cells instead of %(wanted)s",
                    len(cells),
                    wanted=wanted,
                ),
                path,
                line,
            )
        width = len(cells)
        yield line, cells
    if width is None:
        raise InputError("is empty; one row per pair is needed", path)


def line_of(path: Path, row: int) -> int:
    """Line number of a row (from 0) in a file of either format; blank lines are not rows."""
    lines = enumerate(read_text(path).split("\n"), start=1)
    return [number for number, line in lines if line.strip()][row]


def _label(path: Path, line: int, cell: str) -> int:
    if cell not in ("0", "1", "0.0", "1.0"):
        raise InputError(
            Wording("label %(cell)s is neither 0 nor 1; are columns swapped?", cell=repr(cell)),
            path,
            line,
        )
    return int(float(cell))
