"""Output files of `evaluate ranking`."""

from pathlib import Path
from typing import Any

import numpy as np

from analysis.figures.style import write_figure
from analysis.figures.systems import SystemScores, systems_figure
from analysis.files.results import write_record, write_rows
from analysis.files.scores import GroundTruth
from analysis.ratings.ranking_evaluation import RankingEvaluation
from analysis.reports.paper_table import PaperTable, by_score, letters_note, letters_of
from basics.numerals import interval, statistic
from basics.plurals import counted

NAN = float("nan")
DEFINITIONS = {
    "tau_b": "Kendall's tau_b of a system's scores and the mean human scores of a query's "
    "candidates; the macro mean over queries. A query where the system is constant counts 0; one "
    "where the truth is constant is left out for every system",
    "low, high": "95 % interval over queries, Student's t; none below 4 queries",
    "joint_low, joint_high": "95 % interval over participants and queries together: 10000 draws, "
    "shifted by the difference of tau_b and their mean, never narrower than that over queries; "
    "none below 4 participants or queries",
    "participant_tau_b": "mean tau_b of a system to each participant's own scores, over "
    "participants and then over queries",
    "undefined": "queries where a side is constant; per system under constant, of the truth under "
    "constant_truth",
    "p": "two-sided paired permutation over queries, 10000 draws, 50 a pair if that is more "
    "and p < .1; p_holm is Holm's correction",
    "ceiling": "leave-one-out: mean tau_b of a participant to the mean of the others (lower) and "
    "to the mean of all (upper), for comparison with participant_tau_b, which can be above both: "
    "the mean is not the order that agrees best with each. A system's tau_b to the mean can be far "
    "higher, since a mean has less noise than one participant",
    "split_half_tau_b": "mean tau_b between the mean scores of two random halves of the "
    "participants, on the scale of tau_b; the mean of all participants is worth more than of half",
    "null": "undefined: tau_b where the truth of every query is constant; intervals below 4 "
    "queries (joint ones also below 4 participants); joint_low, joint_high and participant_tau_b "
    "without --ratings, ceiling and split_half_tau_b also without agreement.json beside the truth",
}


def write_ranking(
    folder: Path, truth: GroundTruth, evaluation: RankingEvaluation, extra: dict[str, Any]
) -> PaperTable:
    """Write systems, queries, comparisons, record and figure; return the table for a paper.

    Parameters
    ----------
    folder : Path
        An existing folder.
    truth : GroundTruth
        The ground truth with the queries and candidates that were measured.
    evaluation : RankingEvaluation
    extra : dict
        Further fields of the record; ``ceiling`` has the human ceilings and
        ``split_half_tau_b`` the reliability of the truth, or None.
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
    left_out = [truth.queries[q] for q in evaluation.constant_truth.nonzero()[0]]
    record = {
        **extra,
        "queries": len(truth.queries),
        "constant_truth": left_out,
        "seed": evaluation.seed,
        "definitions": DEFINITIONS,
        "systems": {
            str(row["system"]): row | {"constant": evaluation.constant[k]}
            for k, row in enumerate(rows)
        },
    }
    write_record(folder / "evaluation.json", record)
    counts = counted(len(truth.queries) - len(left_out), "query", "queries")
    _draw(folder, evaluation, counts, extra)
    return ranking_table(evaluation, len(truth.queries), extra)


def ranking_table(
    evaluation: RankingEvaluation, queries: int, people: dict[str, Any]
) -> PaperTable:
    """The table for a paper: tau_b with its interval, and letters, the best first.

    Parameters
    ----------
    evaluation : RankingEvaluation
    queries : int
        Number of queries of the truth.
    people : dict
        Human ceilings under ``ceiling`` and ``split_half_tau_b``, or None.
    """
    own, joint = evaluation.over_queries, evaluation.over_participants_and_queries
    place = {name: k for k, name in enumerate(evaluation.systems)}
    names = by_score(evaluation.systems, {n: float(evaluation.score[k]) for n, k in place.items()})
    defined = [name for name in names if not np.isnan(evaluation.score[place[name]])]
    compared = list(evaluation.comparisons.rows(evaluation.systems))
    letters = dict(zip(defined, letters_of(defined, compared), strict=True))
    columns = ["system", "tau_b", "95 %"]
    columns += ["95 % joint"] * (joint is not None)
    columns += ["to participants"] * (evaluation.participant_tau_b is not None)
    rows = []
    for name in names:
        k = place[name]
        row = [name, statistic(evaluation.score[k]), interval(own.low[k], own.high[k])]
        if joint is not None:
            row.append(interval(joint.low[k], joint.high[k]))
        if evaluation.participant_tau_b is not None:
            row.append(statistic(evaluation.participant_tau_b[k]))
        rows.append([*row, letters.get(name, "")])
    return PaperTable([*columns, "letters"], rows, _notes(evaluation, queries, people))


def _notes(evaluation: RankingEvaluation, queries: int, people: dict[str, Any]) -> list[str]:
    left_out = int(evaluation.constant_truth.sum())
    n = f"Mean over {counted(queries - left_out, 'query', 'queries')}"
    if left_out:
        n += f" ({left_out} left out: the truth is constant)"
    letters = letters_note(len(evaluation.systems), queries - left_out, "query", "queries")
    notes = [f"{n}; intervals over queries. {letters}"]
    for name, score, count in zip(
        evaluation.systems, evaluation.score, evaluation.constant, strict=True
    ):
        if count:
            notes.append(f"{name}: constant on {counted(count, 'query', 'queries')} (tau_b 0).")
        if score != score:
            notes.append(f"{name}: tau_b undefined.")
    ceiling, halves = people.get("ceiling"), people.get("split_half_tau_b")
    if ceiling is not None and ceiling["lower"] == ceiling["lower"]:
        ends = f"{statistic(ceiling['lower'])} and {statistic(ceiling['upper'])}"
        notes.append(f"One participant to the mean of the others, and of all: {ends}.")
    if halves is not None and halves == halves:
        notes.append(f"Means of two halves of the participants: tau_b {statistic(halves)}.")
    return notes


def _system_rows(evaluation: RankingEvaluation, queries: int) -> list[dict[str, Any]]:
    joint = evaluation.over_participants_and_queries
    to_participants = evaluation.participant_tau_b
    return [
        {
            "system": name,
            "tau_b": evaluation.score[k],
            "low": evaluation.over_queries.low[k],
            "high": evaluation.over_queries.high[k],
            "joint_low": NAN if joint is None else joint.low[k],
            "joint_high": NAN if joint is None else joint.high[k],
            "participant_tau_b": NAN if to_participants is None else to_participants[k],
            "queries": queries,
            "undefined": evaluation.undefined[k],
        }
        for k, name in enumerate(evaluation.systems)
    ]


def _draw(folder: Path, evaluation: RankingEvaluation, counts: str, people: dict[str, Any]) -> None:
    joint = evaluation.over_participants_and_queries
    note = f"{counts}; 95 % intervals over queries"
    if joint is not None:
        note += " (thick), over participants and queries (thin)"
    halves = people["split_half_tau_b"]
    if halves is not None and halves == halves:
        note += f"; means of two halves of the people: {statistic(halves)}"
    scores = SystemScores(
        evaluation.systems,
        evaluation.score,
        evaluation.over_queries.low,
        evaluation.over_queries.high,
        None if joint is None else joint.low,
        None if joint is None else joint.high,
    )
    axis = "Mean Kendall's tau_b to the mean human ranking"
    write_figure(systems_figure(scores, axis=axis, note=note), folder, "systems")
    if evaluation.participant_tau_b is not None:
        _draw_to_participants(folder, evaluation, counts, people["ceiling"])


def _draw_to_participants(
    folder: Path, evaluation: RankingEvaluation, counts: str, ceiling: dict[str, float]
) -> None:
    """Draw tau_b to individual participants, the axis of the human ceilings."""
    value = np.asarray(evaluation.participant_tau_b)
    unknown = np.full(len(value), NAN)
    figure = systems_figure(
        SystemScores(evaluation.systems, value, unknown, unknown),
        axis="Mean Kendall's tau_b to each participant",
        note=f"{counts}; band: one participant to the mean of the others, and of all",
        band=(ceiling["lower"], ceiling["upper"]),
    )
    write_figure(figure, folder, "participants")
