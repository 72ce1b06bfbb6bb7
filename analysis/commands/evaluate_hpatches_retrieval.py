"""`sketch-study evaluate hpatches-retrieval`: patch and image retrieval of a descriptor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from basics.numerals import statistic
from basics.plurals import counted
from basics.verbs import force_option

if TYPE_CHECKING:
    pass


@click.command("hpatches-retrieval")
@click.argument("results", type=click.Path(path_type=Path))
@click.option("--benchmark", required=True, type=click.Path(path_type=Path), help="The task.")
@click.option("--labels", required=True, type=click.Path(path_type=Path), help="Its labels.")
@click.option(
    "--compat",
    type=click.Choice(["hbench"]),
    help="Average precision over the patches found, as in the benchmark's first public code.",
)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for results.")
@force_option
def hpatches_retrieval(
    results: Path, benchmark: Path, labels: Path, compat: str | None, out: Path, force: bool
) -> None:
    """Measure how well a patch descriptor finds the same patch, and the same image sequence.

    RESULTS is the descriptor's .results file for the task: the pool, then 51 patches for each
    query.

    Example: sketch-study evaluate hpatches-retrieval --benchmark t.benchmark --labels t.labels
    my_desc/t.results --out out
    """
    from analysis.files.hpatches.retrieval import read_results, read_task
    from analysis.patches.patch_evaluation import patch_retrieval
    from analysis.reports.hpatches_retrieval import write_patch_retrieval
    from basics.output import output_folder, refuse_existing

    refuse_existing([out / "evaluation.json"], force)
    task = read_task(benchmark, labels)
    judged = patch_retrieval(task, read_results(results, task), hbench=compat is not None)
    with output_folder(out, force) as folder:
        write_patch_retrieval(folder, task.queries, judged, compat is not None)
    click.echo(
        f"{results.name}: patch mAP {statistic(judged.patch_map, 4)}, "
        f"image mAP {statistic(judged.image_map, 4)} "
        f"over {counted(len(task.queries), 'query', 'queries')}"
    )
    click.echo(f"Written to {out}")
