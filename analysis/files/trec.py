"""TREC files: runs (ranked results of a system) and qrels (relevance judgments).

A run has six fields a line, ``query Q0 document rank score tag``; qrels have four, ``query 0
document relevance``. Fields are separated by blanks or tabs; a name that ends in ``.gz`` is
unpacked.

Results are taken by descending score. Results of equal score keep their order in the file, and
their number is reported; the rank column orders nothing, but is refused where it was swapped with
the score. Relevance of 0 or below is "not relevant".
"""

import gzip
import zlib
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from analysis.errors import InputError

Fields = dict[str, type[pl.DataType]]
_RUN: Fields = {
    "query": pl.String,
    "iteration": pl.String,
    "document": pl.String,
    "rank": pl.String,
    "score": pl.Float64,
    "tag": pl.String,
}
_BLANKS = " \t\r"
_QRELS: Fields = {
    "query": pl.String,
    "iteration": pl.String,
    "document": pl.String,
    "relevance": pl.Int64,
}


@dataclass(frozen=True)
class Run:
    """A system's results, best first within each query.

    Attributes
    ----------
    path : Path
    results : polars.DataFrame
        Columns ``query`` and ``document`` (text), ``score`` (float, greater is better), ``tied``
        (true where the score equals the one before, so that the file's order decided) and ``line``.
    """

    path: Path
    results: pl.DataFrame


@dataclass(frozen=True)
class Qrels:
    """Relevance judgments.

    Attributes
    ----------
    path : Path
    judgments : polars.DataFrame
        Columns ``query`` and ``document`` (text) and ``relevance`` (whole number).
    """

    path: Path
    judgments: pl.DataFrame


def read_run(path: str | Path) -> Run:
    """Read a TREC run.

    Parameters
    ----------
    path : path of the file; ``.gz`` is unpacked.

    Returns
    -------
    Run

    Raises
    ------
    InputError
        With file and line, if the file is empty, a line has not six fields, a score is not a
        finite number, a query lists a document twice, or its scores count its results where its
        ranks are fractions.
    """
    path = Path(path)
    table = _fields(path, _RUN)
    _refuse(path, table, ~pl.col("score").is_finite(), "score", "a finite number is needed")
    _refuse_repeats(path, table)
    _refuse_swapped(path, table)
    return Run(path, _best_first(table.select("query", "document", "score", "line")))


def read_qrels(path: str | Path) -> Qrels:
    """Read TREC qrels.

    Parameters
    ----------
    path : path of the file; ``.gz`` is unpacked.

    Returns
    -------
    Qrels

    Raises
    ------
    InputError
        With file and line, if the file is empty, a line has not four fields, a relevance is not a
        whole number, or a query judges a document twice.
    """
    path = Path(path)
    table = _fields(path, _QRELS)
    _refuse(path, table, pl.lit(False), "relevance", "a whole number is needed")
    _refuse_repeats(path, table)
    return Qrels(path, table.select("query", "document", "relevance"))


def looks_like_run(path: Path) -> bool:
    """Tell a TREC run from a CSV table by its first line."""
    first = read_text(path).lstrip("\ufeff \t\r\n").split("\n", 1)[0]
    return len(first.split()) == len(_RUN) and "," not in first


def read_text(path: Path) -> str:
    """Give a file's text, unpacked where its name ends in .gz.

    Raises
    ------
    InputError
        If the file cannot be read, is not UTF-8, or holds a NUL byte.
    """
    return _decoded(path, _unpacked(path))


def _unpacked(path: Path) -> bytes:
    try:
        packed = path.read_bytes()
        return gzip.decompress(packed) if path.suffix == ".gz" else packed
    except (gzip.BadGzipFile, EOFError, zlib.error) as reason:
        raise InputError(f"{path}: is not a whole gzip file: {reason}") from reason
    except OSError as reason:
        raise InputError(f"{path}: cannot be read: {reason.strerror}") from reason


def _decoded(path: Path, raw: bytes) -> str:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as reason:
        line = raw[: reason.start].count(b"\n") + 1
        raise InputError(f"{path}:{line}: is not UTF-8; save it as UTF-8 text") from reason
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise InputError(f"{path}:{line}: holds a NUL byte; it is not a text file")
    return text


def _best_first(results: pl.DataFrame) -> pl.DataFrame:
    """Bring each query's results together and into descending score, equal ones as in the file."""
    stretches = results["query"].rle().struct.field("value")
    together = stretches.n_unique() == stretches.len()
    place = pl.col("query").rle_id() if together else pl.col("line").min().over("query")
    placed = results.with_columns(place.alias("place"))
    score, same_query = pl.col("score"), pl.col("place") == pl.col("place").shift()
    if not together or placed.select((same_query & (score > score.shift())).any()).item():
        placed = placed.sort(["place", "score", "line"], descending=[False, True, False])
    tied = (same_query & (score == score.shift())).fill_null(False)
    return placed.with_columns(tied.alias("tied")).drop("place")


def _fields(path: Path, fields: Fields) -> pl.DataFrame:
    """Columns by name, with the line of each row; null where a number cannot be read."""
    raw = _unpacked(path)
    table = _fast_fields(raw, fields)
    return _fields_line_by_line(path, raw, fields) if table is None else table


def _fast_fields(raw: bytes, fields: Fields) -> pl.DataFrame | None:
    """Parse a clean file at polars' speed; None where anything about it needs a closer look."""
    raw = raw.replace(b"\r\n", b"\n") if b"\r" in raw else raw
    separator, others = (" ", b"\t\r\0") if b"\t" not in raw else ("\t", b" \r\0")
    if any(raw.find(other) >= 0 for other in others):
        return None
    try:
        table = pl.read_csv(
            raw, has_header=False, separator=separator, quote_char=None, schema=fields
        )
    except pl.exceptions.PolarsError:
        return None
    lines = raw.count(b"\n") + (not raw.endswith(b"\n"))
    clean = table.height == lines > 0 and not any(table.null_count().row(0))
    return table.with_row_index("line", offset=1) if clean else None


def _fields_line_by_line(path: Path, raw: bytes, fields: Fields) -> pl.DataFrame:
    """Any blanks separate fields, blank lines are skipped, and a refusal names the line."""
    lines = pl.DataFrame({"row": _decoded(path, raw).split("\n")}).with_row_index("line", offset=1)
    lines = lines.with_columns(
        pl.col("row").str.strip_chars(_BLANKS).str.replace_all(f"[{_BLANKS}]+", " ")
    )
    lines = lines.filter(pl.col("row") != "")
    if lines.is_empty():
        raise InputError(f"{path}: is empty; lines of {' '.join(fields)} are needed")
    wrong = lines.filter(pl.col("row").str.count_matches(" ", literal=True) != len(fields) - 1)
    if not wrong.is_empty():
        line, row = wrong["line"][0], wrong["row"][0]
        raise InputError(
            f"{path}:{line}: has {row.count(' ') + 1} fields; "
            f"{len(fields)} are needed: {' '.join(fields)}"
        )
    parts = pl.col("row").str.split_exact(" ", len(fields) - 1).struct.rename_fields(list(fields))
    texts = lines.select("line", parts.alias("parts")).unnest("parts")
    return texts.with_columns(
        pl.col(name).cast(dtype, strict=False) for name, dtype in fields.items()
    )


def _refuse(path: Path, table: pl.DataFrame, bad: pl.Expr, name: str, need: str) -> None:
    wrong = table.filter(pl.col(name).is_null() | bad)
    if not wrong.is_empty():
        line = wrong["line"][0]
        raise InputError(f"{path}:{line}: its {name} cannot be used; {need}")


def _refuse_repeats(path: Path, table: pl.DataFrame) -> None:
    hashes = pl.col("query").hash(1) ^ pl.col("document").hash(2)
    if table.select(hashes.n_unique()).item() == table.height:
        return
    again = table.filter(~pl.struct("query", "document").is_first_distinct())
    if not again.is_empty():
        row = again.row(0, named=True)
        same = (pl.col("query") == row["query"]) & (pl.col("document") == row["document"])
        first = table.filter(same)["line"][0]
        raise InputError(
            f"{path}:{row['line']}: lists document {row['document']!r} of query "
            f"{row['query']!r} again (first on line {first}); keep one"
        )


def _refuse_swapped(path: Path, table: pl.DataFrame) -> None:
    """Refuse scores that count 0 to n - 1 or 1 to n where ranks are fractions."""
    score, rank = pl.col("score"), pl.col("rank").cast(pl.Float64, strict=False)
    # Every such count holds a 0 or a 1: most runs are done here, their ranks not read.
    if not table.select(((score == 0) | (score == 1)).any()).item():
        return
    fractions = table.filter(rank.is_finite() & (rank != rank.floor()))
    if fractions.is_empty():
        return
    counts = (score == score.floor()).all() & (score.n_unique() == pl.len())
    counts &= score.min().is_between(0, 1) & (score.max() - score.min() == pl.len() - 1)
    counted = table.group_by("query").agg(counts.alias("counts")).filter("counts")
    swapped = fractions.join(counted, on="query", how="semi").sort("line")
    if not swapped.is_empty():
        row = swapped.row(0, named=True)
        raise InputError(
            f"{path}:{row['line']}: has rank {row['rank']}, and scores of query "
            f"{row['query']!r} count its results; rank and score are swapped, "
            f"{' '.join(_RUN)} are needed"
        )
