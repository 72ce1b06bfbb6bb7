"""A system's results against relevance judgments: what is relevant, and what is missing."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from analysis.errors import InputError
from analysis.files.systems import system_name
from analysis.files.trec import Qrels, Run
from analysis.ranked_lists import RankedLists, ragged

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
    """

    lists: RankedLists
    missing_queries: list[str]
    without_relevant: list[str]
    unjudged_queries: int
    self_hits: int


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
        If no query of the run is judged.
    """
    judgments, results = qrels.judgments, run.results
    itself = pl.col("query") == pl.col("document")
    self_hits = results.select(itself.sum()).item()
    if queries_in_collection:
        judgments, results = judgments.filter(~itself), results.filter(~itself)
    relevant = judgments.filter(pl.col("relevance") > 0)
    all_queries = qrels.judgments["query"].unique(maintain_order=True)
    with_relevant = set(relevant["query"].unique())
    names = pl.Series("query", [q for q in all_queries if q in with_relevant], dtype=pl.String)
    queries = names.to_frame().with_row_index("place")
    run_queries = results["query"].unique()
    unjudged = len(set(run_queries) - set(all_queries))
    if unjudged == len(run_queries):
        raise InputError(
            f"{run.path}: none of its {unjudged} queries is judged in {qrels.path} "
            f"(it has {run_queries[0]!r}, the judgments have {all_queries[0]!r}); "
            "are columns swapped, or is it another collection's?"
        )
    lists = _lists(system_name(run.path), queries, results, relevant)
    missing = [q for q, n in zip(lists.queries, lists.gains.lengths, strict=True) if n == 0]
    return JudgedRun(
        lists,
        missing_queries=missing,
        without_relevant=[q for q in all_queries if q not in with_relevant],
        unjudged_queries=unjudged,
        self_hits=self_hits,
    )


def _lists(
    system: str, queries: pl.DataFrame, results: pl.DataFrame, relevant: pl.DataFrame
) -> RankedLists:
    judged = (
        results.join(queries, on="query", how="inner", maintain_order="left")
        .join(relevant, on=_PAIR, how="left", maintain_order="left")
        .select("place", "tied", pl.col("relevance").fill_null(0).alias("gain"))
    )
    place = judged["place"].to_numpy()
    order = np.argsort(place, kind="stable")
    count = queries.height
    targets = relevant.join(queries, on="query", how="inner").sort("place", maintain_order=True)
    return RankedLists(
        system=system,
        queries=queries["query"].to_list(),
        gains=ragged(
            judged["gain"].to_numpy().astype(float)[order], np.bincount(place, minlength=count)
        ),
        targets=ragged(
            targets["relevance"].to_numpy().astype(float),
            np.bincount(targets["place"].to_numpy(), minlength=count),
        ),
        ties=np.bincount(place, weights=judged["tied"].to_numpy(), minlength=count).astype(int),
    )
