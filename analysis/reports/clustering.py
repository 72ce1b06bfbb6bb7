"""Output files of `evaluate clustering`."""

from pathlib import Path
from typing import Any

import numpy as np

from analysis.clusterings.clustering_evaluation import (
    CORRELATIONS,
    MEANS,
    EvaluatedClustering,
    consensus_f,
)
from analysis.clusterings.correlation import correlation_ceiling
from analysis.figures.style import write_figure
from analysis.figures.systems import SystemScores, systems_figure
from analysis.files.groupings import SetGroupings
from analysis.files.results import write_record, write_rows
from analysis.groupings.set_agreement import SetSummary
from analysis.reports.paper_table import PaperTable, by_score, letters_note, letters_of
from analysis.statistics.comparison import compare
from basics.numerals import interval, statistic
from basics.plurals import counted

DEFINITIONS = {
    "precision, recall, f": "BCubed of the system with each participant as reference, self pairs "
    "included, over the stimuli that both placed; mean over participants. Extended BCubed if "
    "groups overlap",
    "low, high": "95 % interval of f over participants (Student's t); not computed below 4 "
    "participants",
    "f_random": "F of the expected precision and recall of random groupings with the same group "
    "sizes; f_random_low, f_random_high: central 95 % of the mean F of shuffled clusterings",
    "f_adjusted": "(f - f_random) / (1 - f_random); in systems.csv, from the means",
    "p_value": "(draws with an f at least as high + 1) / (draws + 1), one-sided, with the "
    "clustering shuffled among the stimuli 1000 times; all systems and participants share the "
    "same permutations. In participants.csv not corrected for the number of participants",
    "ari": "adjusted Rand index; undefined for overlapping groups. In systems.csv, the mean over "
    "participants; if they placed different parts, sum of (index - expected) over sum of "
    "(maximum - expected)",
    "consensus_…": "the same with the consensus grouping of the participants as reference",
    "similarity_tau_b, similarity_spearman": "correlation with the co-grouping similarity over "
    "pairs of stimuli; groups are coded as 1 (together) and 0 (apart). If pairs_weighted is true, "
    "pairs are weighted by the number of participants who placed both",
    "mantel_p": "Mantel test, one-sided: probability of a Spearman correlation at least as high "
    "if stimuli are shuffled (1000 times). consensus_mantel_p: with the consensus grouping",
    "participant_tau_b": "mean tau_b with each participant's groups, coded as 1 (together) and 0 "
    "(apart); participant_tau_b_low, participant_tau_b_high: 95 % interval over participants "
    "(Student's t; not computed below 4). In participants.csv, tau_b with that participant's "
    "groups; participant_spearman likewise",
    "comparisons.csv": "differences in f, and in participant_tau_b: two-sided paired permutation "
    "test over participants, 10000 draws; pairs whose corrected p may be below 1 are tested "
    "again with 50 draws per pair of systems, if that is more; p_holm: Holm-corrected within the "
    "measure",
    "null": "undefined: F and ari of a matrix, or if no participant placed two of the stimuli; ari "
    "of overlapping groups; f_adjusted if f_random is 1; correlations and mantel_p if a side is "
    "constant (all stimuli together, or each alone); intervals below 4 participants",
    "people": "mean F of a participant with the others, and of the consensus with the "
    "participants; participant_tau_b: mean tau_b of a participant with the similarity of the "
    "others (lower) and of all (upper), on the scale of a system's participant_tau_b, not of "
    "similarity_tau_b",
}
TO_PARTICIPANT = tuple(f"participant_{name}" for name in CORRELATIONS)
AXES = {
    "f": ("low", "high", "Mean BCubed F with participants"),
    "participant_tau_b": (
        "participant_tau_b_low",
        "participant_tau_b_high",
        "Mean tau_b with each participant's groups",
    ),
}


def write_clustering(
    folder: Path,
    truth: SetGroupings,
    people: SetSummary,
    judged: list[EvaluatedClustering],
    rows: list[dict[str, Any]],
    seed: int = 0,
) -> PaperTable:
    """Write systems, participants, comparisons, record and figures; return the table for a paper.

    Parameters
    ----------
    folder : Path
        An existing folder.
    truth : SetGroupings
        The groupings, with the ids of stimuli and participants.
    people : SetSummary
        Results of these groupings.
    judged : list of EvaluatedClustering
    rows : list of dict
        Rows of `systems.csv`, from `analysis.clusterings.clustering_evaluation.system_rows`.
    seed : int
        Random seed of the comparisons.

    Returns
    -------
    PaperTable
    """
    write_rows(folder / "systems.csv", list(rows[0]), [list(row.values()) for row in rows])
    write_rows(
        folder / "participants.csv",
        ("system", "participant_id", "stimuli", *MEANS, "f_adjusted", "p_value", *TO_PARTICIPANT),
        _participant_rows(truth, judged),
    )
    comparisons = _comparison_rows(judged, seed)
    write_rows(
        folder / "comparisons.csv",
        ("measure", "system_a", "system_b", "difference", "p", "p_holm"),
        comparisons,
    )
    among_people = _among_people(people)
    record = {
        "participants": people.participants,
        "stimuli": len(truth.stimuli),
        "set_id": truth.set_id,
        "seed": seed,
        "people": among_people,
        "ignored": {one.name: one.clustering.ignored for one in judged},
        "definitions": DEFINITIONS,
        "systems": {row["system"]: row for row in rows},
    }
    write_record(folder / "evaluation.json", record)
    note = f"{counted(people.participants, 'participant')}; 95 % intervals over participants"
    _draw(folder, rows, among_people, note)
    return _table(rows, comparisons, among_people, people.participants)


def _table(
    rows: list[dict[str, Any]],
    comparisons: list[list[Any]],
    among_people: dict[str, Any],
    participants: int,
) -> PaperTable:
    """Table sorted by BCubed F if any system has groups, otherwise by tau_b with participants."""
    measure = "f" if any(row["f"] == row["f"] for row in rows) else "participant_tau_b"
    by_name = {row["system"]: row for row in rows}
    names = by_score(list(by_name), {name: row[measure] for name, row in by_name.items()})
    compared = [row[1:] for row in comparisons if row[0] == measure]
    defined = [name for name in names if by_name[name][measure] == by_name[name][measure]]
    letters = dict(zip(defined, letters_of(defined, compared), strict=True))
    columns = ["system", "F", "95 %", "chance", "adjusted F", "ARI"]
    columns += ["tau_b with participants", "95 %", "letters"]
    shown = [
        (
            name,
            statistic(row["f"]),
            interval(row["low"], row["high"]),
            *(statistic(row[key]) for key in ("f_random", "f_adjusted", "ari")),
            statistic(row["participant_tau_b"]),
            interval(row["participant_tau_b_low"], row["participant_tau_b_high"]),
            letters.get(name, ""),
        )
        for name, row in ((name, by_name[name]) for name in names)
    ]
    people = among_people["participant_tau_b"]
    empty = [name for name in names if name not in letters and not any(_measured(by_name[name]))]
    notes = [f"{name}: all measures are undefined." for name in empty]
    notes += [
        f"Mean over {counted(participants, 'participant')}; intervals over participants. "
        + letters_note(len(defined), participants, "participant"),
        f"A participant with the others: F {statistic(among_people['f'])} (chance "
        f"{statistic(among_people['f_random'])}); the consensus with the participants: F "
        f"{statistic(among_people['consensus_f'])}.",
        f"tau_b of a participant with the others, and with all: {statistic(people['lower'])} and "
        f"{statistic(people['upper'])}.",
    ]
    return PaperTable(columns, shown, notes)


def _measured(row: dict[str, Any]) -> list[bool]:
    """Whether F, and the correlation with participants, are defined."""
    return [row[key] == row[key] for key in ("f", "participant_tau_b")]


def _among_people(people: SetSummary) -> dict[str, Any]:
    """Agreement among participants, on the same scales as that of systems with participants."""
    lower, upper = correlation_ceiling(people.groupings)
    return {
        "f": people.mean.f,
        "f_random": people.mean.f_random,
        "consensus_f": consensus_f(people),
        "participant_tau_b": {"lower": lower, "upper": upper},
    }


def _participant_rows(truth: SetGroupings, judged: list[EvaluatedClustering]) -> list[list[Any]]:
    placed = (truth.groups >= 0).sum(1).tolist()
    undefined = [float("nan")] * len(placed)
    rows = []
    for one in judged:
        columns: list[Any] = [undefined] * (len(MEANS) + 2)
        if one.groups is not None:
            columns = [getattr(one.groups.people, name) for name in (*MEANS, "f_adjusted")]
            columns.append(one.groups.people_p)
        columns += [getattr(one.people_correlation, name) for name in CORRELATIONS]
        of_participants = zip(truth.participants, placed, *columns, strict=True)
        rows += [[one.name, *numbers] for numbers in of_participants]
    return rows


def _comparison_rows(judged: list[EvaluatedClustering], seed: int) -> list[list[Any]]:
    """All pairs of systems with the same measure, compared over participants."""
    of_groups = {one.name: one.groups.people.f for one in judged if one.groups is not None}
    of_all = {one.name: one.people_correlation.tau_b for one in judged}
    rows = []
    for measure, values in (("f", of_groups), ("participant_tau_b", of_all)):
        if len(values) > 1:
            compared = compare(np.stack(list(values.values())), seed=seed)
            rows += [[measure, *row] for row in compared.rows(list(values))]
    return rows


def _draw(
    folder: Path, rows: list[dict[str, Any]], among_people: dict[str, Any], note: str
) -> None:
    """Draw BCubed F of systems with groups, and the correlation with participants of all systems.

    If no system has groups, the figure of the systems shows the correlation.
    """
    grouping = [row for row in rows if row["f"] == row["f"]]
    if grouping:
        band = among_people["f"], among_people["consensus_f"]
        _draw_one(
            folder / "systems",
            grouping,
            "f",
            band,
            f"{note}; grey: chance, central 95 % of shuffled groups",
        )
    tau_b = (rows, "participant_tau_b", tuple(among_people["participant_tau_b"].values()), note)
    for stem in ("correlations",) if grouping else ("correlations", "systems"):
        _draw_one(folder / stem, *tau_b)


def _draw_one(
    place: Path,
    rows: list[dict[str, Any]],
    key: str,
    band: tuple[float, float],
    note: str,
) -> None:
    low, high, axis = AXES[key]
    chance = ("f_random", "f_random_low", "f_random_high")
    columns = {name: np.array([row[name] for row in rows]) for name in (key, low, high, *chance)}
    marks = [columns[name] if key == "f" else None for name in chance]
    scores = SystemScores(
        [row["system"] for row in rows],
        columns[key],
        columns[low],
        columns[high],
        marks=marks[0],
        marks_low=marks[1],
        marks_high=marks[2],
    )
    shown = None if np.isnan(band).any() else band
    write_figure(systems_figure(scores, axis=axis, note=note, band=shown), place.parent, place.name)
