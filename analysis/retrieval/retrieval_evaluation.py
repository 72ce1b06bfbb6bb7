"""A system's results compared with relevance judgments: which are relevant, and what is missing.

A run is looked up part by part, and one number per result is stored, so that memory does not grow
with the length of the names.
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
    """A system's ranked lists, and what was left out of them.

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
        Results that are the query itself, as found (and removed, if asked).
    self_targets : int
        Queries that are judged relevant to themselves (and removed from their class, if asked).
    against_ranks : int
        Queries whose ranks contradict their scores, as `analysis.files.runs.trec.Run` counts them.
    hint : str
        A likely cause if no result is relevant; empty if none was found.
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
    """Look up every result in the judgments.

    Parameters
    ----------
    run : Run or RunParts
        With parts, memory is bounded if the lines of a query are consecutive in the file.
    qrels : Qrels
        Unjudged documents are not relevant.
    queries_in_collection : bool
        Remove every query from its own list and its own class, so that the class size is C - 1.

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
        Those with a relevant target, in the order of the judgments; a query's place is its index.
    without_relevant : dict of str to None
        Judged queries that have no relevant target.
    self_targets : int
    relevant : polars.DataFrame
        Columns ``place``, ``document`` and ``relevance``, sorted by place.
    counts : int array, shape (queries,)
        Relevant targets of each.
    by_name : int array, shape (queries,)
        Places in the order of the names.
    """

    queries: pl.Series
    without_relevant: dict[str, None]
    self_targets: int
    relevant: pl.DataFrame
    counts: Ints
    by_name: Ints

    def places(self, names: pl.Series) -> Ints:
        """Places of queries, -1 for unknown names."""
        if not len(self.queries) or not len(names):
            return np.full(len(names), -1)
        ordered = self.queries.gather(self.by_name)
        at = ordered.search_sorted(names).to_numpy().astype(np.int64)
        at = np.minimum(at, len(ordered) - 1)
        same = (ordered.gather(at) == names).to_numpy()
        return np.where(same, self.by_name[at], -1)

    def targets_of(self, places: Ints) -> pl.DataFrame:
        """The relevant targets of some queries."""
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
        others = " but the queries themselves" * queries_in_collection
        raise InputError(
            f"{qrels.path}: no document is relevant to any of its {len(queries)} queries"
            f"{others}; no measure is defined"
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
    """Results from the parts of a run read so far: one gain per result, and its query's place.

    Attributes
    ----------
    places, lengths, ties : list of int arrays
        For each block of results of one query: its place, its results, and the tied ones.
    gains : list of float arrays
    unjudged : set of str
        Queries that are not judged.
    any_judged : bool
    some_documents : set of str
        From the first part, to see how they are named.
    self_hits : int
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
        """Return whether the results of a query are not consecutive."""
        return bool((np.bincount(_joined(self.places)) > 1).any())

    def lists(self, system: str) -> RankedLists:
        """Sort the lists into the order of the judgments."""
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
    stretches = results["query"].rle().struct.unnest()
    places, lengths = (
        found.wanted.places(stretches["value"]),
        stretches["len"].to_numpy().astype(np.int64),
    )
    kept = places >= 0
    rows = np.repeat(kept, lengths)
    place = np.repeat(places, lengths)[rows]
    results = results.filter(pl.Series(rows))
    places, lengths = places[kept], lengths[kept]
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
    """Remove queries from their lists; the result after one is tied to the result before it."""
    above_is_tied = pl.col("tied").shift(fill_value=False) | ~itself.shift(fill_value=False)
    return results.with_columns(pl.col("tied") & above_is_tied).filter(~itself)


def _refuse_unjudged(run: Run | RunParts, qrels: Qrels, found: _Found) -> None:
    """Raise an error if no query of a run is judged."""
    if not found.any_judged:
        judged = qrels.judgments["query"].unique().to_list()
        cause = (
            hint(judged, found.unjudged) or "are columns swapped, or is it another collection's?"
        )
        raise InputError(
            f"{run.path}: none of its {len(found.unjudged)} queries is judged in {qrels.path} "
            f"(it has {min(found.unjudged)!r}, the judgments have {min(judged)!r}); {cause}"
        )
