"""`sketch-study analyse groupings`: the gold standard of a table study."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.commands.numerals import in_words
from analysis.words import counted

if TYPE_CHECKING:
    from analysis.files.groupings import SetGroupings
    from analysis.set_agreement import SetAgreement


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for results.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Of permutations, halves and bootstrap.",
)
@click.option(
    "--draws",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Permutations for the chance level.",
)
@click.option("--force", is_flag=True, help="Write over results that are there.")
def groupings(file: Path, out: Path, seed: int, draws: int, force: bool) -> None:
    """Compute the gold standard and the agreement of groupings.

    FILE is a CSV table participant_id,stimulus_id,group_id[,set_id]; a wide table (stimulus, then a
    column a participant); or a kardSort export. A set gives similarity (.csv, .npz, .mat), counts,
    consensus, agreement (.csv, .json) and figures; several sets a folder each, and agreement.csv
    and a figure over sets.

    Example: sketch-study analyse groupings groupings.csv --out gold --seed 1
    """
    from analysis.commands.progress import progress_bar
    from analysis.files.groupings import read_groupings
    from analysis.files.names import folder_names
    from analysis.files.output import output_folder, refuse_existing
    from analysis.set_agreement import study_set
    from analysis.simulated import marked_simulated

    sets = read_groupings(file)
    folders = folder_names([one.set_id for one in sets]) if len(sets) > 1 else {}
    places = [out / folders.get(one.set_id, ".") for one in sets]
    refuse_existing([place / "agreement.json" for place in places], force)
    found = {}
    with output_folder(out, force) as folder:
        for one in sets:
            with progress_bar(f"Random groupings {one.set_id}".rstrip()) as progress:
                found[one.set_id] = study_set(one.groups, draws, seed, progress)
            place = folder / folders.get(one.set_id, ".")
            place.mkdir(exist_ok=True)
            with marked_simulated(one.simulated):
                write_set(place, one, found[one.set_id])
        if folders:
            with marked_simulated(any(one.simulated for one in sets)):
                _write_over_sets(folder, folders, found)
    for set_id, agreement in found.items():
        click.echo(_line(set_id, agreement))


def write_set(folder: Path, one: SetGroupings, found: SetAgreement) -> None:
    """Write the files of one set into a folder that is there."""
    from analysis.figures.agreement import set_figure
    from analysis.figures.similarity import similarity_figure
    from analysis.figures.style import write_figure
    from analysis.files.matrices import write_matrices
    from analysis.files.results import write_record, write_rows
    from analysis.set_record import summary

    write_matrices(folder, one.stimuli, found.similarity, found.together, found.both)
    write_rows(folder / "agreement_pairs.csv", *_pairs(one.participants, found))
    write_rows(
        folder / "consensus.csv",
        ("stimulus_id", "group_id"),
        [
            (stimulus, group + 1)
            for stimulus, group in zip(one.stimuli, found.consensus.groups.tolist(), strict=True)
            if group >= 0
        ],
    )
    record = {"set_id": one.set_id} if one.set_id else {}
    write_record(folder / "agreement.json", record | summary(found))
    matrix = similarity_figure(found.similarity, one.stimuli, found.participants)
    write_figure(matrix, folder, "similarity")
    write_figure(set_figure(found), folder, "agreement")


def _pairs(participants: list[str], found: SetAgreement) -> tuple[list[str], list[list[Any]]]:
    """Give a row a pair: the first is the system, the second the reference."""
    import numpy as np

    pairs = found.pairs
    f, f_random = pairs.f, pairs.f_random
    room = np.where(f_random < 1, 1 - f_random, np.nan)
    columns = {
        "stimuli": pairs.stimuli.astype(int),
        "precision": pairs.precision,
        "recall": pairs.recall,
        "f": f,
        "f_random": f_random,
        "f_adjusted": (f - f_random) / room,
        "rand": pairs.rand,
        "ari": pairs.ari,
    }
    first, second = np.triu_indices(len(participants), 1)
    values = [column[first, second].tolist() for column in columns.values()]
    rows = [
        [participants[r], participants[s], *row]
        for r, s, row in zip(first, second, zip(*values, strict=True), strict=True)
    ]
    return ["participant_a", "participant_b", *columns], rows


def _write_over_sets(folder: Path, folders: dict[str, str], found: dict[str, SetAgreement]) -> None:
    from analysis.figures.agreement import agreement_figure
    from analysis.figures.style import write_figure
    from analysis.files.results import write_rows
    from analysis.set_record import summary

    rows = []
    for set_id, agreement in found.items():
        record = summary(agreement)
        rows.append(
            {"set_id": set_id, "folder": folders[set_id]}
            | {key: record[key] for key in ("participants", "stimuli")}
            | record["bcubed"]
            | {key: record[key] for key in ("rand", "ari")}
            | {"groups_per_participant": record["groups_per_participant"]["mean"]}
            | {"split_half": record["reliability"]["split_half"]}
            | {"consensus_groups": record["consensus"]["groups"]}
        )
    write_rows(folder / "agreement.csv", list(rows[0]), [list(row.values()) for row in rows])
    write_figure(agreement_figure(found), folder, "agreement")


def _line(set_id: str, found: SetAgreement) -> str:
    """Say in one line what a set has shown."""
    name = f"{set_id}: " if set_id else ""
    people = counted(found.participants, "participant")
    counts = f"{people}, {counted(found.groupings.shape[1], 'stimulus', 'stimuli')}"
    mean, reliability = found.mean, found.reliability
    if mean.f != mean.f:
        return f"{name}{counts}; agreement undefined: no two of them placed a stimulus in common"
    line = (
        f"{name}{counts}; BCubed F {mean.f:.3f} (random {mean.f_random:.3f}, "
        f"adjusted {in_words(mean.f_adjusted, 3)}, p {mean.p_value:.4g})"
    )
    if reliability.split_half == reliability.split_half:
        line += f"; split-half reliability {reliability.split_half:.3f}"
    return line
