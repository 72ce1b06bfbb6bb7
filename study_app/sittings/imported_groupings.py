"""Import of groupings made on paper or in another program.

Each participant's grouping of a set becomes a finished sitting, marked as imported. Stimuli are
matched by exact name: with an unknown name the file is refused.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import insert, select
from sqlalchemy.orm import Session, selectinload

from analysis.errors import InputError
from analysis.files.groupings import read_groupings
from analysis.files.tables import read_table
from study_app.core.errors import NotFound, StudyError
from study_app.core.text.languages import rgettext
from study_app.core.text.spreadsheets import harmless
from study_app.models import (
    Group,
    Participant,
    Scan,
    Sitting,
    SittingAssessor,
    Stimulus,
    StimulusSet,
    Study,
    now,
)
from study_app.sittings import assessors, sittings
from study_app.sittings.groupings import NOT_PLACED
from study_app.sittings.recording.stored_events import add_event
from study_app.stimuli.stimuli import set_named


class ImportRefused(StudyError):
    """The file of groupings does not fit the study."""


@dataclass(frozen=True)
class Imported:
    """The result of an import.

    Attributes
    ----------
    sittings : list of Sitting
    stimuli : int
        Stimuli placed, over all sittings.
    """

    sittings: Sequence[Sitting]
    stimuli: int


def import_groupings(
    session: Session, study: Study, path: str | Path, file_name: str, set_name: str | None = None
) -> Imported:
    """Import the groupings of a CSV file into a study.

    Parameters
    ----------
    session : database session
    study : study_app.models.Study
    path : path
        In any form that `analysis.files.groupings` reads.
    file_name : str
        Name of the researcher's file; saved with the sittings and used in error messages.
    set_name : str, optional
        The set, for a file without set names.

    Returns
    -------
    Imported

    Raises
    ------
    InputError, StudyError
        With file and line, if a set or stimulus is unknown, a participant's code is invalid, or a
        participant has already sorted the set.
    """
    try:
        return _import(session, study, path, file_name, set_name)
    except InputError as refusal:
        # The researcher knows the file by its own name, not by the path of the upload.
        raise refusal.in_file(file_name) from refusal


def _import(
    session: Session, study: Study, path: str | Path, file_name: str, set_name: str | None
) -> Imported:
    number = sittings.next_number(session, study)
    made: list[Sitting] = []
    placed = 0
    for found in read_groupings(path):
        stimulus_set = _set_of(session, study, found.set_id or set_name)
        stimuli = _match(session, stimulus_set, found.stimuli, path)
        sorted_by = _sorted_by(session, stimulus_set)
        for person, groups in zip(found.participants, found.groups, strict=True):
            if (groups == NOT_PLACED).all():
                continue
            _check_participant(stimulus_set, sorted_by, person, path)
            sitting = _sitting(session, study, stimulus_set, number + len(made), file_name)
            sitting.assessors = _assessors(session, study, person, found.simulated)
            placed += _fill(session, sitting, stimuli, groups)
            sorted_by[person] = sitting.code
            made.append(sitting)
    return Imported(made, placed)


def _set_of(session: Session, study: Study, name: str | None) -> StimulusSet:
    if not name:
        raise ImportRefused(
            rgettext("The file has no set column. Choose which of the study's sets was sorted.")
        )
    try:
        return set_named(session, study.id, name)
    except NotFound:
        return set_named(session, study.id, _as_it_was(name))


def _as_it_was(name: str) -> str:
    """A name without the apostrophe that an export puts before possible formulas."""
    return name[1:] if name.startswith("'") and harmless(name[1:]) == name else name


def _assessors(session: Session, study: Study, code: str, simulated: bool) -> list[Participant]:
    """The people who sorted; several joined by a plus sign sorted as one unit."""
    people = [assessors.find_or_make(session, study, one) for one in code.split("+")]
    for person in people:
        if simulated and not person.simulated:
            _refuse_real(session, person)
            person.simulated = True
    return people


def _refuse_real(session: Session, person: Participant) -> None:
    """Refuse to simulate somebody whose own groups would then be exported as simulated."""
    own = select(SittingAssessor.sitting_id).where(SittingAssessor.participant_id == person.id)
    if session.scalar(own.limit(1)) is not None:
        raise ImportRefused(
            rgettext(
                "%(code)s is a real person in this study, and the file has simulated groupings "
                "of this code. Use other codes in the file.",
                code=person.code,
            )
        )


def _match(
    session: Session, stimulus_set: StimulusSet, names: Sequence[str], path: str | Path
) -> list[int]:
    """The stimuli named in the file, in its order."""
    query = select(Stimulus.name, Stimulus.id).where(Stimulus.set_id == stimulus_set.id)
    own: dict[str, int] = dict(session.execute(query).all())
    known = {harmless(name): stimulus_id for name, stimulus_id in own.items()} | own
    for name in names:
        if name not in known:
            raise _at(
                path,
                name,
                rgettext(
                    "there is no sketch %(name)s in the set %(set)s; use the sketch names of this "
                    "study",
                    name=repr(name),
                    set=repr(stimulus_set.name),
                ),
            )
    return [known[name] for name in names]


def _sorted_by(session: Session, stimulus_set: StimulusSet) -> dict[str, str]:
    """The sittings in which a set was sorted, by assessor."""
    sorted_before = select(Sitting).where(
        Sitting.set_id == stimulus_set.id, Sitting.state.not_in(("planned", "withdrawn"))
    )
    found = session.scalars(sorted_before.options(selectinload(Sitting.assessors)))
    return {sitting.assessor: sitting.code for sitting in found}


def _check_participant(
    stimulus_set: StimulusSet, sorted_by: Mapping[str, str], person: str, path: str | Path
) -> None:
    if not all(assessors.CODE.fullmatch(code) for code in person.split("+")):
        raise _at(
            path,
            person,
            rgettext(
                "%(code)s is not a participant code; use one such as P01", code=repr(person[:40])
            ),
        )
    if person in sorted_by:
        raise _at(
            path,
            person,
            rgettext(
                "%(person)s has already sorted %(set)s, in sitting %(sitting)s; delete these "
                "rows or use another code",
                person=person,
                set=repr(stimulus_set.name),
                sitting=sorted_by[person],
            ),
        )


def _at(path: str | Path, cell: str, sentence: str) -> InputError:
    """An error at the first line with this cell, or at the header of this column."""
    table = read_table(path)
    if cell in table.columns:
        return InputError(sentence, path, 1)
    for row in range(len(table)):
        if any(column[row] == cell for column in table.columns.values()):
            return table.error(row, sentence)
    return InputError(sentence, path)


def _sitting(
    session: Session, study: Study, stimulus_set: StimulusSet, number: int, file_name: str
) -> Sitting:
    sitting = Sitting(
        study_id=study.id,
        number=number,
        set=stimulus_set,
        state="finished",
        imported_from=file_name[:200],
        finished_at=now(),
    )
    session.add(sitting)
    session.flush()
    return sitting


def _fill(
    session: Session, sitting: Sitting, stimuli: Sequence[int], groups: NDArray[np.int64]
) -> int:
    event = add_event(session, sitting, "import", "import", reason=sitting.imported_from)
    placed = [
        (stimulus_id, number)
        for stimulus_id, number in zip(stimuli, groups.tolist(), strict=True)
        if number != NOT_PLACED
    ]
    numbers = dict.fromkeys(number for _, number in placed)
    opened = {number: Group(key=f"import-{number + 1}", number=number + 1) for number in numbers}
    sitting.groups.extend(opened.values())
    session.flush()
    # By one statement, since nobody can save anything meanwhile on SQLite.
    scans = [
        {"event_id": event, "stimulus_id": one, "group_id": opened[number].id, "how": "import"}
        for one, number in placed
    ]
    session.execute(insert(Scan), scans)
    return len(scans)
