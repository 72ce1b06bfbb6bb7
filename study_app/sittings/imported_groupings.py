"""Groupings sorted elsewhere, on paper or in another program, brought into a study.

A participant's grouping of a set becomes a finished sitting of its own, marked as imported.
Stimuli are matched by name, and nothing is guessed: an unknown name refuses the file.
"""

from dataclasses import dataclass

from sqlalchemy import select

from analysis.files.groupings import read_groupings
from analysis.files.tables import read_table
from study_app.core.errors import NotFound, StudyError
from study_app.core.spreadsheets import harmless
from study_app.models import Group, Scan, Sitting, Stimulus, now
from study_app.sittings import assessors, sittings
from study_app.sittings.groupings import NOT_PLACED
from study_app.sittings.recording.events import add_act
from study_app.stimuli.stimuli import set_named


class ImportRefused(StudyError):
    """A file of groupings that does not fit the study."""


@dataclass(frozen=True)
class Imported:
    """What an import brought.

    Attributes
    ----------
    sittings : list of Sitting
    stimuli : int
        Stimuli placed, over all sittings.
    """

    sittings: list
    stimuli: int


def import_groupings(session, study, path, file_name, set_name=None):
    """Bring the groupings of a CSV file into a study.

    Parameters
    ----------
    session : database session
    study : study_app.models.Study
    path : path
        In any form that `analysis.files.groupings` reads.
    file_name : str
        What the researcher calls the file; kept with the sittings.
    set_name : str, optional
        The set of a file that names none.

    Returns
    -------
    Imported

    Raises
    ------
    InputError, StudyError
        With file and line, if a set or stimulus is unknown, a participant's code is none, or a
        participant has sorted the set already.
    """
    number = sittings.next_number(session, study)
    made, placed = [], 0
    for found in read_groupings(path):
        stimulus_set = _set_of(session, study, found.set_id or set_name)
        stimuli = _match(session, stimulus_set, found.stimuli, path)
        for person, groups in zip(found.participants, found.groups, strict=True):
            if (groups == NOT_PLACED).all():
                continue
            _check_participant(session, stimulus_set, person, path)
            sitting = _sitting(session, study, stimulus_set, number + len(made), file_name)
            sitting.assessors = _assessors(session, study, person, found.simulated)
            placed += _fill(session, sitting, stimuli, groups)
            made.append(sitting)
    return Imported(made, placed)


def _set_of(session, study, name):
    if not name:
        raise ImportRefused(
            "The file has no set column. Choose which of the study's sets was sorted."
        )
    try:
        return set_named(session, study.id, name)
    except NotFound:
        return set_named(session, study.id, _as_it_was(name))


def _as_it_was(name):
    """A name without the apostrophe that an export puts before what a spreadsheet would run."""
    return name[1:] if name.startswith("'") and harmless(name[1:]) == name else name


def _assessors(session, study, code, simulated):
    """Who sorted; several, joined by a plus sign, sorted as one unit."""
    people = [assessors.find_or_make(session, study, one) for one in code.split("+")]
    for person in people:
        person.simulated = person.simulated or simulated
    return people


def _match(session, stimulus_set, names, path):
    """The stimuli of the file's names, in its order."""
    query = select(Stimulus.name, Stimulus.id).where(Stimulus.set_id == stimulus_set.id)
    known = dict(tuple(row) for row in session.execute(query))
    known = {harmless(name): number for name, number in known.items()} | known
    for name in names:
        if name not in known:
            raise _at(
                path,
                name,
                f"there is no sketch {name!r} in the set {stimulus_set.name!r}; use the sketch "
                f"names of this study",
            )
    return [known[name] for name in names]


def _check_participant(session, stimulus_set, person, path):
    if not all(assessors.CODE.fullmatch(code) for code in person.split("+")):
        raise _at(path, person, f"{person[:40]!r} is not a participant code; use one such as P01")
    others = session.scalars(select(Sitting).where(Sitting.set_id == stimulus_set.id))
    for sitting in others:
        if sitting.assessor == person and sitting.state != "planned":
            raise _at(
                path,
                person,
                f"{person} has sorted {stimulus_set.name!r} already, in sitting {sitting.code}; "
                f"delete these rows or use another code",
            )


def _at(path, cell, sentence):
    """A refusal at the first line that has this cell, or names this column."""
    table = read_table(path)
    if cell in table.columns:
        return ImportRefused(f"{path}:1: {sentence}")
    for row in range(len(table)):
        if any(column[row] == cell for column in table.columns.values()):
            return table.error(row, sentence)
    return ImportRefused(f"{path}: {sentence}")


def _sitting(session, study, stimulus_set, number, file_name):
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


def _fill(session, sitting, stimuli, groups):
    act = add_act(session, sitting, "import", "import", reason=sitting.imported_from)
    opened = {}
    for stimulus_id, number in zip(stimuli, groups.tolist(), strict=True):
        if number == NOT_PLACED:
            continue
        if number not in opened:
            opened[number] = Group(key=f"import-{number + 1}", number=number + 1)
            sitting.groups.append(opened[number])
            session.flush()
        session.add(
            Scan(
                act_id=act.id,
                stimulus_id=stimulus_id,
                group_id=opened[number].id,
                how="import",
            )
        )
    session.flush()
    return int((groups != NOT_PLACED).sum())
