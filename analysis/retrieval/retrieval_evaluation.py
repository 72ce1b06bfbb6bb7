"""Relevance of a system's results: lookup in the judgments, and what is missing.

A run is processed in parts, and one number per result is stored, so that memory does not depend on
the length of names.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.files.hints import hint
from analysis.files.runs.trec import Qrels, Run, RunParts, read_run
from analysis.files.systems import system_name
from analysis.retrieval.ranked_lists import RankedLists, ragged

Ints = NDArray[np.int64]
_SAMPLE = 1000


@dataclass(frozen=True)
class JudgedRun:
    """A system's ranked lists with their relevance, and what was left out.

    Attributes
    ----------
    lists : RankedLists
    missing_queries : list of str
        Judged queries without results; they score 0 in every measure.
    without_relevant : list of str
        Judged queries without relevant targets; left out, since measures are undefined.
    unjudged_queries : int
        Number of queries in the run that are not judged; left out.
    self_hits : int
        Number of results that are the query itself (removed, if requested).
    self_targets : int
        Number of queries judged relevant to themselves (removed from their class, if requested).
    against_ranks : int
        Number of queries whose ranks contradict their scores, from `analysis.files.runs.trec.Run`.
    hint : str
        A likely cause if no result is relevant; empty if there is none.
    """

    lists: RankedLists
    missing_queries: list[str]
    without_relevant: list[str]
    unjudged_queries: int
    self_hits: int
    self_targets: int
    against_ranks: int
    hint: str = ""


def judge(run: Run | RunParts, qrels: Qrels, queries_in_collection: bool = False) -> JudgedRun:
    """Look up all results of a run in the judgments.

    Parameters
    ----------
    run : Run or RunParts
        With `RunParts`, memory is bounded if the lines of each query are consecutive in the file.
    qrels : Qrels
        Relevance judgments; unjudged documents count as not relevant.
    queries_in_collection : bool
        Whether to remove each query from its own list and its own class of C, which leaves C - 1.

    Returns
    -------
    JudgedRun

    Raises
    ------
    InputError
        If no query of the run is judged, or no query has a relevant target.
    """
    wanted = _wanted(qrels, queries_in_collection)
    found = _Found(wanted)
    for part in (run.results,) if isinstance(run, Run) else run:
        _look_up(found, part, queries_in_collection)
    if isinstance(run, RunParts) and found.scattered():
        whole = read_run(run.path, run.direction)
        return judge(whole, qrels, queries_in_collection)
    _refuse_unjudged(run, qrels, found)
    lists = found.lists(system_name(run.path))
    missing = [q for q, n in zip(lists.queries, lists.gains.lengths, strict=True) if n == 0]
    return JudgedRun(
        lists,
        missing_queries=missing,
        without_relevant=list(wanted.without_relevant),
        unjudged_queries=len(found.unjudged),
        self_hits=found.self_hits,
        self_targets=wanted.self_targets,
        against_ranks=run.against_ranks,
        hint="" if lists.gains.flat.any() else _hint(found),
    )


@dataclass(frozen=True)
class _Wanted:
    """Judgments arranged for lookup.

    Attributes
    ----------
    queries : polars.Series of text
        Queries with relevant targets, in the order of the judgments; a query's place is its index.
    without_relevant : dict of str to None
        Judged queries without relevant targets.
    self_targets : int
    relevant : polars.DataFrame
        Columns ``place``, ``document`` and ``relevance``, sorted by place.
    counts : int array, shape (queries,)
        Number of relevant targets of each query.
    by_name : int array, shape (queries,)
        Places of the queries, sorted by name.
    """

    queries: pl.Series
    without_relevant: dict[str, None]
    self_targets: int
    relevant: pl.DataFrame
    counts: Ints
    by_name: Ints

    def places(self, names: pl.Series) -> Ints:
        """Places of queries by name; -1 for unknown names."""
        if not len(self.queries) or not len(names):
            return np.full(len(names), -1)
        ordered = self.queries.gather(self.by_name)
        at = ordered.search_sorted(names).to_numpy().astype(np.int64)
        at = np.minimum(at, len(ordered) - 1)
        same = (ordered.gather(at) == names).to_numpy()
        return np.where(same, self.by_name[at], -1)

    def targets_of(self, places: Ints) -> pl.DataFrame:
        """The relevant targets of the queries at these places."""
        lengths = self.counts[places]
        starts = (np.cumsum(self.counts) - self.counts)[places]
        inside = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return self.relevant[np.repeat(starts, lengths) + inside]


def _wanted(qrels: Qrels, queries_in_collection: bool) -> _Wanted:
    judgments = qrels.judgments
    itself = pl.col("query") == pl.col("document")
    queries = judgments["query"].unique(maintain_order=True)
    self_targets = judgments.select((itself & (pl.col("relevance") > 0)).sum()).item()
    if queries_in_collection:
        judgments = judgments.filter(~itself)
    relevant = judgments.filter(pl.col("relevance") > 0)
    has_relevant = queries.is_in(relevant["query"].unique().implode())
    if not has_relevant.any():
        others = " other than the queries themselves" * queries_in_collection
        raise InputError(
            f"{qrels.path}: no documents{others} are relevant to any query, so all measures are "
            "undefined"
        )
    named = queries.filter(has_relevant).to_frame("query").with_row_index("place")
    relevant = relevant.join(named, on="query", how="inner").sort("place", maintain_order=True)
    counts = np.bincount(relevant["place"].to_numpy(), minlength=named.height)
    return _Wanted(
        named["query"],
        dict.fromkeys(queries.filter(~has_relevant)),
        self_targets,
        relevant.select(pl.col("place").cast(pl.Int64), "document", "relevance"),
        counts,
        named["query"].arg_sort().to_numpy().astype(np.int64),
    )


@dataclass
class _Found:
    """Gains of the results in the parts of a run that were read so far.

    Attributes
    ----------
    places, lengths, ties : list of int arrays
        For each block of results of one query: the query's place, the number of results, and the
        number of tied results.
    gains : list of float arrays
        One gain per result.
    unjudged : set of str
        Queries that are not judged.
    any_judged : bool
        Whether any query is judged.
    some_documents : set of str
        Documents of the first part, as examples of their names.
    self_hits : int
        Number of results that are the query itself.
    """

    wanted: _Wanted
    places: list[Ints] = field(default_factory=list)
    lengths: list[Ints] = field(default_factory=list)
    ties: list[Ints] = field(default_factory=list)
    gains: list[NDArray[np.float64]] = field(default_factory=list)
    unjudged: set[str] = field(default_factory=set)
    any_judged: bool = False
    some_documents: set[str] = field(default_factory=set)
    self_hits: int = 0

    def note_unjudged(self, names: pl.Series) -> None:
        """Record the names of unjudged queries, and whether any query is judged."""
        without = names.filter(pl.Series(self.wanted.places(names) < 0))
        others = set(without) - self.wanted.without_relevant.keys()
        self.any_judged = self.any_judged or len(others) < names.n_unique()
        self.unjudged |= others

    def scattered(self) -> bool:
        """Whether the results of any query are not consecutive in the file."""
        return bool((np.bincount(_joined(self.places)) > 1).any())

    def lists(self, system: str) -> RankedLists:
        """All ranked lists, in the order of the judgments."""
        places, lengths = _joined(self.places), _joined(self.lengths)
        gains = np.concatenate([np.zeros(0), *self.gains])
        self.gains.clear()
        count = len(self.wanted.queries)
        in_order = np.argsort(places, kind="stable")
        if (np.diff(places) < 0).any():
            ends = np.cumsum(lengths)
            gains = np.concatenate(
                [np.zeros(0), *(gains[ends[k] - lengths[k] : ends[k]] for k in in_order)]
            )
        by_place = np.zeros((2, count), dtype=np.int64)
        by_place[:, places] = lengths, _joined(self.ties)
        targets = self.wanted.relevant["relevance"].to_numpy().astype(float)
        return RankedLists(
            system=system,
            queries=self.wanted.queries.to_list(),
            gains=ragged(gains, by_place[0]),
            targets=ragged(targets, self.wanted.counts),
            ties=by_place[1],
        )


def _hint(found: _Found) -> str:
    """Compare how documents are named in the run and in the judgments."""
    return hint(found.wanted.relevant["document"].unique(), found.some_documents)


def _joined(arrays: Iterable[Ints]) -> Ints:
    return np.concatenate([np.zeros(0, dtype=np.int64), *arrays])


def _look_up(found: _Found, results: pl.DataFrame, queries_in_collection: bool) -> None:
    """Add one part, in which the results of each query are consecutive."""
    itself = pl.col("query") == pl.col("document")
    found.self_hits += results.select(itself.sum()).item()
    if not found.some_documents:
        found.some_documents.update(results["document"].head(_SAMPLE))
    found.note_unjudged(results["query"].rle().struct.field("value"))
    if queries_in_collection:
        results = _without(results, itself)
    blocks = results["query"].rle().struct.unnest()
    places, lengths = (
        found.wanted.places(blocks["value"]),
        blocks["len"].to_numpy().astype(np.int64),
    )
    known = places >= 0
    rows = np.repeat(known, lengths)
    place = np.repeat(places, lengths)[rows]
    results = results.filter(pl.Series(rows))
    places, lengths = places[known], lengths[known]
    pairs = results.select(pl.Series("place", place), "document").with_row_index("row")
    hits = pairs.join(found.wanted.targets_of(np.unique(places)), on=["place", "document"])
    gain = np.zeros(results.height)
    gain[hits["row"].to_numpy()] = hits["relevance"].to_numpy()
    tied = results["tied"].to_numpy().astype(np.int64)
    starts = np.cumsum(lengths) - lengths
    found.places.append(places)
    found.lengths.append(lengths)
    found.ties.append(np.add.reduceat(tied, starts) if starts.size else starts)
    found.gains.append(gain)


def _without(results: pl.DataFrame, itself: pl.Expr) -> pl.DataFrame:
    """Remove queries from their own lists; ties then refer to the result before the query."""
    above_is_tied = pl.col("tied").shift(fill_value=False) | ~itself.shift(fill_value=False)
    return results.with_columns(pl.col("tied") & above_is_tied).filter(~itself)


def _refuse_unjudged(run: Run | RunParts, qrels: Qrels, found: _Found) -> None:
    """Raise an error if no query of a run is judged."""
    if not found.any_judged:
        judged = qrels.judgments["query"].unique().to_list()
        cause = (
            hint(judged, found.unjudged)
            or "are columns swapped, or is this a different collection?"
        )
        raise InputError(
            f"{run.path}: its queries are not judged in {qrels.path} "
            f"(the run has {min(found.unjudged)!r}, the judgments have {min(judged)!r}); {cause}"
        )
