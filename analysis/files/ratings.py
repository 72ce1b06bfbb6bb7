"""Ratings from CSV: ``participant_id,query_id,stimulus_id,score``, one row per score."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.files.tables import Table, read_table
from analysis.ratings.ground_truth import IN_RANGE, out_of_range
from analysis.simulated import COLUMN, says_simulated
from basics.wordings import Wording

COLUMNS = ("participant_id", "query_id", "stimulus_id", "score")


@dataclass(frozen=True)
class QueryRatings:
    """All scores of one query.

    Attributes
    ----------
    query_id : str
    stimuli : list of str
        In the order of the file.
    scores : float array, shape (participants, stimuli)
        NaN if a participant gave no score. All queries have the participants of the whole file.
    simulated : bool
        Whether a column `simulated` marks any score as simulated.
    """

    query_id: str
    stimuli: list[str]
    scores: NDArray[np.float64]
    simulated: bool = False


def read_ratings(path: str | Path) -> tuple[list[str], list[QueryRatings]]:
    """Read the ratings of one or more queries.

    Parameters
    ----------
    path : str or Path
        A CSV file.

    Returns
    -------
    participants : list of str
        In the order of the file.
    queries : list of QueryRatings
        In the order of the file.

    Raises
    ------
    InputError
        With file and line, if a column is missing, an id is empty, a score is not a finite number
        or is out of range, a participant scored a stimulus of a query twice, or there are no rows.
    """
    table = read_table(path, COLUMNS)
    if not len(table):
        raise InputError("has no rows below its header", table.path)
    people, queries, stimuli = (table.ids(name) for name in COLUMNS[:3])
    scores = numbers_in_range(table, "score")
    person_of = {name: k for k, name in enumerate(dict.fromkeys(people))}
    rows_of: dict[str, list[int]] = {}
    for row, query in enumerate(queries):
        rows_of.setdefault(query, []).append(row)
    simulated = says_simulated(table.columns.get(COLUMN))
    found = []
    for query, rows in rows_of.items():
        place_of = {name: k for k, name in enumerate(dict.fromkeys(stimuli[r] for r in rows))}
        matrix = np.full((len(person_of), len(place_of)), np.nan)
        row_of = np.full(matrix.shape, -1)
        for row in rows:
            at = person_of[people[row]], place_of[stimuli[row]]
            if row_of[at] >= 0:
                raise table.error(
                    row,
                    Wording(
                        "participant %(participant)s already scored stimulus %(stimulus)s of query "
                        "%(query)s in line %(line)s; keep one of the two",
                        participant=people[row],
                        stimulus=stimuli[row],
                        query=query,
                        line=table.lines[row_of[at]],
                    ),
                )
            row_of[at], matrix[at] = row, scores[row]
        found.append(QueryRatings(query, list(place_of), matrix, simulated))
    return list(person_of), found


def numbers_in_range(table: Table, column: str) -> NDArray[np.float64]:
    """Read a column of scores or means.

    Raises
    ------
    InputError
        With file and line, if a cell is not a finite number or is out of range.
    """
    numbers = table.numbers(column)
    for row in np.flatnonzero(out_of_range(numbers)):
        raise table.error(
            int(row),
            Wording(
                "%(column)s is %(given)s; it should be %(in_range)s",
                column=column,
                given=f"{numbers[row]:g}",
                in_range=IN_RANGE,
            ),
        )
    return numbers
