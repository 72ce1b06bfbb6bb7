"""`sketch-study analyse groupings`: the gold standard of a card-sorting study."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from analysis.commands.options import seed_option
from basics.numerals import interval, probability, statistic
from basics.plurals import counted
from basics.verbs import force_option

if TYPE_CHECKING:
    from analysis.groupings.set_agreement import SetAgreement


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for results.")
@seed_option("Random seed of permutations and split halves.")
@click.option(
    "--draws",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Permutations for the chance level.",
)
@force_option
def groupings(file: Path, out: Path, seed: int, draws: int, force: bool) -> None:
    """Compute the gold standard and the agreement of groupings.

    FILE is a CSV table participant_id,stimulus_id,group_id[,set_id]; a wide table (stimulus, then
    one column per participant); or a kardSort export. The output for a set is its similarity (.csv,
    .npz, .mat), counts, consensus, agreement (.csv, .json) and figures. Several sets have a folder
    each, plus agreement.csv and a figure of all sets.

    Example: sketch-study analyse groupings groupings.csv --out gold --seed 1
    """
    from analysis.files.groupings import read_groupings
    from analysis.files.matrices import mat_refusal
    from analysis.files.names import folder_names
    from analysis.groupings.set_agreement import study_set
    from analysis.reports.groupings import write_over_sets, write_set
    from analysis.simulated import marked_simulated
    from basics.output import output_folder, refuse_existing
    from basics.progress import progress_bar

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
                write_over_sets(folder, folders, found)
    for set_id, agreement in found.items():
        click.echo(_line(set_id, agreement))
        if refusal := mat_refusal(agreement.groupings.shape[1]):
            click.echo(refusal, err=True)
    click.echo(f"Written to {out}")


def _line(set_id: str, found: SetAgreement) -> str:
    """Summarise a set in one line."""
    name = f"{set_id}: " if set_id else ""
    people = counted(found.participants, "participant")
    counts = f"{people}, {counted(found.groupings.shape[1], 'stimulus', 'stimuli')}"
    mean, reliability = found.mean, found.reliability
    if mean.f != mean.f:
        return f"{name}{counts}; agreement undefined: no two participants share two stimuli"
    line = (
        f"{name}{counts}; BCubed F {statistic(mean.f)} "
        f"(random {statistic(mean.f_random)}, adjusted {statistic(mean.f_adjusted)}, "
        f"p {probability(mean.p_value)})"
    )
    if mean.median_in_common < found.groupings.shape[1]:
        stimuli = "stimulus" if mean.median_in_common == 1 else "stimuli"
        line += f"; median in common {mean.median_in_common:g} {stimuli}"
    if reliability.split_half == reliability.split_half:
        line += f"; split-half reliability {statistic(reliability.split_half)}"
    if reliability.low == reliability.low:
        line += f" {interval(reliability.low, reliability.high)}"
    return line
