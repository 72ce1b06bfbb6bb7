"""TREC files: runs (ranked results of a system) and qrels (relevance judgments).

A run has six fields per line, ``query Q0 document rank score tag``; qrels have four, ``query 0
document relevance``. Fields are separated by spaces or tabs. A file whose name ends in ``.gz`` is
decompressed.

Results are ordered by score: a similarity (greater is better) unless stated to be a distance.
Results with equal scores keep their order in the file, and their number is reported. The rank
column is not used for ordering, but it is an error if ranks contradict the direction of the scores,
or if ranks and scores are swapped. A relevance of 0 or less means not relevant.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.files.runs.direction import ContradictedDirection, Direction
from analysis.files.runs.run_checks import (
    along_and_against,
    refuse_infinite,
    refuse_repeats,
    refuse_swapped,
)
from analysis.files.runs.trec_fields import QRELS, RUN, Fields, parse
from analysis.files.text import opened, read_bytes
from basics.wordings import Wording

_BLOCK = 1 << 22


@dataclass(frozen=True)
class Run:
    """A system's results, best first within each query.

    Attributes
    ----------
    path : Path
    results : polars.DataFrame
        Columns ``query`` and ``document`` (text), ``score`` (float, as in the file), ``tied`` (true
        if the score equals the one before, so that file order decided) and ``line``.
    against_ranks : int
        Number of queries whose ranks put the worst score first; it is an error if more queries do
        so than put the best score first.
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
        Columns ``query`` and ``document`` (text) and ``relevance`` (integer).
    """

    path: Path
    judgments: pl.DataFrame


class RunParts:
    """A run in parts of whole queries, if the lines of each query are consecutive.

    Each part is checked and ordered as in `Run.results`; the direction is checked after the last.

    Attributes
    ----------
    path : Path
    along_ranks, against_ranks : int
        Number of queries so far whose ranks put the best score first, and the worst.
    queries : list of polars.Series of text
        Queries of each part so far.
    """

    def __init__(self, path: str | Path, direction: Direction = "similarity") -> None:
        self.path, self.direction = Path(path), direction
        self.along_ranks = self.against_ranks = 0
        self.queries: list[pl.Series] = []

    def __iter__(self) -> Iterator[pl.DataFrame]:
        """Yield the parts.

        Raises
        ------
        InputError
            As for `read_run`.
        """
        before = 0
        for raw in _whole_queries(self.path):
            table, lines = parse(self.path, raw, RUN, before)
            before += lines
            del raw  # the next part takes its memory
            if table.height:
                yield self._checked(table)
        if not self.queries:
            raise _empty(self.path, RUN)
        if self.against_ranks > self.along_ranks:
            queries = self.along_ranks + self.against_ranks
            raise ContradictedDirection(self.path, self.direction, self.against_ranks, queries)

    def _checked(self, table: pl.DataFrame) -> pl.DataFrame:
        first = _first_of(table)
        queries = table["query"].filter(first)
        scattered = queries.n_unique() < len(queries)
        refuse_infinite(self.path, table)
        refuse_repeats(self.path, table, 0 if scattered else _common_depth(first))
        refuse_swapped(self.path, table)
        if scattered:
            first_line_of = pl.col("line").min().over("query")
            table = table.sort(first_line_of, maintain_order=True)
            first = _first_of(table)
            queries = table["query"].filter(first)
        self.queries.append(queries)
        ways = along_and_against(table, first)
        along, against = ways if self.direction == "similarity" else ways[::-1]
        self.along_ranks += along
        self.against_ranks += against
        results = table[["query", "document", "score", "line"]]
        return _best_first(results, first, self.direction)


def read_run(path: str | Path, direction: Direction = "similarity") -> Run:
    """Read a TREC run.

    Parameters
    ----------
    path : str or Path
        A ``.gz`` file is decompressed.
    direction : {"similarity", "distance"}
        Whether greater or smaller scores are better.

    Returns
    -------
    Run

    Raises
    ------
    ContradictedDirection
        If more queries have ranks that put the worst score first than the best.
    InputError
        With file and line, if the file is empty, a line does not have six fields, a score is not a
        finite number, a query has a document twice, or its scores are 1, 2, … and its ranks are
        fractions.
    """
    parts = RunParts(path, direction)
    tables = list(parts)
    results = tables[0]
    if len(tables) > 1:
        results = pl.concat(tables)
        queries = pl.concat(parts.queries)
        if queries.n_unique() < len(queries):
            results = _merged(parts.path, results, direction)
    return Run(parts.path, results, parts.against_ranks)


def read_qrels(path: str | Path) -> Qrels:
    """Read TREC qrels.

    Parameters
    ----------
    path : str or Path
        A ``.gz`` file is decompressed.

    Returns
    -------
    Qrels

    Raises
    ------
    InputError
        With file and line, if the file is empty, a line does not have four fields, a relevance is
        not an integer, or a query has a document twice.
    """
    path = Path(path)
    table, _ = parse(path, read_bytes(path), QRELS)
    if not table.height:
        raise _empty(path, QRELS)
    refuse_repeats(path, table)
    return Qrels(path, table.select("query", "document", "relevance"))


def _empty(path: Path, fields: Fields) -> InputError:
    return InputError(
        Wording("is empty; lines of %(fields)s are needed", fields=" ".join(fields)), path
    )


def _merged(path: Path, results: pl.DataFrame, direction: Direction) -> pl.DataFrame:
    """Merge queries that occur in several parts."""
    refuse_repeats(path, results)
    results = results.sort(pl.col("line").min().over("query"), "line").drop("tied")
    return _best_first(results, _first_of(results), direction)


def _best_first(
    results: pl.DataFrame, first: NDArray[np.bool_], direction: Direction
) -> pl.DataFrame:
    """Order results of each query, best first, ties in file order; queries are consecutive."""
    score = results["score"].to_numpy()
    falling = direction == "similarity"
    better = score[1:] > score[:-1] if falling else score[1:] < score[:-1]
    if (better & ~first[1:]).any():
        order = [pl.col("query").rle_id(), pl.col("score")]
        results = results.sort(order, descending=[False, falling], maintain_order=True)
        score = results["score"].to_numpy()
    tied = np.zeros(results.height, dtype=bool)
    tied[1:] = (score[1:] == score[:-1]) & ~first[1:]
    return results.hstack([pl.Series("tied", tied)])


def _first_of(results: pl.DataFrame) -> NDArray[np.bool_]:
    """Mask of the rows at which the query changes."""
    query = results["query"].rechunk()  # different chunks are slower to compare
    return np.append(True, (query[1:] != query[:-1]).to_numpy())


def _common_depth(first: NDArray[np.bool_]) -> int:
    """Number of lines of each query if it is the same for all, otherwise 0."""
    starts = np.flatnonzero(first)
    depth = first.size // starts.size
    return depth if np.array_equal(starts, np.arange(0, first.size, depth)) else 0


def _whole_queries(path: Path) -> Iterator[bytes]:
    """Split a file into parts of whole queries; one buffer is reused."""
    buffer, held = bytearray(_BLOCK), 0
    with opened(path) as file:
        while count := file.readinto(memoryview(buffer)[held:]):
            held += count
            if held < len(buffer):
                continue
            if end := _end_of_last_whole_query(buffer):
                yield bytes(memoryview(buffer)[:end])
                buffer[: held - end] = buffer[end:]
                held -= end
            else:
                buffer += bytes(len(buffer))
    if held:
        yield bytes(memoryview(buffer)[:held])


def _end_of_last_whole_query(raw: bytearray) -> int:
    """Start of the lines of the last query; 0 if there may be no other query."""
    end = raw.rfind(b"\n") + 1
    last: list[bytearray] = []
    while start := raw.rfind(b"\n", 0, max(end - 1, 0)) + 1:
        query = raw[start:end].split(None, 1)[:1]
        if last and query and query != last:
            return end
        last, end = query or last, start
    return 0
