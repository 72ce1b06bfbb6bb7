"""TREC files: runs (ranked results of a system) and qrels (relevance judgments).

A run has six fields a line, ``query Q0 document rank score tag``; qrels have four, ``query 0
document relevance``. Fields are separated by blanks or tabs; a name that ends in ``.gz`` is
unpacked.

Results are taken by descending score. Results of equal score keep their order in the file, and
their number is reported; the rank column orders nothing, but is refused where it was swapped with
the score, and queries that it ranks the other way round are counted: their scores may be distances.
Relevance of 0 or below is "not relevant".
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.files.text import decoded, first_line, read_bytes
from basics.plurals import counted

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
_NEEDED = {"score": "a finite number", "relevance": "a whole number"}
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
    against_ranks : int
        Queries whose ranks put the least score first and the greatest last.
    """

    path: Path
    results: pl.DataFrame
    against_ranks: int = 0


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
    _refuse_infinite(path, table)
    _refuse_repeats(path, table)
    _refuse_swapped(path, table)
    first = _first_of(table)
    rises = _rises(table, first)
    results = table.select("query", "document", "score", "line")
    return Run(path, _best_first(results, first, rises), _against_ranks(table) if rises else 0)


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
    _refuse_repeats(path, table)
    return Qrels(path, table.select("query", "document", "relevance"))


def looks_like_run(path: Path) -> bool:
    """Tell a TREC run from a CSV table by its first line."""
    first = first_line(path)
    return len(first.split()) == len(_RUN) and "," not in first


def _best_first(results: pl.DataFrame, first: NDArray[np.bool_], rises: bool) -> pl.DataFrame:
    """Bring each query's results together and into descending score, equal ones as in the file."""
    stretches = results["query"].filter(first)
    together = stretches.n_unique() == len(stretches)
    if rises or not together:
        place = pl.col("query").rle_id() if together else pl.col("line").min().over("query")
        order = [place, pl.col("score"), pl.col("line")]
        results = results.sort(order, descending=[False, True, False])
        first = _first_of(results)
    score = results["score"].to_numpy()
    tied = np.zeros(results.height, dtype=bool)
    tied[1:] = (score[1:] == score[:-1]) & ~first[1:]
    return results.with_columns(pl.Series("tied", tied))


def _rises(results: pl.DataFrame, first: NDArray[np.bool_]) -> bool:
    """Tell whether a score is above the one before it, of the same query."""
    score = results["score"].to_numpy()
    return bool((score[1:] > score[:-1])[~first[1:]].any())


def _first_of(results: pl.DataFrame) -> NDArray[np.bool_]:
    """Which rows begin a stretch of one query."""
    lengths = results["query"].rle().struct.field("len").to_numpy()
    first = np.zeros(lengths.sum(), dtype=bool)
    first[np.cumsum(lengths) - lengths] = True
    return first


def _fields(path: Path, fields: Fields) -> pl.DataFrame:
    """Columns by name, with the line of each row."""
    raw = read_bytes(path)
    table = _fast_fields(raw, fields)
    return _fields_line_by_line(path, raw, fields) if table is None else table


def _fast_fields(raw: bytes, fields: Fields) -> pl.DataFrame | None:
    """Parse a clean file at polars' speed; None where anything about it needs a closer look."""
    raw = raw.replace(b"\r\n", b"\n") if b"\r" in raw else raw
    separator, other = (" ", b"\t") if b"\t" not in raw else ("\t", b" ")
    if any(sign in raw for sign in (other, b"\r", b"\0")):
        return None
    try:
        table = pl.read_csv(
            raw, has_header=False, separator=separator, quote_char=None, schema=fields
        )
    except pl.exceptions.PolarsError:
        return None
    lines = np.count_nonzero(np.frombuffer(raw, np.uint8) == ord("\n")) + (raw[-1:] != b"\n")
    clean = table.height == lines > 0 and not any(table.null_count().row(0))
    return table.with_row_index("line", offset=1) if clean else None


def _fields_line_by_line(path: Path, raw: bytes, fields: Fields) -> pl.DataFrame:
    """Any blanks separate fields, blank lines are skipped, and a refusal names the line."""
    lines = pl.DataFrame({"row": decoded(path, raw).split("\n")}).with_row_index("line", offset=1)
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
            f"{path}:{line}: has {counted(row.count(' ') + 1, 'field')}; "
            f"{len(fields)} are needed: {' '.join(fields)}"
        )
    parts = pl.col("row").str.split_exact(" ", len(fields) - 1).struct.rename_fields(list(fields))
    texts = lines.select("line", parts.alias("parts")).unnest("parts")
    for name, need in _NEEDED.items():
        numbers = texts[name].cast(fields[name], strict=False) if name in fields else pl.Series()
        for row in numbers.is_null().arg_true():
            given, line = texts[name][row], texts["line"][row]
            raise InputError(f"{path}:{line}: {name} is {given!r}; {need} is needed")
    return texts.with_columns(pl.col(name).cast(dtype) for name, dtype in fields.items())


def _refuse_infinite(path: Path, table: pl.DataFrame) -> None:
    infinite = table.filter(~pl.col("score").is_finite())
    if not infinite.is_empty():
        line, given = infinite["line"][0], infinite["score"][0]
        raise InputError(f"{path}:{line}: score is {given}; {_NEEDED['score']} is needed")


def _refuse_repeats(path: Path, table: pl.DataFrame) -> None:
    hashes = table.select(pl.col("query").hash(1) ^ pl.col("document").hash(2)).to_series()
    ordered = np.sort(hashes.to_numpy())
    if not (ordered[1:] == ordered[:-1]).any():
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


def _against_ranks(table: pl.DataFrame) -> int:
    """Count the queries whose ranks rise with their scores."""
    rank = pl.col("rank").cast(pl.Float64, strict=False)
    rises = (rank.sort_by("score", rank).diff().drop_nulls() > 0).all()
    told = rank.is_not_null().all() & (pl.col("score").n_unique() > 1)
    return int(table.group_by("query").agg((told & rises).alias("against"))["against"].sum())


def _refuse_swapped(path: Path, table: pl.DataFrame) -> None:
    """Refuse scores that count 0 to n - 1 or 1 to n where ranks are fractions."""
    score, rank = pl.col("score"), pl.col("rank").cast(pl.Float64, strict=False)
    # Every such count holds a 0 or a 1: in most runs few queries do, or none.
    maybe = table.filter((score == 0) | (score == 1))["query"].unique()
    if maybe.is_empty():
        return
    table = table.filter(pl.col("query").is_in(maybe.to_list()))
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
