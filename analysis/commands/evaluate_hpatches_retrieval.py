"""`sketch-study evaluate hpatches-retrieval`: patch and image retrieval of a descriptor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from analysis.commands.options import paper_options, print_table
from basics.verbs import force_option


@click.command("hpatches-retrieval")
@click.argument("results", type=click.Path(path_type=Path))
@click.option(
    "--benchmark",
    required=True,
    type=click.Path(path_type=Path),
    help="The task, a .benchmark file.",
)
@click.option(
    "--labels", required=True, type=click.Path(path_type=Path), help="The .labels file of the task."
)
@click.option(
    "--compat",
    type=click.Choice(["hbench"]),
    help="Divide AP by the relevant patches found, as in the benchmark's first public code.",
)
@paper_options
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for results.")
@force_option
def hpatches_retrieval(
    results: Path, benchmark: Path, labels: Path, compat: str | None, out: Path, **options: Any
) -> None:
    """Measure how well a patch descriptor finds the same patch, and the same image sequence.

    RESULTS is the descriptor's .results file for the task: the pool, then 51 patches for each
    query.

    Example: sketch-study evaluate hpatches-retrieval --benchmark t.benchmark --labels t.labels
    my_desc/t.results --out out
    """
    from analysis.files.hpatches.retrieval import read_results, read_task
    from analysis.files.systems import system_names
    from analysis.patches.patch_evaluation import patch_retrieval
    from analysis.reports.hpatches_retrieval import patch_table, write_patch_retrieval
    from basics.output import output_folder, refuse_existing

    refuse_existing([out / "evaluation.json"], options["force"])
    (system,) = system_names([results], options["name"])
    task = read_task(benchmark, labels)
    judged = patch_retrieval(task, read_results(results, task), hbench=compat is not None)
    with output_folder(out, options["force"]) as folder:
        write_patch_retrieval(folder, task.queries, judged, compat is not None)
        table = patch_table(system, judged, len(task.queries))
        if options["latex"]:
            table.write(folder)
    print_table(table, out)
