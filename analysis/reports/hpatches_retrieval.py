"""Output files of `evaluate hpatches-retrieval`."""

from pathlib import Path
from typing import Any

from analysis.files.results import write_record, write_rows
from analysis.patches.patch_evaluation import JUDGED, PatchRetrieval, hbench_printed_mean
from analysis.reports.paper_table import PaperTable
from basics.numerals import statistic
from basics.plurals import counted

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


def write_patch_retrieval(
    folder: Path, queries: list[str], judged: PatchRetrieval, hbench: bool
) -> None:
    """Write queries and the record.

    Parameters
    ----------
    folder : Path
        An existing folder.
    queries : list of str
        Query patches, in the order scored.
    judged : PatchRetrieval
    hbench : bool
        Scored as by the benchmark's first public code.
    """
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


def patch_table(system: str, judged: PatchRetrieval, queries: int) -> PaperTable:
    """Return the table for a paper: one system and its two mean average precisions."""
    row = [system, statistic(judged.patch_map, 4), statistic(judged.image_map, 4)]
    note = f"Mean over {counted(queries, 'query', 'queries')}."
    return PaperTable(["system", "patch mAP", "image mAP"], [row], [note])
