"""Checks of TREC runs, beyond the format of lines."""

from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.files.runs.trec_fields import RUN, number_error
from basics.wordings import Wording


def refuse_infinite(path: Path, table: pl.DataFrame) -> None:
    """Raise an error if a score is infinite or NaN."""
    if np.isfinite(table["score"].to_numpy()).all():
        return
    infinite = table.filter(~pl.col("score").is_finite())
    line, given = infinite["line"][0], infinite["score"][0]
    raise InputError(number_error("score", str(given)), path, line)


def refuse_repeats(path: Path, table: pl.DataFrame, depth: int = 0) -> None:
    """Raise an error if a query has a document twice.

    `depth` is the number of lines of each query, if all have the same number of consecutive lines;
    then queries are searched one by one, which is faster. Otherwise it is 0.
    """
    if depth:
        hashes = table["document"].hash().to_numpy().reshape(-1, depth)
    else:
        both = pl.col("query").hash(1) ^ pl.col("document").hash(2)
        hashes = table.select(both).to_series().to_numpy()
    ordered = np.sort(hashes)
    if not (ordered[..., 1:] == ordered[..., :-1]).any():
        return
    again = table.filter(~pl.struct("query", "document").is_first_distinct())
    if not again.is_empty():
        row = again.row(0, named=True)
        same = (pl.col("query") == row["query"]) & (pl.col("document") == row["document"])
        first = table.filter(same)["line"][0]
        raise InputError(
            Wording(
                "lists document %(document)s of query %(query)s again (first on line "
                "%(first)s); keep one",
                document=repr(row["document"]),
                query=repr(row["query"]),
                first=first,
            ),
            path,
            row["line"],
        )


def refuse_swapped(path: Path, table: pl.DataFrame) -> None:
    """Raise an error if scores are 0 to n - 1 or 1 to n, while ranks are fractions."""
    if table["rank"].dtype.is_integer():
        return
    score, rank = pl.col("score"), pl.col("rank").cast(pl.Float64, strict=False)
    # Such scores include 0 or 1, which few queries of most runs do.
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
            Wording(
                "has rank %(rank)s, and the scores of query %(query)s are 1, 2, …: rank and score "
                "are swapped; the fields should be %(fields)s",
                rank=row["rank"],
                query=repr(row["query"]),
                fields=" ".join(RUN),
            ),
            path,
            row["line"],
        )


def along_and_against(table: pl.DataFrame, first: NDArray[np.bool_]) -> tuple[int, int]:
    """Count queries whose ranks put the greatest score first, and queries where it is last.

    Consecutive lines of a query are compared; queries whose lines disagree are not counted.

    Parameters
    ----------
    table : polars.DataFrame
        With columns ``rank`` and ``score``.
    first : bool array, shape (rows,)
        True at the first line of each query.

    Returns
    -------
    along, against : int
    """
    rank, score = table["rank"], table["score"].to_numpy()
    if not rank.dtype.is_integer():
        rank = rank.cast(pl.Float64, strict=False)
        rank = rank.set(rank != rank.floor(), None)  # a fraction is not a rank
    ranks = rank.to_numpy()
    after, before = ranks[1:] > ranks[:-1], ranks[1:] < ranks[:-1]
    greater, less = score[1:] > score[:-1], score[1:] < score[:-1]
    starts = np.flatnonzero(first)
    rises, falls = (
        _any_inside(way, starts)
        for way in (after & greater | before & less, after & less | before & greater)
    )
    return int((falls & ~rises).sum()), int((rises & ~falls).sum())


def _any_inside(steps: NDArray[np.bool_], starts: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether any step between lines is True, within each query."""
    inside = np.append(False, steps)
    inside[starts] = False
    return np.logical_or.reduceat(inside, starts)
