"""What `evaluate ranking` leaves of systems."""

from pathlib import Path
from typing import Any

from analysis.figures.style import write_figure
from analysis.figures.systems import SystemScores, systems_figure
from analysis.files.results import write_record, write_rows
from analysis.files.scores import GroundTruth
from analysis.ratings.ranking_evaluation import RankingEvaluation
from basics.plurals import counted

DEFINITIONS = {
    "tau_b": "Kendall's tau_b of a system's scores and the mean human scores of a query's "
    "candidates; the macro mean over queries",
    "low, high": "95 % percentile interval, bootstrap over queries, 10000 draws; none of one query",
    "joint_low, joint_high": "the same over participants and queries together",
    "undefined": "queries where a side is constant",
    "p": "two-sided paired permutation over queries, 10000 draws; p_holm is Holm's correction",
    "ceiling": "leave-one-out: mean tau_b of a participant to the mean of the others (lower) and "
    "to the mean of all (upper)",
}


def write_ranking(
    folder: Path, truth: GroundTruth, evaluation: RankingEvaluation, extra: dict[str, Any]
) -> None:
    """Write systems, queries, comparisons, the record and the figure.

    Parameters
    ----------
    folder : Path
        One that is there.
    truth : GroundTruth
        Whose queries and candidates were measured.
    evaluation : RankingEvaluation
    extra : dict
        What the record says besides; under ``ceiling`` the human ceilings, or None.
    """
    rows = _system_rows(evaluation, len(truth.queries))
    write_rows(folder / "systems.csv", list(rows[0]), [list(row.values()) for row in rows])
    write_rows(
        folder / "queries.csv",
        ("system", "query_id", "candidates", "tau_b"),
        [
            (name, query, len(truth.candidates[q]), evaluation.by_query[k, q])
            for k, name in enumerate(evaluation.systems)
            for q, query in enumerate(truth.queries)
        ],
    )
    write_rows(
        folder / "comparisons.csv",
        ("system_a", "system_b", "difference", "p", "p_holm"),
        evaluation.comparisons.rows(evaluation.systems),
    )
    record = {
        **extra,
        "queries": len(truth.queries),
        "seed": evaluation.seed,
        "definitions": DEFINITIONS,
        "systems": {str(row["system"]): row for row in rows},
    }
    write_record(folder / "evaluation.json", record)
    _draw(folder, evaluation, len(truth.queries), extra["ceiling"])


def _system_rows(evaluation: RankingEvaluation, queries: int) -> list[dict[str, Any]]:
    joint = evaluation.over_participants_and_queries
    rows = []
    for k, name in enumerate(evaluation.systems):
        row = {
            "system": name,
            "tau_b": evaluation.score[k],
            "low": evaluation.over_queries.low[k],
            "high": evaluation.over_queries.high[k],
            "queries": queries,
            "undefined": evaluation.undefined[k],
        }
        if joint is not None:
            row |= {"joint_low": joint.low[k], "joint_high": joint.high[k]}
        rows.append(row)
    return rows


def _draw(
    folder: Path,
    evaluation: RankingEvaluation,
    queries: int,
    ceiling: dict[str, float] | None,
) -> None:
    joint = evaluation.over_participants_and_queries
    whiskers = "95 % bootstrap over queries"
    if joint is not None:
        whiskers += " (thick), over participants and queries (thin)"
    figure = systems_figure(
        SystemScores(
            evaluation.systems,
            evaluation.score,
            evaluation.over_queries.low,
            evaluation.over_queries.high,
            None if joint is None else joint.low,
            None if joint is None else joint.high,
        ),
        axis="Mean Kendall's tau_b to the human ranking",
        note=f"{counted(queries, 'query', 'queries')}; {whiskers}",
        band=None if ceiling is None else (ceiling["lower"], ceiling["upper"]),
    )
    write_figure(figure, folder, "systems")
