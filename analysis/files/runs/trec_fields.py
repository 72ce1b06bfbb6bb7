"""Parser of the fields of TREC files: fast if a file is clean, otherwise line by line.

Fields are separated by spaces or tabs. Errors state the line.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.files.text import decoded
from basics.wordings import Wording

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
_NUMBERS = ("score", "relevance")
_UNUSED = ("iteration", "tag")
_NUMBER_BYTES = b"0123456789.+-eE \t\n"
_BLANKS = " \t\r"
_BLANK, _NEW_LINE = b" \n"
_WINDOW = 1 << 17


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
        Without the unused fields, iteration and tag. Ranks are integers if all are, otherwise text.
    lines : int
        Number of lines, including blank ones.

    Raises
    ------
    InputError
        With file and line, if a line has the wrong number of fields, or a score or relevance is not
        a number.
    """
    table = _parse_fast(raw, fields, before)
    if table is not None:
        return table, table.height
    return _line_by_line(path, raw, fields, before), _count_line_ends(raw)


def _parse_fast(raw: bytes, fields: Fields, before: int) -> pl.DataFrame | None:
    """Parse fast with polars; None if anything is unusual."""
    if _first_line(raw).endswith(b"\r\n"):
        raw = raw.replace(b"\r\n", b"\n")
    separator = "\t" if b"\t" in _first_line(raw) else " "
    shape = _shape(raw)
    if shape.doubled:
        return None
    for schema in _schemas(fields):
        tagged = schema.get("rank") == pl.Int64 and shape.tagged
        table = _as_csv(raw, separator, schema, ("iteration", "tag") if tagged else ("iteration",))
        if table is not None:
            # If each line has a last field, no line can have too many; a blank line has nulls.
            enough = shape.blanks == table.height * len(fields) > 0
            clean = enough and not any(table.null_count().row(0))
            read = [name for name in table.columns if name not in _UNUSED]
            return table[read].with_row_index("line", offset=before + 1) if clean else None
    return None


class _Shape(NamedTuple):
    """What is known from the bytes of lines before parsing."""

    blanks: int
    """Number of separators, line ends (including a missing last one) and control characters."""
    doubled: bool
    """Whether two of these are adjacent."""
    tagged: bool
    """Whether no line ends in a number, so that no line with rank and score lacks its tag."""


def _shape(raw: bytes) -> _Shape:
    """Examine all bytes once, in windows that fit in the cache.

    For `tagged`: among the last three bytes of the first line, find one that cannot be part of a
    number, and check that every line has it at the same position. A line without a tag would have
    bytes of the score, the rank, or the blank between them there.
    """
    start = _first_line(raw).removesuffix(b"\n")[-3:]
    back = next((k for k in (1, 2, 3) if start[-k:][:1] not in _NUMBER_BYTES), 0)
    whole = raw.endswith(b"\n")
    blanks, doubled, tagged = int(not whole), False, bool(back) and whole
    for window in _windows(raw, max(back, 1)):
        here = window <= _BLANK
        blanks += int(np.count_nonzero(here[:_WINDOW]))
        doubled = doubled or bool((here[1:] & here[:-1]).any())
        if tagged:
            tagged = not ((window[back:] == _NEW_LINE) & (window[:-back] != start[-back])).any()
    return _Shape(blanks, doubled, tagged)


def _first_line(raw: bytes) -> bytes:
    return raw[: raw.find(b"\n") + 1] or raw


def _count_line_ends(raw: bytes) -> int:
    """Count line ends; several times faster than `bytes.count` if lines are short."""
    return sum(int(np.count_nonzero(window == _NEW_LINE)) for window in _windows(raw, 0))


def _windows(raw: bytes, more: int) -> Iterator[NDArray[np.uint8]]:
    """Yield windows of bytes, each with `more` bytes of the next."""
    signs = np.frombuffer(raw, np.uint8)
    return (signs[start : start + _WINDOW + more] for start in range(0, signs.size, _WINDOW))


def _schemas(fields: Fields) -> list[Fields]:
    """Schemas to try: ranks as integers first, which are read faster than text."""
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
    """Parse line by line: any whitespace separates fields, blank lines are skipped, errors state
    the line."""
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
            Wording(
                "has %(num)s field; %(needed)s are needed: %(fields)s",
                "has %(num)s fields; %(needed)s are needed: %(fields)s",
                row.count(" ") + 1,
                needed=len(fields),
                fields=" ".join(fields),
            ),
            path,
            line,
        )
    parts = pl.col("row").str.split_exact(" ", len(fields) - 1).struct.rename_fields(list(fields))
    texts = lines.select("line", parts.alias("parts")).unnest("parts").drop(_UNUSED, strict=False)
    for name in _NUMBERS:
        numbers = texts[name].cast(fields[name], strict=False) if name in fields else pl.Series()
        for row in numbers.is_null().arg_true():
            given, line = texts[name][row], texts["line"][row]
            raise InputError(number_error(name, repr(given)), path, line)
    return texts.with_columns(pl.col(name).cast(fields[name]) for name in texts.columns[1:])


def number_error(name: str, given: str) -> Wording:
    """The error text for a field that is not the required number."""
    if name == "relevance":
        return Wording("relevance is %(given)s; an integer is needed", given=given)
    return Wording("score is %(given)s; a finite number is needed", given=given)
