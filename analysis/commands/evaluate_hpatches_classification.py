"""`sketch-study evaluate hpatches-classification`: ROC, PR, AP and FPR95 of patch pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.commands.options import paper_options, print_table
from basics.verbs import force_option

if TYPE_CHECKING:
    from analysis.files.hpatches.tasks import LabelledPairs
    from analysis.patches.classification import Ties
    from analysis.reports.hpatches_classification import DescriptorResult


@click.command("hpatches-classification")
@click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--labels",
    type=click.Path(path_type=Path),
    help="The .labels file of results without labels; for folders, the folder of .labels files.",
)
@click.option(
    "--balanced",
    is_flag=True,
    help="Use only the first N negatives, where N is the number of positives.",
)
@click.option(
    "--compat",
    type=click.Choice(["hbench"]),
    help="Rank pairs with equal distances row by row, as in the benchmark's first public code.",
)
@paper_options
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for results.")
@force_option
def hpatches_classification(
    results: tuple[Path, ...],
    labels: Path | None,
    balanced: bool,
    compat: str | None,
    out: Path,
    **options: Any,
) -> None:
    """Measure how well a patch descriptor separates matching from non-matching pairs.

    RESULTS are files of `distance,label` rows (or `distance` rows with --labels), pooled in the
    order given; or folders results/classification/DESCRIPTOR. For a folder, each combination of
    positives (easy, hard) and negatives (diffseq, sameseq), and each file with a whole task, is
    evaluated, balanced and unbalanced.

    Example: sketch-study evaluate hpatches-classification pos.results neg.results --out out
    """
    from analysis.reports.hpatches_classification import classification_table, write_classification
    from basics.output import output_folder, refuse_existing

    ties: Ties = "rows" if compat else "together"
    folders = [path.is_dir() for path in results]
    if any(folders) and not all(folders):
        raise click.UsageError("Give either results files or folders of descriptors, not both.")
    refuse_existing([out / "evaluation.json"], options["force"])
    if all(folders):
        judged = _evaluate_folders(results, labels, balanced, ties)
    else:
        judged = [_evaluate_files(results, labels, balanced, ties)]
    judged = _renamed(judged, options["name"])
    with output_folder(out, options["force"]) as folder:
        write_classification(folder, judged, ties, one_task=not all(folders))
        table = classification_table(judged)
        if options["latex"]:
            table.write(folder)
    print_table(table, out)


def _renamed(judged: Sequence[DescriptorResult], labels: Sequence[str]) -> list[DescriptorResult]:
    from analysis.errors import InputError
    from analysis.files.systems import relabelled

    names = list(dict.fromkeys(one.descriptor for one in judged))
    label_of = dict(zip(names, relabelled(names, labels), strict=True))
    if len(set(label_of.values())) < len(names):
        raise InputError("--name: two systems have the same name; give each its own")
    return [replace(one, descriptor=label_of[one.descriptor]) for one in judged]


def _evaluate_files(
    results: Sequence[Path], labels: Path | None, balanced: bool, ties: Ties
) -> DescriptorResult:
    from analysis.files.hpatches.tasks import pool

    name = " + ".join(path.stem for path in results[:2])
    if len(results) > 2:
        name += f" + {len(results) - 2} more"
    return replace(_evaluate(name, pool(results, labels), balanced, ties), pooled=True)


def _evaluate_folders(
    folders: Sequence[Path], labels: Path | None, balanced: bool, ties: Ties
) -> list[DescriptorResult]:
    from analysis.files.hpatches.tasks import folder_tasks
    from analysis.files.systems import system_names

    return [
        _evaluate(name, task, choice, ties)
        for name, folder in zip(system_names(folders), folders, strict=True)
        for task in folder_tasks(folder, labels)
        for choice in ((True,) if balanced else (True, False))
    ]


def _evaluate(descriptor: str, task: LabelledPairs, balanced: bool, ties: Ties) -> DescriptorResult:
    from analysis.errors import InputError
    from analysis.patches.classification import balanced as balanced_pairs
    from analysis.patches.classification import pair_curves
    from analysis.reports.hpatches_classification import DescriptorResult

    distances, labels = task.distances, task.labels
    try:
        if balanced:
            chosen = balanced_pairs(labels)
            distances, labels = distances[chosen], labels[chosen]
        curves = pair_curves(distances, labels, ties)
    except InputError as finding:
        files = " with ".join(dict.fromkeys((task.positives_file, task.negatives_file)))
        raise InputError(finding.finding, f"{descriptor}, {files}") from finding
    return DescriptorResult(descriptor, task, balanced, curves, pooled=False)
