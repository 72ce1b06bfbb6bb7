"""TREC files: runs (ranked results of a system) and qrels (relevance judgments).

A run has six fields a line, ``query Q0 document rank score tag``; qrels have four, ``query 0
document relevance``. Fields are separated by blanks or tabs; a name that ends in ``.gz`` is
unpacked.

Results are taken by descending score. Results of equal score keep their order in the file, and
their number is reported; the rank column is not used. Relevance of 0 or below is "not relevant".
"""

import gzip
import zlib
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from analysis.errors import InputError

_RUN = ["query", "iteration", "document", "rank", "score", "tag"]
_QRELS = ["query", "iteration", "document", "relevance"]


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
        finite number, or a query lists a document twice.
    """
    path = Path(path)
    table = _fields(path, _RUN).with_columns(_whole_or_float("score", pl.Float64))
    _refuse(path, table, ~pl.col("score").is_finite(), "score", "a finite number is needed")
    _refuse_repeats(path, table)
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
    table = _fields(path, _QRELS).with_columns(_whole_or_float("relevance", pl.Int64))
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
        If the file cannot be read or is not UTF-8.
    """
    try:
        packed = path.read_bytes()
        raw = gzip.decompress(packed) if path.suffix == ".gz" else packed
        return raw.decode("utf-8-sig")
    except (gzip.BadGzipFile, EOFError, zlib.error) as reason:
        raise InputError(f"{path}: is not a whole gzip file: {reason}") from reason
    except OSError as reason:
        raise InputError(f"{path}: cannot be read: {reason.strerror}") from reason
    except UnicodeDecodeError as reason:
        raise InputError(f"{path}: is not UTF-8; save it as UTF-8 text") from reason


def _best_first(results: pl.DataFrame) -> pl.DataFrame:
    """Bring each query's results together and into descending score, equal ones as in the file."""
    first_line = pl.col("line").min().over("query").alias("first_line")
    ordered = results.with_columns(first_line).sort(
        ["first_line", "score", "line"], descending=[False, True, False]
    )
    same = (pl.col("score") == pl.col("score").shift()) & (
        pl.col("first_line") == pl.col("first_line").shift()
    )
    return ordered.with_columns(same.fill_null(False).alias("tied")).drop("first_line")


def _fields(path: Path, names: list[str]) -> pl.DataFrame:
    """Text columns by name, with the line of each row; blank lines are skipped."""
    text = read_text(path)
    lines = pl.DataFrame({"row": text.split("\n")}).with_row_index("line", offset=1)
    lines = lines.with_columns(pl.col("row").str.strip_chars().str.replace_all(r"\s+", " "))
    lines = lines.filter(pl.col("row") != "")
    if lines.is_empty():
        raise InputError(f"{path}: is empty; lines of {' '.join(names)} are needed")
    wrong = lines.filter(pl.col("row").str.count_matches(" ", literal=True) != len(names) - 1)
    if not wrong.is_empty():
        line, row = wrong["line"][0], wrong["row"][0]
        raise InputError(
            f"{path}:{line}: has {len(row.split())} fields; "
            f"{len(names)} are needed: {' '.join(names)}"
        )
    parts = pl.col("row").str.split_exact(" ", len(names) - 1).struct.rename_fields(names)
    return lines.select("line", parts.alias("parts")).unnest("parts")


def _whole_or_float(name: str, dtype: type[pl.DataType]) -> pl.Expr:
    return pl.col(name).cast(dtype, strict=False).alias(name)


def _refuse(path: Path, table: pl.DataFrame, bad: pl.Expr, name: str, need: str) -> None:
    wrong = table.filter(pl.col(name).is_null() | bad)
    if not wrong.is_empty():
        line = wrong["line"][0]
        raise InputError(f"{path}:{line}: its {name} cannot be used; {need}")


def _refuse_repeats(path: Path, table: pl.DataFrame) -> None:
    again = table.filter(~pl.struct("query", "document").is_first_distinct())
    if not again.is_empty():
        row = again.row(0, named=True)
        same = (pl.col("query") == row["query"]) & (pl.col("document") == row["document"])
        first = table.filter(same)["line"][0]
        raise InputError(
            f"{path}:{row['line']}: lists document {row['document']!r} of query "
            f"{row['query']!r} again (first on line {first}); keep one"
        )
