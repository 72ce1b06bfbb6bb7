"""`sketch-study evaluate hpatches-results`: enter the HPatches benchmark with descriptors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from analysis.files.hpatches import PatchPairs
    from analysis.patch_distances import Distance


@click.command("hpatches-results")
@click.argument("descriptors", type=click.Path(path_type=Path))
@click.argument("task", type=click.Path(path_type=Path))
@click.option(
    "--distance",
    type=click.Choice(["l1", "l2", "cosine", "hamming"]),
    default="l2",
    show_default=True,
    help="hamming: values are bytes whose bits are compared.",
)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The .results file.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def hpatches_results(
    descriptors: Path, task: Path, distance: Distance, out: Path, force: bool
) -> None:
    """Write the .results file of a task from descriptors.

    DESCRIPTORS is a folder SEQUENCE/IMAGE.csv or .npy (row k is patch k), a .csv of patch ids with
    values, or a .npy beside a .txt of patch ids. TASK is a .benchmark, or the .pairs of one; pairs
    with labels give results with labels.

    Example: sketch-study evaluate hpatches-results my_desc/ train_easy_5s_00.benchmark
    --out results/retrieval/my_desc/train_easy_5s_00.results
    """
    from analysis.files.hpatches import read_pairs
    from analysis.files.output import output_file
    from analysis.files.trec import read_text

    lines = [line.strip() for line in read_text(task).split("\n") if line.strip()]
    with output_file(out, force) as path:
        if task.suffix == ".pairs":
            count = _write_distances(path, descriptors, [read_pairs(task)], distance)
        elif lines and all(line.endswith(".pairs") for line in lines):
            pairs = [read_pairs(task.parent / Path(line).name) for line in lines]
            count = _write_distances(path, descriptors, pairs, distance)
        else:
            count = _write_nearest(path, descriptors, task, distance)
    click.echo(f"{out}: {count} lines, {distance} distance")


def _write_distances(
    path: Path, descriptors: Path, pairs: list[PatchPairs], distance: Distance
) -> int:
    import polars as pl

    from analysis.errors import InputError
    from analysis.files.descriptors import read_descriptors
    from analysis.files.hpatches_retrieval import image_of
    from analysis.patch_distances import paired_distances

    labelled = {one.labels is not None for one in pairs}
    if len(labelled) > 1:
        raise InputError(f"{pairs[0].path}: and the task's other pairs are of two generations")
    first = [patch for one in pairs for patch in one.first]
    second = [patch for one in pairs for patch in one.second]
    known = read_descriptors(descriptors, map(image_of, first + second))
    columns = {
        "distance": paired_distances(
            known.rows[known.places(first)], known.rows[known.places(second)], distance
        )
    }
    if labelled == {True}:
        columns["label"] = [label for one in pairs for label in one.labels]  # type: ignore
    pl.DataFrame(columns).write_csv(path, include_header=False)
    return len(first)


def _write_nearest(path: Path, descriptors: Path, task: Path, distance: Distance) -> int:
    from analysis.files.descriptors import read_descriptors
    from analysis.files.hpatches_retrieval import DEPTH, read_task, write_results
    from analysis.patch_distances import nearest

    wanted = read_task(task)
    known = read_descriptors(descriptors, wanted.pool)
    found = nearest(known.rows, known.places(wanted.queries), DEPTH, distance)
    lists = [[known.patches[k] for k in row[1:]] for row in found.tolist()]
    write_results(path, wanted.pool, wanted.queries, lists)
    return len(lists)
