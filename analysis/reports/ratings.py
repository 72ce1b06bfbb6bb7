"""Output files of `analyse ratings`."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from analysis.figures.ratings import ratings_figure
from analysis.figures.style import write_figure
from analysis.files.results import write_record, write_rows
from analysis.ratings.ground_truth import Best
from analysis.ratings.task_agreement import RatingAgreement, summary

Query = tuple[str, Sequence[str]]
HEADER = ("query_id", "stimulus_id", "mean", "n", "sd", "se", "rank")


def write_task(
    folder: Path,
    queries: Sequence[Query],
    found: RatingAgreement,
    best: Best,
    figures: bool = True,
) -> None:
    """Write the ground truth, the record of agreement and its figure.

    Parameters
    ----------
    folder : Path
        An existing folder.
    queries : sequence of (str, list of str)
        The id of each query, and those of its stimuli.
    found : RatingAgreement
        Agreement of these queries, in order.
    best : {"low", "high"}
        Which end of the scale means most similar.
    figures : bool
        Whether to draw the figure.
    """
    query_ids = [query_id for query_id, _ in queries]
    write_rows(folder / "ground_truth.csv", HEADER, _rows(queries, found))
    write_record(folder / "agreement.json", {"scale_best": best, **summary(found, query_ids)})
    if figures:
        write_figure(ratings_figure(found, query_ids), folder, "agreement")


def _rows(queries: Sequence[Query], found: RatingAgreement) -> Iterator[list[Any]]:
    for (query, names), agreement in zip(queries, found.queries, strict=True):
        columns = [column.tolist() for column in agreement.truth]
        for stimulus, *numbers in zip(names, *columns, strict=True):
            yield [query, stimulus, *numbers]
