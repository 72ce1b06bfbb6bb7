"""`sketch-study evaluate clustering`: systems against people who sorted sketches on a table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.commands.directions import direction_options

if TYPE_CHECKING:
    from analysis.clustering_evaluation import AgreementWithPeople
    from analysis.files.clusterings import SystemClustering
    from analysis.files.groupings import SetGroupings
    from analysis.matrix_correlation import GroupingCorrelations, PairCorrelation
    from analysis.set_agreement import SetAgreement

MEANS = ("precision", "recall", "f", "f_random", "ari")
CORRELATIONS = ("tau_b", "spearman")
DRAWS = 1_000


@dataclass(frozen=True)
class Judged:
    """One system beside the people; what groups alone have is None and NaN for a matrix."""

    name: str
    clustering: SystemClustering
    people: AgreementWithPeople | None
    consensus: AgreementWithPeople | None
    p_value: float
    correlation: PairCorrelation
    mantel_p: float
    people_correlation: GroupingCorrelations
    consensus_correlation: GroupingCorrelations


@click.command()
@click.argument("clusterings", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--truth", required=True, type=click.Path(path_type=Path), help="The participants' groupings."
)
@click.option("--set", "set_id", help="Which set, where the groupings are of several.")
@direction_options
@click.option("--seed", type=int, default=0, show_default=True, help="Of all random draws.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for results.")
@click.option("--force", is_flag=True, help="Write over results that are there.")
def clustering(clusterings: tuple[Path, ...], **options: Any) -> None:
    """Measure how well systems group sketches as people do.

    A CLUSTERING is a CSV table stimulus_id,group_id (several rows for a stimulus in several
    groups), or a matrix between stimuli: .csv with ids as header and first column, or .npz. A
    matrix has correlations with people's groups only; declare it a --similarity or a --distance.

    Example: sketch-study evaluate clustering --truth groupings.csv hog_kmeans.csv --out out
    """
    from analysis.commands.clustering_results import write_clustering
    from analysis.files.clusterings import read_clustering
    from analysis.files.output import output_folder, refuse_existing
    from analysis.files.systems import system_names
    from analysis.set_agreement import study_set
    from analysis.simulated import marked_simulated

    refuse_existing([options["out"] / "evaluation.json"], options["force"])
    names = system_names(clusterings)
    truth = _one_set(options["truth"], options["set_id"])
    read = [read_clustering(path, truth.stimuli) for path in clusterings]
    if options["direction"] is None and any(one.matrix is not None for one in read):
        raise click.UsageError("say whether the matrix is a --similarity or a --distance")
    people = study_set(truth.groups, seed=options["seed"])
    judged = [
        judge(name, one, people, options["direction"], options["seed"])
        for name, one in zip(names, read, strict=True)
    ]
    rows = system_rows(judged, len(truth.stimuli), options["seed"])
    marked = marked_simulated(truth.simulated)
    with output_folder(options["out"], options["force"]) as folder, marked:
        write_clustering(folder, truth, people, judged, rows, options["seed"])
    for row in rows:
        told = {key: row[key] for key in ("f", "f_random", "ari", "tau_b", "mantel_p")}
        numbers = [f"{key} {value:.4f}" for key, value in told.items() if value == value]
        found = ", ".join(numbers) or "nothing is defined"
        click.echo(f"{row['system']}: {found} over {row['stimuli']} stimuli")


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


def judge(
    name: str, one: SystemClustering, people: SetAgreement, direction: str | None, seed: int = 0
) -> Judged:
    """Compare one system with the people."""
    from analysis.clustering_evaluation import agreement_with, same_group
    from analysis.matrix_correlation import correlation_with, pair_correlation
    from analysis.shuffled_matrices import mantel

    consensus = people.consensus.groups[None]
    with_people = with_consensus = None
    by_chance = float("nan")
    if one.membership is not None:
        matrix = same_group(one.membership)
        with_people = agreement_with(one.membership, people.groupings)
        with_consensus = agreement_with(one.membership, consensus)
        by_chance = _p_value(one.membership, people.groupings, with_people, seed)
    else:
        assert one.matrix is not None
        matrix = one.matrix if direction == "similarity" else -one.matrix
    return Judged(
        name,
        one,
        with_people,
        with_consensus,
        by_chance,
        pair_correlation(matrix, people.similarity),
        mantel(matrix, people.similarity, DRAWS, seed),
        correlation_with(matrix, people.groupings),
        correlation_with(matrix, consensus),
    )


def _p_value(membership: Any, groupings: Any, found: AgreementWithPeople, seed: int) -> float:
    from analysis.bootstrap import macro_mean
    from analysis.chance import p_value
    from analysis.clustering_evaluation import shuffled_agreement

    if (membership.sum(1) > 1).any():
        return float("nan")
    random = shuffled_agreement(membership, groupings, DRAWS, seed)
    return p_value(float(macro_mean(found.f)), random)


def system_rows(judged: list[Judged], stimuli: int, seed: int) -> list[dict[str, Any]]:
    """Give the rows of systems.csv."""
    return [_system_row(one, stimuli, seed) for one in judged]


def _system_row(one: Judged, stimuli: int, seed: int) -> dict[str, Any]:
    row: dict[str, Any] = {"system": one.name, **_agreement_columns(one, seed)}
    row |= {"p_value": one.p_value}
    row |= {"tau_b": one.correlation.tau_b, "spearman": one.correlation.spearman}
    row |= {"mantel_p": one.mantel_p}
    mean, low, high = _over_participants(one.people_correlation.tau_b, seed)
    row |= {"participant_tau_b": mean}
    row |= {"participant_tau_b_low": low, "participant_tau_b_high": high}
    row |= {
        f"consensus_{name}": float(getattr(one.consensus_correlation, name)[0])
        for name in CORRELATIONS
    }
    return row | {"pairs": one.correlation.pairs, "stimuli": stimuli}


def _agreement_columns(one: Judged, seed: int) -> dict[str, Any]:
    from analysis.bootstrap import macro_mean
    from analysis.chance import adjusted

    nan = float("nan")
    row: dict[str, Any] = dict.fromkeys(MEANS, nan)
    row |= {"f_adjusted": nan, "low": nan, "high": nan, "groups": nan, "overlapping": False}
    row |= {f"consensus_{name}": nan for name in MEANS}
    membership = one.clustering.membership
    if one.people is not None and one.consensus is not None and membership is not None:
        row |= {name: float(macro_mean(getattr(one.people, name))) for name in MEANS}
        row |= {f"consensus_{name}": float(getattr(one.consensus, name)[0]) for name in MEANS}
        _, row["low"], row["high"] = _over_participants(one.people.f, seed)
        row["f_adjusted"] = adjusted(row["f"], row["f_random"])
        row["groups"] = membership.shape[1]
        row["overlapping"] = bool((membership.sum(1) > 1).any())
    return row


def _over_participants(values: Any, seed: int) -> tuple[float, float, float]:
    from analysis.bootstrap import bootstrap_interval, macro_mean

    low, high = bootstrap_interval(values[None], seed=seed)
    return float(macro_mean(values)), float(low[0]), float(high[0])
