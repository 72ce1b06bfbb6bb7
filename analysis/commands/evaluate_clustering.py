"""`sketch-study evaluate clustering`: systems against people who sorted sketches on a table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from analysis.clustering_evaluation import AgreementWithPeople, PairCorrelation
    from analysis.files.clusterings import SystemClustering
    from analysis.files.groupings import SetGroupings
    from analysis.set_agreement import SetAgreement

DEFINITIONS = {
    "precision, recall, f": "BCubed of the system to each participant, self pair included, over "
    "what both placed; mean over participants. With overlapping groups the extended version",
    "low, high": "95 % percentile interval of f, bootstrap over participants, 10000 draws",
    "f_random": "F expected of random groupings with groups of the same sizes",
    "f_adjusted": "(f - f_random) / (1 - f_random) of the means",
    "ari": "adjusted Rand index; undefined for overlapping groups",
    "consensus_…": "the same to the consensus grouping of the participants",
    "tau_b, spearman": "correlation with the co-grouping similarity over pairs of stimuli; for "
    "groups, of 1 (together) and 0 (apart)",
    "people": "mean F of a participant to the others, and of the consensus to the participants",
}
MEANS = ("precision", "recall", "f", "f_random", "ari")


@dataclass(frozen=True)
class Judged:
    """One system beside the people."""

    name: str
    clustering: SystemClustering
    people: AgreementWithPeople | None
    consensus: AgreementWithPeople | None
    correlation: PairCorrelation


@click.command()
@click.argument("clusterings", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--truth", required=True, type=click.Path(path_type=Path), help="The participants' groupings."
)
@click.option("--set", "set_id", help="Which set, where the groupings are of several.")
@click.option(
    "--similarity", "direction", flag_value="similarity", help="Matrix: greater is alike."
)
@click.option("--distance", "direction", flag_value="distance", help="Matrix: smaller is alike.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the bootstrap.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for results.")
@click.option("--force", is_flag=True, help="Write over results that are there.")
def clustering(clusterings: tuple[Path, ...], **options: Any) -> None:
    """Measure how well systems group sketches as people do.

    A CLUSTERING is a CSV table stimulus_id,group_id (several rows for a stimulus in several
    groups), or a matrix between stimuli: .csv with ids as header and first column, or .npz. A
    matrix has the correlation with the co-grouping similarity only; declare it a --similarity or a
    --distance.

    Example: sketch-study evaluate clustering --truth groupings.csv hog_kmeans.csv --out out
    """
    from analysis.files.clusterings import read_clustering
    from analysis.files.output import output_folder
    from analysis.files.systems import system_names
    from analysis.set_agreement import study_set

    names = system_names(clusterings)
    truth = _one_set(options["truth"], options["set_id"])
    read = [read_clustering(path, truth.stimuli) for path in clusterings]
    if options["direction"] is None and any(one.matrix is not None for one in read):
        raise click.UsageError("say whether the matrix is a --similarity or a --distance")
    people = study_set(truth.groups, seed=options["seed"])
    judged = [
        judge(name, one, people, options["direction"])
        for name, one in zip(names, read, strict=True)
    ]
    rows = system_rows(judged, len(truth.stimuli), options["seed"])
    with output_folder(options["out"], options["force"]) as folder:
        write_clustering(folder, truth, people, judged, rows)
    for row in rows:
        numbers = [f"{key} {row[key]:.4f}" for key in ("f", "f_random", "ari", "tau_b")]
        click.echo(f"{row['system']}: {', '.join(numbers)} over {row['stimuli']} stimuli")


def _one_set(path: Path, set_id: str | None) -> SetGroupings:
    from analysis.errors import InputError
    from analysis.files.groupings import read_groupings

    sets = read_groupings(path)
    names = ", ".join(one.set_id for one in sets)
    if set_id is not None:
        chosen = [one for one in sets if one.set_id == set_id]
        if not chosen:
            raise InputError(f"{path}: has no set {set_id!r}; it has {names or 'no set_id'}")
        return chosen[0]
    if len(sets) > 1:
        raise InputError(f"{path}: is of {len(sets)} sets ({names}); choose one with --set")
    return sets[0]


def judge(name: str, one: SystemClustering, people: SetAgreement, direction: str | None) -> Judged:
    """Compare one system with the people."""
    from analysis.clustering_evaluation import agreement_with, pair_correlation, same_group

    if one.membership is None:
        sign = 1 if direction == "similarity" else -1
        assert one.matrix is not None
        return Judged(name, one, None, None, pair_correlation(sign * one.matrix, people.similarity))
    return Judged(
        name,
        one,
        agreement_with(one.membership, people.groupings),
        agreement_with(one.membership, people.consensus.groups[None]),
        pair_correlation(same_group(one.membership), people.similarity),
    )


def system_rows(judged: list[Judged], stimuli: int, seed: int) -> list[dict[str, Any]]:
    """Give the rows of systems.csv."""
    return [_system_row(one, stimuli, seed) for one in judged]


def _system_row(one: Judged, stimuli: int, seed: int) -> dict[str, Any]:
    from analysis.bootstrap import bootstrap_interval, macro_mean
    from analysis.chance import adjusted

    nan = float("nan")
    row: dict[str, Any] = {"system": one.name} | dict.fromkeys(MEANS, nan)
    row |= {"f_adjusted": nan, "low": nan, "high": nan, "groups": nan, "overlapping": False}
    row |= {f"consensus_{name}": nan for name in MEANS}
    if (
        one.people is not None
        and one.consensus is not None
        and one.clustering.membership is not None
    ):
        row |= {name: float(macro_mean(getattr(one.people, name))) for name in MEANS}
        row |= {f"consensus_{name}": float(getattr(one.consensus, name)[0]) for name in MEANS}
        low, high = bootstrap_interval(one.people.f[None], seed=seed)
        row |= {"low": float(low[0]), "high": float(high[0])}
        row["f_adjusted"] = adjusted(row["f"], row["f_random"])
        row["groups"] = one.clustering.membership.shape[1]
        row["overlapping"] = bool((one.clustering.membership.sum(1) > 1).any())
    row |= {"tau_b": one.correlation.tau_b, "spearman": one.correlation.spearman}
    return row | {"pairs": one.correlation.pairs, "stimuli": stimuli}


def write_clustering(
    folder: Path,
    truth: SetGroupings,
    people: SetAgreement,
    judged: list[Judged],
    rows: list[dict[str, Any]],
) -> None:
    """Write the results into a folder that is there."""
    from analysis.bootstrap import macro_mean
    from analysis.clustering_evaluation import agreement_with
    from analysis.files.results import write_record, write_rows

    write_rows(folder / "systems.csv", list(rows[0]), [list(row.values()) for row in rows])
    write_rows(
        folder / "participants.csv",
        ("system", "participant_id", "stimuli", *MEANS),
        [
            (
                one.name,
                participant,
                int(one.people.stimuli[k]),
                *(getattr(one.people, name)[k] for name in MEANS),
            )
            for one in judged
            if one.people is not None
            for k, participant in enumerate(truth.participants)
        ],
    )
    groups = people.consensus.groups
    membership = groups[:, None] == range(groups.max() + 1)
    upper = float(macro_mean(agreement_with(membership, people.groupings).f))
    record = {
        "participants": people.participants,
        "stimuli": len(truth.stimuli),
        "set_id": truth.set_id,
        "people": {"f": people.mean.f, "f_random": people.mean.f_random, "consensus_f": upper},
        "ignored": {one.name: one.clustering.ignored for one in judged},
        "definitions": DEFINITIONS,
        "systems": {row["system"]: row for row in rows},
    }
    write_record(folder / "evaluation.json", record)
    _draw(folder, rows, (people.mean.f, upper), len(truth.participants))


def _draw(
    folder: Path, rows: list[dict[str, Any]], band: tuple[float, float], participants: int
) -> None:
    import numpy as np

    from analysis.figures.style import write_figure
    from analysis.figures.systems import SystemScores, systems_figure

    shown = [row for row in rows if not np.isnan(row["f"])] or rows
    key = "f" if not np.isnan(shown[0]["f"]) else "tau_b"
    score, low, high, random = (
        np.array([row[name] for row in shown], dtype=float)
        for name in (key, "low", "high", "f_random")
    )
    scores = SystemScores([row["system"] for row in shown], score, low, high, marks=random)
    with_f = key == "f"
    figure = systems_figure(
        scores,
        axis="BCubed F to the participants" if with_f else "tau_b to the co-grouping similarity",
        note=f"{participants} participants"
        + ("; 95 % bootstrap over participants; bars: chance" if with_f else ""),
        band=band if with_f else None,
    )
    write_figure(figure, folder, "systems")
