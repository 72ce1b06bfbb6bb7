"""Output files of `analyse ratings`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analysis.figures.ratings import ratings_figure
from analysis.figures.style import write_figure
from analysis.files.ratings import QueryRatings
from analysis.files.results import write_record, write_rows
from analysis.ratings.ground_truth import Best
from analysis.ratings.task_agreement import RatingAgreement, summary

HEADER = ("query_id", "stimulus_id", "mean", "n", "sd", "se", "rank")


def write_task(
    folder: Path, queries: list[QueryRatings], found: RatingAgreement, best: Best
) -> None:
    """Write the ground truth, the record of agreement and its figure.

    Parameters
    ----------
    folder : Path
        An existing folder.
    queries : list of QueryRatings
    found : RatingAgreement
        Agreement of these queries, in order.
    best : {"low", "high"}
        Which end of the scale means most similar.
    """
    query_ids = [query.query_id for query in queries]
    write_rows(folder / "ground_truth.csv", HEADER, _rows(queries, found))
    write_record(folder / "agreement.json", {"scale_best": best, **summary(found, query_ids)})
    write_figure(ratings_figure(found, query_ids), folder, "agreement")


def _rows(queries: list[QueryRatings], found: RatingAgreement) -> Iterator[list[Any]]:
    for query, agreement in zip(queries, found.queries, strict=True):
        columns = [column.tolist() for column in agreement.truth]
        for stimulus, *numbers in zip(query.stimuli, *columns, strict=True):
            yield [query.query_id, stimulus, *numbers]
