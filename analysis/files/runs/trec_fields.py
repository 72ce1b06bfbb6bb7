"""The fields of TREC files: parsed quickly if a file is clean, line by line otherwise.

Fields are separated by spaces or tabs. Errors name the line.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.files.text import decoded
from basics.plurals import counted

Fields = dict[str, type[pl.DataType]]
RUN: Fields = {
    "query": pl.String,
    "iteration": pl.String,
    "document": pl.String,
    "rank": pl.String,
    "score": pl.Float64,
    "tag": pl.String,
}
QRELS: Fields = {
    "query": pl.String,
    "iteration": pl.String,
    "document": pl.String,
    "relevance": pl.Int64,
}
NEEDED = {"score": "a finite number", "relevance": "a whole number"}
_UNUSED = ("iteration", "tag")
_OF_NUMBERS = b"0123456789.+-eE \t\n"
_BLANKS = " \t\r"
_NEW_LINE = ord("\n")
_WINDOW = 1 << 18


def parse(path: Path, raw: bytes, fields: Fields, before: int = 0) -> tuple[pl.DataFrame, int]:
    """Parse lines into columns of fields, and ``line``, the line number.

    Parameters
    ----------
    path : Path
        For error messages.
    raw : bytes
        Whole lines.
    fields : RUN or QRELS
    before : int
        Number of lines in the file before these.

    Returns
    -------
    table : polars.DataFrame
        Without the unused fields, iteration and tag; ranks are integers if all are, otherwise text.
    lines : int
        Number of lines, blank ones included.

    Raises
    ------
    InputError
        With file and line, if a line has another number of fields, or a score or relevance is not a
        number.
    """
    table = _quickly(raw, fields, before)
    if table is not None:
        return table, table.height
    return _line_by_line(path, raw, fields, before), _count_line_ends(raw)


def _quickly(raw: bytes, fields: Fields, before: int) -> pl.DataFrame | None:
    """Parse quickly with polars; None if anything is unusual."""
    raw = raw.replace(b"\r\n", b"\n") if b"\r" in raw else raw
    separator, other = (" ", b"\t") if b"\t" not in raw else ("\t", b" ")
    if any(sign in raw for sign in (other, b"\r", b"\0")):
        return None
    separators, doubled = _counts(raw, ord(separator))
    if doubled:
        return None
    for schema in _schemas(fields):
        tagged = schema.get("rank") == pl.Int64 and _every_line_is_tagged(raw)
        table = _as_csv(raw, separator, schema, ("iteration", "tag") if tagged else ("iteration",))
        if table is not None:
            # If each line has a last field, no line can have too many; a blank line has nulls.
            enough = separators == table.height * (len(fields) - 1) > 0
            clean = enough and not any(table.null_count().row(0))
            table = table.drop(_UNUSED, strict=False)
            return table.with_row_index("line", offset=before + 1) if clean else None
    return None


def _every_line_is_tagged(raw: bytes) -> bool:
    """Whether no line ends in a number: then none with a rank and a score lacks its tag.

    One of the last three bytes of the first line, which is of no number, is asked of every line. In
    a line that ended with its score, these were bytes of score, rank and the blank between.
    """
    start = raw[: raw.find(b"\n")][-3:]
    back = next((k for k in (1, 2, 3) if start[-k:][:1] not in _OF_NUMBERS), 0)
    if not back or not raw.endswith(b"\n"):
        return False
    signs, sign = np.frombuffer(raw, np.uint8), start[-back]
    for at in range(0, signs.size, _WINDOW):
        window = signs[at : at + _WINDOW + back]
        if ((window[back:] == _NEW_LINE) & (window[:-back] != sign)).any():
            return False
    return True


def _counts(raw: bytes, separator: int) -> tuple[int, int]:
    """Count separators and repeated separators, window by window to stay in the cache."""
    separators = doubled = 0
    for window in _windows(raw):
        here = window == separator
        doubled += int(np.count_nonzero(here[1:] & here[:-1]))
        separators += int(np.count_nonzero(here[:_WINDOW]))
    return separators, doubled


def _count_line_ends(raw: bytes) -> int:
    """Count line ends; several times as fast as `bytes.count` where lines are short."""
    return sum(int(np.count_nonzero(w[:_WINDOW] == _NEW_LINE)) for w in _windows(raw))


def _windows(raw: bytes) -> Iterator[NDArray[np.uint8]]:
    """Yield stretches of bytes, each with the first byte of the next."""
    signs = np.frombuffer(raw, np.uint8)
    return (signs[start : start + _WINDOW + 1] for start in range(0, signs.size, _WINDOW))


def _schemas(fields: Fields) -> list[Fields]:
    """Try ranks as integers first, which are read faster than text."""
    return [fields | {"rank": pl.Int64}, fields] if "rank" in fields else [fields]


def _as_csv(
    raw: bytes, separator: str, schema: Fields, unread: tuple[str, ...]
) -> pl.DataFrame | None:
    columns = [k for k, name in enumerate(schema) if name not in unread]
    try:
        return pl.read_csv(
            raw,
            has_header=False,
            separator=separator,
            quote_char=None,
            schema=schema,
            columns=columns,
        )
    except pl.exceptions.PolarsError:
        return None


def _line_by_line(path: Path, raw: bytes, fields: Fields, before: int) -> pl.DataFrame:
    """Parse line by line: any whitespace separates fields, blank lines are skipped, errors name the
    line."""
    rows = decoded(path, raw, before).split("\n")
    lines = pl.DataFrame({"row": rows}).with_row_index("line", offset=before + 1)
    lines = lines.with_columns(
        pl.col("row").str.strip_chars(_BLANKS).str.replace_all(f"[{_BLANKS}]+", " ")
    )
    lines = lines.filter(pl.col("row") != "")
    wrong = lines.filter(pl.col("row").str.count_matches(" ", literal=True) != len(fields) - 1)
    if not wrong.is_empty():
        line, row = wrong["line"][0], wrong["row"][0]
        raise InputError(
            f"has {counted(row.count(' ') + 1, 'field')}; "
            f"{len(fields)} are needed: {' '.join(fields)}",
            path,
            line,
        )
    parts = pl.col("row").str.split_exact(" ", len(fields) - 1).struct.rename_fields(list(fields))
    texts = lines.select("line", parts.alias("parts")).unnest("parts").drop(_UNUSED, strict=False)
    for name, need in NEEDED.items():
        numbers = texts[name].cast(fields[name], strict=False) if name in fields else pl.Series()
        for row in numbers.is_null().arg_true():
            given, line = texts[name][row], texts["line"][row]
            raise InputError(f"{name} is {given!r}; {need} is needed", path, line)
    return texts.with_columns(pl.col(name).cast(fields[name]) for name in texts.columns[1:])
