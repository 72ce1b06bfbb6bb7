"""`sketch-study evaluate hpatches-classification`: ROC, PR, AP, FPR95 of labelled patch pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.words import counted

if TYPE_CHECKING:
    from analysis.figures.curves import Curve
    from analysis.files.hpatches_tasks import LabelledPairs
    from analysis.pair_classification import PairCurves, Ties

MEASURES = ("ap", "ap_trapezoid", "auc", "fpr95", "positives", "negatives")
DEFINITIONS = {
    "ap": "average precision, step sum of precision over recall",
    "ap_trapezoid": "area under precision-recall from (0, 1) by trapezoids, as hbench prints",
    "auc": "area under the ROC curve",
    "fpr95": "false-positive rate at the first threshold that reaches a recall of 0.95",
    "balanced": "all positives and the first as many negatives in file order",
}
TIES = {
    "together": "pairs of equal distance pass a threshold together",
    "rows": "--compat hbench: pairs of equal distance pass one by one in file order",
}


@dataclass(frozen=True)
class Judged:
    """One descriptor on one task."""

    descriptor: str
    task: LabelledPairs
    balanced: bool
    curves: PairCurves
    pooled: bool

    @property
    def title(self) -> str:
        """What the task is, short; nothing where pooled files name the descriptor."""
        files = dict.fromkeys((self.task.positives_file, self.task.negatives_file))
        return "" if self.pooled else " / ".join(Path(name).stem for name in files)


@click.command("hpatches-classification")
@click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--labels",
    type=click.Path(path_type=Path),
    help="The .labels file of results without labels; for folders, the folder of .labels files.",
)
@click.option("--balanced", is_flag=True, help="Only the first negatives, as many as positives.")
@click.option(
    "--compat",
    type=click.Choice(["hbench"]),
    help="Take pairs of equal distance row by row, as the benchmark's first public code does.",
)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for results.")
@click.option("--force", is_flag=True, help="Write over results that are there.")
def hpatches_classification(
    results: tuple[Path, ...],
    labels: Path | None,
    balanced: bool,
    compat: str | None,
    out: Path,
    force: bool,
) -> None:
    """Measure how well a patch descriptor tells matching from other pairs.

    RESULTS are files of `distance,label` rows (or `distance` rows with --labels), pooled in the
    order given; or folders results/classification/DESCRIPTOR, which give every combination of
    positives (easy, hard) and negatives (diffseq, sameseq), and every file that holds a whole
    task, balanced and not.

    Example: sketch-study evaluate hpatches-classification pos.results neg.results --out out
    """
    from analysis.files.output import output_folder, refuse_existing

    ties: Ties = "rows" if compat else "together"
    folders = [path.is_dir() for path in results]
    if any(folders) and not all(folders):
        raise click.UsageError("give either results files or descriptors' folders, not both")
    refuse_existing([out / "evaluation.json"], force)
    if all(folders):
        judged = _judge_folders(results, labels, balanced, ties)
    else:
        judged = [_judge_files(results, labels, balanced, ties)]
    with output_folder(out, force) as folder:
        _write(folder, judged, ties, one_task=not all(folders))
    for one in judged:
        c = one.curves
        click.echo(
            " ".join(filter(None, (one.descriptor, one.title, "balanced" * one.balanced)))
            + f": AP {c.ap:.4f}, "
            f"AUC {c.auc:.4f}, FPR95 {c.fpr95:.4f}, "
            f"{counted(c.positives, 'positive')}, {counted(c.negatives, 'negative')}"
        )


def _judge_files(
    results: Sequence[Path], labels: Path | None, balanced: bool, ties: Ties
) -> Judged:
    from analysis.files.hpatches_tasks import pool

    name = " + ".join(path.stem for path in results[:2])
    if len(results) > 2:
        name += f" + {len(results) - 2} more"
    return replace(_judge(name, pool(results, labels), balanced, ties), pooled=True)


def _judge_folders(
    folders: Sequence[Path], labels: Path | None, balanced: bool, ties: Ties
) -> list[Judged]:
    from analysis.files.hpatches_tasks import folder_tasks
    from analysis.files.systems import system_names

    return [
        _judge(name, task, choice, ties)
        for name, folder in zip(system_names(folders), folders, strict=True)
        for task in folder_tasks(folder, labels)
        for choice in ((True,) if balanced else (True, False))
    ]


def _judge(descriptor: str, task: LabelledPairs, balanced: bool, ties: Ties) -> Judged:
    from analysis.errors import InputError
    from analysis.pair_classification import balanced as balanced_pairs
    from analysis.pair_classification import pair_curves

    distances, labels = task.distances, task.labels
    try:
        if balanced:
            chosen = balanced_pairs(labels)
            distances, labels = distances[chosen], labels[chosen]
        curves = pair_curves(distances, labels, ties)
    except InputError as finding:
        files = dict.fromkeys((task.positives_file, task.negatives_file))
        raise InputError(f"{descriptor}, {' with '.join(files)}: {finding}") from finding
    return Judged(descriptor, task, balanced, curves, pooled=False)


def _measures(curves: PairCurves) -> dict[str, Any]:
    return {name: getattr(curves, name) for name in MEASURES}


def _write(folder: Path, judged: Sequence[Judged], ties: Ties, one_task: bool) -> None:
    from analysis.files.results import write_record, write_rows

    record: dict[str, Any] = {"ties": TIES[ties], "definitions": DEFINITIONS}
    if one_task:
        only = judged[0]
        record = {**_measures(only.curves), "balanced": only.balanced, **record}
        record["files"] = only.task.positives_file.split("+")
    else:
        rows = [{**_task_columns(one), **_measures(one.curves)} for one in judged]
        write_rows(folder / "systems.csv", list(rows[0]), [list(row.values()) for row in rows])
        record = {"systems": rows, **record}
    write_record(folder / "evaluation.json", record)
    _write_curves(folder, judged)


def _task_columns(one: Judged) -> dict[str, Any]:
    return {
        "descriptor": one.descriptor,
        "positives_file": one.task.positives_file,
        "negatives_file": one.task.negatives_file,
        "balanced": one.balanced,
    }


def _write_curves(folder: Path, judged: Sequence[Judged]) -> None:
    from analysis.figures.curves import thin
    from analysis.files.results import write_rows

    roc = {id(one): thin(one.curves.roc()) for one in judged}
    pr = {id(one): thin((one.curves.recall, one.curves.precision)) for one in judged}
    for name, columns, curves in (
        ("roc", ("false_positive_rate", "true_positive_rate"), roc),
        ("precision_recall", ("recall", "precision"), pr),
    ):
        rows = (
            (*_task_columns(one).values(), *point)
            for one in judged
            for point in zip(*(axis.tolist() for axis in curves[id(one)]), strict=True)
        )
        write_rows(folder / f"{name}.csv", (*_task_columns(judged[0]), *columns), rows)
    _draw(folder, judged, roc, pr)


def _draw(
    folder: Path, judged: Sequence[Judged], roc: dict[int, Curve], pr: dict[int, Curve]
) -> None:
    """Precision-recall of all negatives and ROC of balanced ones, as the field prints them."""
    from analysis.figures.curves import panels_figure
    from analysis.figures.style import write_figure

    for name, x, y, curves, measure, wanted in (
        ("precision_recall", "Recall", "Precision", pr, "ap", False),
        ("roc", "False-positive rate", "True-positive rate", roc, "auc", True),
    ):
        shown = [one for one in judged if one.balanced == wanted] or list(judged)
        panels: dict[str, dict[str, Curve]] = {}
        for one in shown:
            mine = [getattr(o.curves, measure) for o in shown if o.descriptor == one.descriptor]
            kind = "mean " if len(mine) > 1 else ""
            label = f"{one.descriptor} ({kind}{measure.upper()} {sum(mine) / len(mine):.3f})"
            panels.setdefault(one.title, {})[label] = curves[id(one)]
        sizes = {(one.curves.positives, one.curves.negatives) for one in shown}
        note = "; ".join(f"{p:,} positive, {n:,} negative" for p, n in sorted(sizes)[:2])
        note += " pairs, balanced" if shown[0].balanced else " pairs"
        write_figure(panels_figure(panels, x, y, note), folder, name)
