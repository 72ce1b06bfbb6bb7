"""Result files: CSV in full precision, and JSON without NaN."""

import csv
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from analysis.simulated import COLUMN, is_marked


def write_rows(path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a CSV table with floats in full precision; undefined numbers (NaN) are empty cells.

    Parameters
    ----------
    path : Path
    header : sequence of str
    rows : iterable of sequences
        Rows, each as long as the header.
    """
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        mark = is_marked()
        writer.writerow([*header, COLUMN] if mark else header)
        writer.writerows([_cell(v) for v in ((*row, True) if mark else row)] for row in rows)


def write_columns(path: Path, columns: Mapping[str, Any]) -> None:
    """Write a long CSV table fast; undefined numbers are empty cells, as in `write_rows`.

    Parameters
    ----------
    path : Path
    columns : dict of str to array or list
        Columns by name, in order; all of the same length, each of one type.
    """
    import polars as pl
    import polars.selectors as cs

    table = pl.DataFrame(dict(columns))
    if is_marked():
        table = table.with_columns(pl.lit(True).alias(COLUMN))
    defined = pl.when(cs.float().is_finite()).then(cs.float())
    table.with_columns(defined).write_csv(path)


def write_record(path: Path, record: dict[str, Any]) -> None:
    """Write a JSON object; undefined numbers (NaN) become null.

    Parameters
    ----------
    path : Path
    record : dict
        Numbers (including NumPy's), strings, lists and dicts.
    """
    marked = {COLUMN: True, **record} if is_marked() else record
    text = json.dumps(_plain(marked), indent=2, ensure_ascii=False, allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")


def _cell(value: Any) -> Any:
    plain = _plain(value)
    if plain is None:
        return ""
    return str(plain).lower() if isinstance(plain, bool) else plain


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
