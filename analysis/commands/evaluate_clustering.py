"""`sketch-study evaluate clustering`: compare systems with people who sorted sketches."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.commands.directions import direction_options
from analysis.commands.options import paper_options, print_table, seed_option
from basics.plurals import counted
from basics.verbs import force_option

if TYPE_CHECKING:
    from analysis.files.groupings import SetGroupings


@click.command()
@click.argument("clusterings", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--truth", required=True, type=click.Path(path_type=Path), help="The participants' groupings."
)
@click.option("--set", "set_id", help="The set, if the groupings have several.")
@direction_options
@paper_options
@seed_option()
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for results.")
@force_option
def clustering(clusterings: tuple[Path, ...], **options: Any) -> None:
    """Measure how well systems group sketches as people do.

    A CLUSTERING is a CSV table stimulus_id,group_id (several rows for a stimulus in several
    groups), or a matrix between stimuli: .csv with ids as header and first column, or .npz. For a
    matrix, only correlations with people's groups are computed. Add --similarity or --distance for
    a .csv matrix; an .npz states this by the name of its array. Group -1 is an ordinary group: if
    a program labels noise as -1, give each of these stimuli its own group.

    Example: sketch-study evaluate clustering --truth groupings.csv hog_kmeans.csv --out out
    """
    from analysis.clusterings.clustering_evaluation import evaluate_clusterings, system_rows
    from analysis.files.clusterings import read_clustering
    from analysis.files.systems import system_names
    from analysis.groupings.set_agreement import study_set
    from analysis.reports.clustering import write_clustering
    from analysis.simulated import marked_simulated
    from basics.output import output_folder, refuse_existing

    refuse_existing([options["out"] / "evaluation.json"], options["force"])
    names = system_names(clusterings, options["name"])
    truth = _one_set(options["truth"], options["set_id"])
    read = [read_clustering(path, truth.stimuli, options["direction"]) for path in clusterings]
    if any(one.matrix is not None and one.direction is None for one in read):
        raise click.UsageError(
            "Add --similarity or --distance: the direction of a matrix is not guessed."
        )
    for name, one in zip(names, read, strict=True):
        if one.ignored:
            others = counted(one.ignored, "stimulus is", "stimuli are")
            click.echo(f"{name}: {others} not in {options['truth']}; left out", err=True)
    people = study_set(truth.groups, seed=options["seed"])
    systems = list(zip(names, read, strict=True))
    judged = evaluate_clusterings(systems, people, options["seed"])
    rows = system_rows(judged, len(truth.stimuli))
    marked = marked_simulated(truth.simulated)
    with output_folder(options["out"], options["force"]) as folder, marked:
        table = write_clustering(folder, truth, people, judged, rows, options["seed"])
        if options["latex"]:
            table.write(folder)
    print_table(table, options["out"])


def _one_set(path: Path, set_id: str | None) -> SetGroupings:
    from analysis.errors import InputError
    from analysis.files.groupings import read_groupings

    sets = read_groupings(path)
    names = ", ".join(one.set_id for one in sets)
    if set_id is not None:
        chosen = [one for one in sets if one.set_id == set_id]
        if not chosen:
            others = f"choose one of {names}" if names else "leave --set out"
            raise InputError(f"has no set {set_id!r}; {others}", path)
        return chosen[0]
    if len(sets) > 1:
        raise InputError(f"has {len(sets)} sets ({names}); choose one with --set", path)
    return sets[0]
