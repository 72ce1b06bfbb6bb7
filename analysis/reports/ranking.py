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
    "tau_b": "Kendall's tau_b of a system's scores with the mean human scores of a query's "
    "candidates; macro mean over queries. It is 0 for queries on which the system is constant; "
    "queries whose truth is constant are left out for all systems",
    "low, high": "95 % interval over queries (Student's t); not computed below 4 queries",
    "joint_low, joint_high": "95 % interval over participants and queries together: bootstrap, "
    "10000 draws, shifted so that their mean is tau_b, and never narrower than the interval over "
    "queries; not computed below 4 participants or queries",
    "participant_tau_b": "mean tau_b of a system with each participant's own scores, over "
    "participants and then over queries",
    "undefined": "number of queries on which a side is constant: the system (constant) or the "
    "truth (constant_truth)",
    "p": "two-sided paired permutation test over queries, 10000 draws; pairs whose corrected "
    "p may be below 1 are tested again with 50 draws per pair of systems, if that is more; p_holm: "
    "Holm-corrected",
    "ceiling": "human ceiling, leave-one-out: mean tau_b of a participant with the mean of the "
    "others (lower) and of all (upper). Compare it with participant_tau_b, which can be above "
    "both, since the mean is not the order that agrees best with all participants. A system's "
    "tau_b with the mean can be much higher, since a mean has less noise than one participant",
    "split_half_tau_b": "mean tau_b between the mean scores of two random halves of the "
    "participants, on the scale of tau_b; the mean of all participants is more reliable than that "
    "of a half",
    "null": "undefined: tau_b if the truth is constant on all queries; intervals below 4 queries "
    "(joint intervals also below 4 participants); joint_low, joint_high and participant_tau_b "
    "without --ratings; ceiling and split_half_tau_b without --ratings and without agreement.json "
    "in the folder of the truth",
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
        The ground truth, with the queries and candidates of the evaluation.
    evaluation : RankingEvaluation
    extra : dict
        Other fields of the record, with ``ceiling`` (the human ceiling, or None) and
        ``split_half_tau_b`` (or None).

    Returns
    -------
    PaperTable
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
    """The table for a paper: tau_b with its interval, and letters, best first.

    Parameters
    ----------
    evaluation : RankingEvaluation
    queries : int
        Number of queries of the truth.
    people : dict
        With ``ceiling`` and ``split_half_tau_b``; each may be None.

    Returns
    -------
    PaperTable
    """
    own, joint = evaluation.over_queries, evaluation.over_participants_and_queries
    place = {name: k for k, name in enumerate(evaluation.systems)}
    names = by_score(evaluation.systems, {n: float(evaluation.score[k]) for n, k in place.items()})
    defined = [name for name in names if not np.isnan(evaluation.score[place[name]])]
    compared = list(evaluation.comparisons.rows(evaluation.systems))
    letters = dict(zip(defined, letters_of(defined, compared), strict=True))
    columns = ["system", "tau_b", "95 %"]
    columns += ["95 % joint"] * (joint is not None)
    columns += ["with participants"] * (evaluation.participant_tau_b is not None)
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
        n += f" ({left_out} left out, since the truth is constant)"
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
        notes.append(f"tau_b of a participant with the mean of the others, and of all: {ends}.")
    if halves is not None and halves == halves:
        notes.append(f"Split-half tau_b of the mean scores: {statistic(halves)}.")
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
        note += f"; split-half tau_b: {statistic(halves)}"
    scores = SystemScores(
        evaluation.systems,
        evaluation.score,
        evaluation.over_queries.low,
        evaluation.over_queries.high,
        None if joint is None else joint.low,
        None if joint is None else joint.high,
    )
    axis = "Mean Kendall's tau_b with the mean human scores"
    write_figure(systems_figure(scores, axis=axis, note=note), folder, "systems")
    if evaluation.participant_tau_b is not None:
        _draw_to_participants(folder, evaluation, counts, people["ceiling"])


def _draw_to_participants(
    folder: Path, evaluation: RankingEvaluation, counts: str, ceiling: dict[str, float]
) -> None:
    """Draw tau_b with single participants, the scale of the human ceiling."""
    value = np.asarray(evaluation.participant_tau_b)
    unknown = np.full(len(value), NAN)
    figure = systems_figure(
        SystemScores(evaluation.systems, value, unknown, unknown),
        axis="Mean Kendall's tau_b with each participant",
        note=f"{counts}; band: a participant with the mean of the others, and of all",
        band=(ceiling["lower"], ceiling["upper"]),
    )
    write_figure(figure, folder, "participants")
