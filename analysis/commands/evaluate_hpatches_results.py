"""`sketch-study evaluate hpatches-results`: HPatches results from descriptors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from basics.verbs import force_option

if TYPE_CHECKING:
    from analysis.files.hpatches.descriptors import Descriptors
    from analysis.files.hpatches.entries import PairsTask
    from analysis.files.hpatches.retrieval import RetrievalTask
    from analysis.patches.distances import Distance


@click.command("hpatches-results")
@click.argument("descriptors", type=click.Path(path_type=Path))
@click.argument("tasks", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--distance",
    type=click.Choice(["l1", "l2", "cosine", "hamming"]),
    default="l2",
    show_default=True,
    help="For hamming, values are bytes, compared bit by bit.",
)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="The .results file; for several tasks or a folder of tasks, the folder for .results "
    "files.",
)
@force_option
def hpatches_results(
    descriptors: Path, tasks: tuple[Path, ...], distance: Distance, out: Path, force: bool
) -> None:
    """Write the .results files of tasks from descriptors.

    DESCRIPTORS is a folder SEQUENCE/IMAGE.csv or .npy (row k is patch k), a .csv of patch ids with
    values, or a .npy with a .txt of patch ids. A TASK is a .benchmark file, one of its .pairs files
    (pairs with labels give results with labels), or a folder of tasks.

    Example: sketch-study evaluate hpatches-results my_desc/ train_easy_5s_00.benchmark
    --out results/retrieval/my_desc/train_easy_5s_00.results

    Example: sketch-study evaluate hpatches-results my_desc/ benchmarks/retrieval/
    --out results/retrieval/my_desc
    """
    from analysis.files.hpatches.entries import results_name, task_files
    from basics.output import output_file, output_folder, refuse_existing

    files = task_files(tasks)
    if len(tasks) == 1 and not tasks[0].is_dir():
        with output_file(out, force) as path:
            lines = _enter(descriptors, files, [path], distance)
        click.echo(f"{out}: {lines[0]}")
        return
    names = [results_name(file) for file in files]
    refuse_existing([out / name for name in names], force)
    with output_folder(out, force) as folder:
        lines = _enter(descriptors, files, [folder / name for name in names], distance)
    for name, line in zip(names, lines, strict=True):
        click.echo(f"{out / name}: {line}")


def _enter(
    descriptors: Path, files: Sequence[Path], outs: Sequence[Path], distance: Distance
) -> list[str]:
    """Write the results of each task; return a line about each."""
    from analysis.errors import InputError
    from analysis.files.hpatches.descriptors import open_descriptors
    from analysis.files.hpatches.entries import PairsTask, read_entry
    from basics.progress import progress_bar

    for file in files:
        read_entry(file)  # report unreadable tasks before starting on the first
    of_images = open_descriptors(descriptors)
    lines = []
    with progress_bar("tasks") as progress:
        for k, (file, out) in enumerate(zip(files, outs, strict=True)):
            task = read_entry(file)
            known = of_images(_images(task))
            try:
                if isinstance(task, PairsTask):
                    lines.append(_write_distances(out, known, task, distance))
                else:
                    lines.append(_write_nearest(out, known, task, distance))
            except InputError as finding:
                both = f"{file} with {finding.file or descriptors}"
                raise InputError(finding.finding, both, finding.line) from finding
            progress(k + 1, len(files))
    return lines


def _images(task: PairsTask | RetrievalTask) -> list[str]:
    from analysis.files.hpatches.entries import PairsTask
    from analysis.files.hpatches.retrieval import images_of

    if not isinstance(task, PairsTask):
        return task.pool
    both = [task.pairs.select(images_of(name)).to_series() for name in ("first", "second")]
    return both[0].append(both[1]).unique(maintain_order=True).to_list()


def _write_distances(out: Path, known: Descriptors, task: PairsTask, distance: Distance) -> str:
    import polars as pl

    from analysis.patches.distances import distances_of_rows, validate

    rows = validate(known.rows, distance, known.patches)
    first, second = (known.places(task.pairs[name]) for name in ("first", "second"))
    found = pl.DataFrame({"distance": distances_of_rows(rows, first, second, distance)})
    found.hstack(task.pairs.drop("first", "second")).write_csv(out, include_header=False)
    return f"{found.height} distances, {distance}"


def _write_nearest(out: Path, known: Descriptors, task: RetrievalTask, distance: Distance) -> str:
    from analysis.files.hpatches.retrieval import DEPTH, write_results
    from analysis.patches.distances import validate
    from analysis.patches.search import nearest

    rows = validate(known.rows, distance, known.patches)
    found = nearest(rows, known.places(task.queries), DEPTH, distance)
    lists = [[known.patches[k] for k in row[1:]] for row in found.tolist()]
    write_results(out, task.pool, task.queries, lists)
    return f"{len(lists)} queries, {distance} distance"
