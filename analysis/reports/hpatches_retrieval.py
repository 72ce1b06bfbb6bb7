"""Output files of `evaluate hpatches-retrieval`."""

from pathlib import Path
from typing import Any

from analysis.files.results import write_record, write_rows
from analysis.patches.patch_evaluation import HITS, PatchRetrieval, hbench_printed_mean
from analysis.reports.paper_table import PaperTable
from basics.numerals import statistic
from basics.plurals import counted

DEFINITIONS = {
    "patch_map": "mean AP; relevant are the other patches of the query's point",
    "image_map": "mean AP; relevant are patches of the query's image sequence; divided by "
    "min(R, 50), where R is their number in the pool without the query",
}
HBENCH = {
    "patch_map": "--compat hbench: mean AP, divided by the number of relevant patches found; "
    "relevant are the other patches of the query's point",
    "image_map": "--compat hbench: mean AP, divided by the number of relevant patches found; "
    "relevant are patches of the labelled images",
    "patch_map_printed": "patch_map as printed by hbench, times N/(N+1)",
    "image_map_printed": "image_map as printed by hbench, times N/(N+1)",
}


def write_patch_retrieval(
    folder: Path, queries: list[str], judged: PatchRetrieval, hbench: bool
) -> None:
    """Write the table of queries and the record.

    Parameters
    ----------
    folder : Path
        An existing folder.
    queries : list of str
        Query patches, in the order of the results.
    judged : PatchRetrieval
    hbench : bool
        Whether results were computed as in the benchmark's first public code.
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
        record["image_relevant_below_50"] = int((judged.image_relevant < HITS).sum())
    write_record(
        folder / "evaluation.json", {**record, "definitions": HBENCH if hbench else DEFINITIONS}
    )


def patch_table(system: str, judged: PatchRetrieval, queries: int) -> PaperTable:
    """The table for a paper: one system and its two mean average precisions."""
    row = [system, statistic(judged.patch_map, 4), statistic(judged.image_map, 4)]
    note = f"Mean over {counted(queries, 'query', 'queries')}."
    return PaperTable(["system", "patch mAP", "image mAP"], [row], [note])
