"""`sketch-study evaluate hpatches-retrieval`: patch and image retrieval of a descriptor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.words import counted

if TYPE_CHECKING:
    from analysis.patch_judging import PatchRetrieval

DEFINITIONS = {
    "patch_map": "mean AP over the other patches of the query's point",
    "image_map": "mean AP over min(R, 50), R pool patches of the query's sequence without it",
}
HBENCH = {
    "patch_map": "--compat hbench: mean AP over the patches of the point that were found",
    "image_map": "--compat hbench: mean AP over the patches of labelled images that were found",
    "patch_map_printed": "patch_map as hbench prints it, times N/(N+1)",
    "image_map_printed": "image_map as hbench prints it, times N/(N+1)",
}


@click.command("hpatches-retrieval")
@click.argument("results", type=click.Path(path_type=Path))
@click.option("--benchmark", required=True, type=click.Path(path_type=Path), help="The task.")
@click.option("--labels", required=True, type=click.Path(path_type=Path), help="Its labels.")
@click.option(
    "--compat",
    type=click.Choice(["hbench"]),
    help="Average precision over what was found, as the benchmark's first public code does.",
)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for results.")
@click.option("--force", is_flag=True, help="Write over results that are there.")
def hpatches_retrieval(
    results: Path, benchmark: Path, labels: Path, compat: str | None, out: Path, force: bool
) -> None:
    """Measure how well a patch descriptor finds the same patch, and the same image sequence.

    RESULTS is the descriptor's .results file of the task: the pool, then 51 patches for each query.

    Example: sketch-study evaluate hpatches-retrieval --benchmark t.benchmark --labels t.labels
    my_desc/t.results --out out
    """
    from analysis.files.hpatches_retrieval import read_results, read_task
    from analysis.files.output import output_folder, refuse_existing
    from analysis.patch_judging import patch_retrieval

    refuse_existing([out / "evaluation.json"], force)
    task = read_task(benchmark, labels)
    judged = patch_retrieval(task, read_results(results, task), hbench=compat is not None)
    with output_folder(out, force) as folder:
        _write(folder, task.queries, judged, compat is not None)
    click.echo(
        f"{results.name}: patch mAP {judged.patch_map:.4f}, image mAP {judged.image_map:.4f} "
        f"over {counted(len(task.queries), 'query', 'queries')}"
    )


def _write(folder: Path, queries: list[str], judged: PatchRetrieval, hbench: bool) -> None:
    from analysis.files.results import write_record, write_rows
    from analysis.patch_judging import JUDGED, hbench_printed_mean

    columns = (
        "patch_ap",
        "image_ap",
        "patch_hits",
        "image_hits",
        "patch_relevant",
        "image_relevant",
    )
    values = [getattr(judged, name).tolist() for name in columns]
    write_rows(folder / "queries.csv", ("query_id", *columns), zip(queries, *values, strict=True))
    record: dict[str, Any] = {
        "patch_map": judged.patch_map,
        "image_map": judged.image_map,
        "queries": len(queries),
    }
    if hbench:
        record["patch_map_printed"] = hbench_printed_mean(judged.patch_ap)
        record["image_map_printed"] = hbench_printed_mean(judged.image_ap)
    else:
        record["image_relevant_below_50"] = int((judged.image_relevant < JUDGED).sum())
    write_record(
        folder / "evaluation.json", {**record, "definitions": HBENCH if hbench else DEFINITIONS}
    )
