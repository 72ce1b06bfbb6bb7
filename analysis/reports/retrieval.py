"""Output files of `evaluate retrieval`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from analysis.figures.curves import precision_recall_figure
from analysis.figures.style import write_figure
from analysis.files.results import write_columns, write_record, write_rows
from analysis.reports.paper_table import PaperTable, by_score, letters_note, letters_of
from analysis.retrieval.precision_recall import RECALL_11, RECALL_20
from analysis.retrieval.ranked_lists import RetrievalScores
from analysis.retrieval.retrieval_evaluation import JudgedRun
from analysis.statistics.comparison import compare
from analysis.statistics.intervals import t_interval, wilson_interval
from basics.numerals import interval, statistic
from basics.plurals import counted

MEANS = ("nn", "ft", "st", "e", "dcg", "ap", "shrec_ap")
_AP = MEANS.index("ap")
_TITLES = dict(zip(MEANS, ("NN", "FT", "ST", "E", "DCG", "AP", "SHREC AP"), strict=True))
WITH_T_INTERVAL = ("ft", "st", "e", "dcg", "ap")
DRAWS = 2_000
BY_QUERY = ("nn", "ft", "st", "e", "dcg", "ap", "cg", "dcg_sum", "ndcg_trec")
DEFINITIONS = {
    "nn": "1 if the first result is relevant",
    "ft": "first tier: recall among the first C results, where C is the number of relevant targets",
    "st": "second tier: recall among the first 2C results",
    "e": "2PR/(P+R) over the first 32 results, or all if there are fewer; higher is better",
    "e_on_shrec_page": "1 - e, the formula on the SHREC page; lower is better",
    "dcg": "SHREC: G_1 + sum G_i/log2(i) over the whole list, divided by the ideal",
    "ap": "mean, over all C relevant targets, of the precision at their rank (0 if missing)",
    "shrec_ap": "official SHREC AP: the mean of the 20-point precision-recall curve",
    "cg": "sum of gains over the whole list",
    "dcg_sum": "SHREC's DCG before division by the ideal",
    "ndcg_trec": "trec_eval's ndcg: log2(i+1), divided by the ideal",
    "pr20": "20 points j/20, linear interpolation; queries with C < 2 or C < 20/j left out",
    "pr11": "11 points, the highest precision at that recall or above: from the least number of "
    "targets with that recall. trec_eval 10 rounds recall times C to the nearest integer, so its "
    "iprec_at_recall can be higher (C = 3, recall .4: 1 target, not 2); trec_eval 9 agrees except "
    "for rounding errors at recall .7 with C = 3, 23, 33",
    "ties": "results with equal scores keep their order in the file",
    "queries_against_ranks": "number of queries whose ranks contradict their scores; the scores "
    "are used",
    "intervals": "95 % intervals over queries; nn: Wilson, others: Student's t; not computed below "
    "4 queries",
    "null": "undefined: shrec_ap and points of pr20 if no query has a C large enough for the "
    "point; intervals below 4 queries",
    "comparisons.csv": "differences in ap: two-sided paired permutation test over queries, 2000 "
    "draws; pairs whose corrected p may be below 1 are tested again with 50 draws per pair of "
    "systems, if that is more; p_holm: Holm-corrected",
}


def write_retrieval(
    folder: Path,
    judged: Sequence[JudgedRun],
    scores: Sequence[RetrievalScores],
    record: dict[str, Any],
) -> PaperTable:
    """Write systems, queries, curves, comparisons, record and figure; return the table for a paper.

    Parameters
    ----------
    folder : Path
        An existing folder.
    judged : sequence of JudgedRun
    scores : sequence of RetrievalScores
        Scores of each run, in the same order.
    record : dict
        Other fields of the record; ``seed`` is the random seed of the comparisons.

    Returns
    -------
    PaperTable
    """
    write_rows(
        folder / "systems.csv",
        ("system", *MEANS),
        [(s.lists.system, *(s.means[name] for name in MEANS)) for s in scores],
    )
    write_columns(folder / "queries.csv", _query_columns(scores))
    _write_curves(folder, scores)
    comparisons = _comparisons(scores, record["seed"])
    header = ("system_a", "system_b", "difference", "p", "p_holm")
    write_rows(folder / "comparisons.csv", header, comparisons)
    record["definitions"] = DEFINITIONS
    record["systems"] = {
        score.lists.system: {**_record(one, score), "intervals": _intervals(score)}
        for one, score in zip(judged, scores, strict=True)
    }
    write_record(folder / "evaluation.json", record)
    return _table(scores, comparisons)


def _table(scores: Sequence[RetrievalScores], comparisons: list[list[Any]]) -> PaperTable:
    """The table for a paper, sorted by AP."""
    by_name = {score.lists.system: score for score in scores}
    names = by_score(list(by_name), {name: one.means["ap"] for name, one in by_name.items()})
    letters = letters_of(names, comparisons)
    rows = []
    for name, letter in zip(names, letters, strict=True):
        means = by_name[name].means
        values = [statistic(means[key], 3) for key in MEANS]
        low, high = _intervals(by_name[name])["ap"]
        own = interval(low, high, 3)
        rows.append([name, values[_AP], own, *values[:_AP], *values[_AP + 1 :], letter])
    others = [_TITLES[key] for key in MEANS if key != "ap"]
    queries = counted(len(scores[0].lists.queries), "query", "queries")
    note = letters_note(len(names), len(scores[0].lists.queries), "query", "queries")
    notes = [f"Mean over {queries}; interval of AP over queries. {note}"]
    return PaperTable(["system", "AP", "95 %", *others, "letters"], rows, notes)


def _intervals(scores: RetrievalScores) -> dict[str, list[float]]:
    values = np.stack([scores.by_query[name] for name in WITH_T_INTERVAL])
    hits = wilson_interval(scores.by_query["nn"][None])
    bounds = zip(*t_interval(values, (0.0, 1.0)), strict=True)
    named = zip(("nn", *WITH_T_INTERVAL), (*zip(*hits, strict=True), *bounds), strict=True)
    return {name: list(bound) for name, bound in named}


def _comparisons(scores: Sequence[RetrievalScores], seed: int) -> list[list[Any]]:
    ap = np.stack([score.by_query["ap"] for score in scores])
    return list(compare(ap, DRAWS, seed).rows([score.lists.system for score in scores]))


def _query_columns(scores: Sequence[RetrievalScores]) -> dict[str, Any]:
    lists = [score.lists for score in scores]
    return {
        "system": [one.system for one in lists for _ in one.queries],
        "query_id": [query for one in lists for query in one.queries],
        "relevant": np.concatenate([one.targets.lengths for one in lists]),
        "results": np.concatenate([one.gains.lengths for one in lists]),
        "ties": np.concatenate([one.ties for one in lists]),
    } | {name: np.concatenate([s.by_query[name] for s in scores]) for name in BY_QUERY}


def _record(judged: JudgedRun, scores: RetrievalScores) -> dict[str, Any]:
    return {
        **scores.means,
        "e_on_shrec_page": 1 - scores.means["e"],
        "queries": len(scores.lists.queries),
        "ties": int(scores.lists.ties.sum()),
        "missing_queries": judged.missing_queries,
        "queries_without_relevant": judged.without_relevant,
        "unjudged_queries": judged.unjudged_queries,
        "self_hits": judged.self_hits,
        "queries_against_ranks": judged.against_ranks,
    }


def _write_curves(folder: Path, scores: Sequence[RetrievalScores]) -> None:
    write_rows(
        folder / "pr20.csv",
        ("system", "recall", "precision", "queries"),
        [
            (s.lists.system, recall, precision, queries)
            for s in scores
            for recall, precision, queries in zip(
                RECALL_20, s.precision_20, s.queries_20, strict=True
            )
        ],
    )
    write_rows(
        folder / "pr11.csv",
        ("system", "recall", "precision"),
        [
            (s.lists.system, recall, precision)
            for s in scores
            for recall, precision in zip(RECALL_11, s.precision_11, strict=True)
        ],
    )
    best_first = sorted(scores, key=lambda s: -s.means["ap"])
    figure = precision_recall_figure(
        {
            f"{s.lists.system} (AP {statistic(s.means['ap'], 3)})": (RECALL_20, s.precision_20)
            for s in best_first
        },
        note="20-point SHREC curves, mean over "
        + counted(len(scores[0].lists.queries), "query", "queries"),
        markers=True,
    )
    write_figure(figure, folder, "precision_recall")
