"""Output files of `evaluate hpatches-classification`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.figures.curves import Curve, panels_figure, thin
from analysis.figures.style import write_figure
from analysis.files.hpatches.tasks import LabelledPairs
from analysis.files.results import write_record, write_rows
from analysis.patches.classification import PairCurves, Ties
from analysis.reports.paper_table import PaperTable
from basics.numerals import statistic

MEASURES = ("ap", "ap_trapezoid", "auc", "fpr95", "positives", "negatives")
DEFINITIONS = {
    "ap": "average precision, step sum of precision over recall",
    "ap_trapezoid": "area under the precision-recall curve from (0, 1) by trapezoids, as in hbench",
    "auc": "area under the ROC curve",
    "fpr95": "false-positive rate at the first threshold with a recall of at least .95",
    "balanced": "all positives, and the same number of negatives, the first in file order",
}
TIES = {
    "together": "pairs with equal distances are accepted together",
    "rows": "--compat hbench: pairs with equal distances are accepted one by one in file order",
}


@dataclass(frozen=True)
class DescriptorResult:
    """Result of one descriptor on one task."""

    descriptor: str
    task: LabelledPairs
    balanced: bool
    curves: PairCurves
    pooled: bool

    @property
    def title(self) -> str:
        """Short name of the task; empty for pooled files, which are named in `descriptor`."""
        files = dict.fromkeys((self.task.positives_file, self.task.negatives_file))
        return "" if self.pooled else " / ".join(Path(name).stem for name in files)


def _measures(curves: PairCurves) -> dict[str, Any]:
    return {name: getattr(curves, name) for name in MEASURES}


def write_classification(
    folder: Path, judged: Sequence[DescriptorResult], ties: Ties, one_task: bool
) -> None:
    """Write measures, curves, the record and the figures.

    Parameters
    ----------
    folder : Path
        An existing folder.
    judged : sequence of DescriptorResult
    ties : {"together", "rows"}
    one_task : bool
        Whether there is only one result, whose record is written without a table of systems.
    """
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


def classification_table(judged: Sequence[DescriptorResult]) -> PaperTable:
    """The table for a paper: one row per descriptor and task, by average precision."""
    rows = [
        [
            one.descriptor,
            one.title or "pooled",
            *(statistic(value, 4) for value in (one.curves.ap, one.curves.auc, one.curves.fpr95)),
            f"{one.curves.positives:,}",
            f"{one.curves.negatives:,}" + " (balanced)" * one.balanced,
        ]
        for one in sorted(judged, key=lambda one: -one.curves.ap)
    ]
    columns = ["system", "task", "AP", "AUC", "FPR95", "positives", "negatives"]
    return PaperTable(columns, rows, ["FPR95: false-positive rate at 95 % recall."])


def _task_columns(one: DescriptorResult) -> dict[str, Any]:
    return {
        "descriptor": one.descriptor,
        "positives_file": one.task.positives_file,
        "negatives_file": one.task.negatives_file,
        "balanced": one.balanced,
    }


def _write_curves(folder: Path, judged: Sequence[DescriptorResult]) -> None:
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
    folder: Path, judged: Sequence[DescriptorResult], roc: dict[int, Curve], pr: dict[int, Curve]
) -> None:
    """Draw precision-recall of all pairs and ROC of balanced pairs, as usual in the field."""
    for name, x, y, curves, measure, wanted in (
        ("precision_recall", "Recall", "Precision", pr, "ap", False),
        ("roc", "False-positive rate", "True-positive rate", roc, "auc", True),
    ):
        shown = [one for one in judged if one.balanced == wanted] or list(judged)
        panels: dict[str, dict[str, Curve]] = {}
        for one in shown:
            mine = [getattr(o.curves, measure) for o in shown if o.descriptor == one.descriptor]
            kind = "mean " if len(mine) > 1 else ""
            label = (
                f"{one.descriptor} ({kind}{measure.upper()} {statistic(sum(mine) / len(mine), 3)})"
            )
            panels.setdefault(one.title, {})[label] = curves[id(one)]
        sizes = {(one.curves.positives, one.curves.negatives) for one in shown}
        note = "; ".join(f"{p:,} positive, {n:,} negative" for p, n in sorted(sizes)[:2])
        note += " pairs, balanced" if shown[0].balanced else " pairs"
        write_figure(panels_figure(panels, x, y, note), folder, name)
