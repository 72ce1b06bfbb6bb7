"""A system's results against relevance judgments: what is relevant, and what is missing."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.files.systems import system_name
from analysis.files.trec import Qrels, Run
from analysis.retrieval.ranked_lists import RankedLists, ragged

_PAIR = ["query", "document"]


@dataclass(frozen=True)
class JudgedRun:
    """A system's ranked lists, and what was set aside on the way.

    Attributes
    ----------
    lists : RankedLists
    missing_queries : list of str
        Judged queries without a single result; they count 0 in every measure.
    without_relevant : list of str
        Judged queries that have no relevant target; no measure is defined, so they are left out.
    unjudged_queries : int
        Queries of the run that are not judged; they are left out.
    self_hits : int
        Results that are their own query, as found (and taken out, if asked).
    self_targets : int
        Queries that are judged relevant to themselves (and taken out of their class, if asked).
    against_ranks : int
        Queries whose ranks run against their scores, as `analysis.files.trec.Run` counts them.
    """

    lists: RankedLists
    missing_queries: list[str]
    without_relevant: list[str]
    unjudged_queries: int
    self_hits: int
    self_targets: int
    against_ranks: int


def judge(run: Run, qrels: Qrels, queries_in_collection: bool = False) -> JudgedRun:
    """Look every result up in the judgments.

    Parameters
    ----------
    run : Run
    qrels : Qrels
        What is not judged is not relevant.
    queries_in_collection : bool
        Take every query out of its own list and out of its own class, so that C - 1 takes C's
        place.

    Returns
    -------
    JudgedRun

    Raises
    ------
    InputError
        If no query of the run is judged, or no query has a relevant target.
    """
    judgments, results = qrels.judgments, run.results
    itself = pl.col("query") == pl.col("document")
    self_hits = results.select(itself.sum()).item()
    all_queries = judgments["query"].unique(maintain_order=True)
    self_targets = judgments.select((itself & (pl.col("relevance") > 0)).sum()).item()
    unjudged = _unjudged(run, qrels, set(all_queries))
    if queries_in_collection:
        judgments, results = judgments.filter(~itself), _without(results, itself)
    relevant = judgments.filter(pl.col("relevance") > 0)
    with_relevant = set(relevant["query"].unique())
    if not with_relevant:
        others = " but the queries themselves" * queries_in_collection
        raise InputError(
            f"{qrels.path}: judges no document relevant to any of its {len(all_queries)} queries"
            f"{others}; no measure is defined"
        )
    names = pl.Series("query", [q for q in all_queries if q in with_relevant], dtype=pl.String)
    queries = names.to_frame().with_row_index("place")
    lists = _lists(system_name(run.path), queries, results, relevant)
    missing = [q for q, n in zip(lists.queries, lists.gains.lengths, strict=True) if n == 0]
    return JudgedRun(
        lists,
        missing_queries=missing,
        without_relevant=[q for q in all_queries if q not in with_relevant],
        unjudged_queries=unjudged,
        self_hits=self_hits,
        self_targets=self_targets,
        against_ranks=run.against_ranks,
    )


def _without(results: pl.DataFrame, itself: pl.Expr) -> pl.DataFrame:
    """Take queries out of their lists; what stood behind one is tied to what stood before it."""
    above_is_tied = pl.col("tied").shift(fill_value=False) | ~itself.shift(fill_value=False)
    return results.with_columns(pl.col("tied") & above_is_tied).filter(~itself)


def _unjudged(run: Run, qrels: Qrels, judged: set[str]) -> int:
    """Count the run's queries that are not judged; refuse a run that has no other."""
    queries = set(run.results["query"].rle().struct.field("value"))
    others = queries - judged
    if others == queries:
        raise InputError(
            f"{run.path}: none of its {len(others)} queries is judged in {qrels.path} "
            f"(it has {min(others)!r}, the judgments have {min(judged)!r}); "
            "are columns swapped, or is it another collection's?"
        )
    return len(others)


def _lists(
    system: str, queries: pl.DataFrame, results: pl.DataFrame, relevant: pl.DataFrame
) -> RankedLists:
    count = queries.height
    place, gain = _places(results, queries), _gains(results, relevant)
    judged = np.flatnonzero(place >= 0)
    order = judged[np.argsort(place[judged], kind="stable")]
    tied = place[np.flatnonzero(results["tied"].to_numpy() & (place >= 0))]
    targets = relevant.join(queries, on="query", how="inner").sort("place", maintain_order=True)
    return RankedLists(
        system=system,
        queries=queries["query"].to_list(),
        gains=ragged(gain[order], np.bincount(place[judged], minlength=count)),
        targets=ragged(
            targets["relevance"].to_numpy().astype(float),
            np.bincount(targets["place"].to_numpy(), minlength=count),
        ),
        ties=np.bincount(tied, minlength=count),
    )


def _places(results: pl.DataFrame, queries: pl.DataFrame) -> NDArray[np.int64]:
    """Which of the queries each result is for, -1 where it is for none, shape (results,)."""
    stretches = results["query"].rle().struct.unnest()  # a query's results stand together
    found = stretches.join(
        queries, left_on="value", right_on="query", how="left", maintain_order="left"
    )
    place = found["place"].cast(pl.Int64).fill_null(-1).to_numpy()
    return np.repeat(place, found["len"].to_numpy())


def _gains(results: pl.DataFrame, relevant: pl.DataFrame) -> NDArray[np.float64]:
    """Relevance of each result, 0 where it is not relevant, shape (results,)."""
    hits = results.select(_PAIR).with_row_index("row").join(relevant, on=_PAIR, how="inner")
    gain = np.zeros(results.height)
    gain[hits["row"].to_numpy()] = hits["relevance"].to_numpy()
    return gain
