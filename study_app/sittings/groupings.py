"""Groupings of a set by every assessor, as arrays for the gold standard."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session, subqueryload

from study_app.models import Event, Scan, Sitting, Stimulus, StimulusSet
from study_app.participation.people import included
from study_app.sittings.recording.table_state import Row, fold

NOT_PLACED = -1
ROWS_AT_ONCE = 10_000


@dataclass(frozen=True)
class SetGroupings:
    """All groupings of one set; a joint sitting is one unit.

    Attributes
    ----------
    participants : list of str, one a row of the matrix
        "P01", or "P01+P02" for a joint sitting; an assessor who sorted the set in two sittings
        (parts of the set) is listed as "P01-T003" and "P01-T009".
    stimuli : list of str, one per column
        Their names, in the order of their card numbers.
    stimulus_ids : list of int, one per column
    matrix : int array, shape (participants, stimuli)
        Number of the group, from 0 in the order of the cards, separately for each row; -1 if the
        card was not placed.
    sittings : list of str, one per row
        Codes of the sittings ("T003").
    imported : list of bool, one per row
        Whether the grouping was imported.
    """

    participants: Sequence[str]
    stimuli: Sequence[str]
    stimulus_ids: Sequence[int]
    matrix: NDArray[np.int64]
    sittings: Sequence[str]
    imported: Sequence[bool]


def groupings_of_set(session: Session, stimulus_set: StimulusSet) -> SetGroupings:
    """The groupings of a set's finished sittings that count.

    Parameters
    ----------
    session : database session
    stimulus_set : study_app.models.StimulusSet

    Returns
    -------
    SetGroupings
        In the order of the sittings' numbers, of those that `included` counts.
    """
    stimuli = session.execute(
        select(Stimulus.id, Stimulus.name)
        .where(Stimulus.set_id == stimulus_set.id)
        .order_by(Stimulus.card)
    ).all()
    sittings = _sittings(session, stimulus_set)
    column = {stimulus.id: at for at, stimulus in enumerate(stimuli)}
    matrix = np.full((len(sittings), len(stimuli)), NOT_PLACED, dtype=np.int64)
    line = {sitting.id: at for at, sitting in enumerate(sittings)}
    for sitting_id, rows in _rows(session, stimulus_set):
        numbers: dict[int, int] = {}
        placed = fold(rows)
        for stimulus in sorted(placed, key=column.__getitem__):
            group = numbers.setdefault(placed[stimulus], len(numbers))
            matrix[line[sitting_id], column[stimulus]] = group
    some = [at for at in range(len(sittings)) if (matrix[at] != NOT_PLACED).any()]
    chosen = [sittings[at] for at in some]
    return SetGroupings(
        participants=_unique_names(chosen),
        stimuli=[s.name for s in stimuli],
        stimulus_ids=[s.id for s in stimuli],
        matrix=matrix[some],
        sittings=[s.code for s in chosen],
        imported=[s.imported_from is not None for s in chosen],
    )


def _counted(stimulus_set: StimulusSet) -> tuple[ColumnElement[bool], ...]:
    return (Sitting.set_id == stimulus_set.id, *included.sittings())


def _sittings(session: Session, stimulus_set: StimulusSet) -> Sequence[Sitting]:
    query = select(Sitting).where(*_counted(stimulus_set)).order_by(Sitting.number)
    query = query.options(subqueryload(Sitting.assessors))
    return session.scalars(query).all()


def _rows(session: Session, stimulus_set: StimulusSet) -> Iterator[tuple[int, Iterator[Row]]]:
    """The recorded rows of each sitting, oldest first; never all in memory at once."""
    found = session.execute(
        select(Event.sitting_id, Event.id, Scan.stimulus_id, Scan.group_id)
        .join(Event, Scan.event_id == Event.id)
        .join(Sitting, Event.sitting_id == Sitting.id)
        .where(*_counted(stimulus_set))
        .order_by(Event.sitting_id, Scan.id)
        .execution_options(yield_per=ROWS_AT_ONCE)
    )
    for sitting_id, rows in groupby(found, key=itemgetter(0)):
        yield sitting_id, (Row(*row[1:]) for row in rows)


def _unique_names(sittings: Sequence[Sitting]) -> list[str]:
    often = Counter(s.assessor for s in sittings)
    return [s.assessor if often[s.assessor] == 1 else f"{s.assessor}-{s.code}" for s in sittings]
