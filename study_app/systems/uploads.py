"""Result files of systems: checked against the gold standard, kept, removed."""

import zlib
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import func, select

from study_app.core.database import writing
from study_app.core.errors import NotFound, StudyError
from study_app.gold.sets import SetGold
from study_app.models import StimulusSet
from study_app.models.ranking import RankingTask
from study_app.models.systems import System
from study_app.systems.reading import (
    MOST_BYTES,
    DirectionRefused,
    Upload,
    UploadRefused,
    last_part,
    read_clustering,
    read_scores,
)

MOST_SYSTEMS = 200
MOST_NAME = 80


@dataclass(frozen=True)
class _Checked:
    """An upload that can be measured."""

    upload: Upload
    name: str
    kind: str


class TooManySystems(StudyError):
    """More systems than one axis can show."""

    def __init__(self):
        super().__init__(f"At most {MOST_SYSTEMS} systems can be stored. Delete some first.")


def hand_in(target, uploads, gold):
    """Check files and keep them, all or none.

    A run whose ranks contradict its direction is kept too: it is not measured until the direction
    is flipped.

    Parameters
    ----------
    target : StimulusSet or RankingTask
        What they are measured against.
    uploads : list of Upload
    gold : study_app.gold.sets.SetGold or study_app.gold.tasks.TaskGold
        The target's.

    Returns
    -------
    list of int
        Numbers of the systems.

    Raises
    ------
    UploadRefused
        With file and line, if one cannot be measured or has the name of another.
    """
    target_class, target_id = type(target), target.id
    checked = [_checked(upload, gold) for upload in uploads]
    with writing() as session:
        present = session.get(target_class, target_id)
        if present is None:
            raise NotFound("set" if target_class is StimulusSet else "ranking task", str(target_id))
        made = [_keep(session, present, one) for one in checked]
        session.flush()
        return [system.id for system in made]


def of_target(session, target):
    """The systems of a set or of a task, in the order in which they came."""
    chosen = select(System).where(System.study_id == target.study_id, _is_of(target))
    return session.scalars(chosen.order_by(System.id)).all()


def counts(session, study_id):
    """How many systems the sets and the tasks of a study have: two dicts by number."""
    found = session.execute(
        select(System.set_id, System.task_id, func.count())
        .where(System.study_id == study_id)
        .group_by(System.set_id, System.task_id)
    ).all()
    of_sets = {set_id: count for set_id, _, count in found if set_id is not None}
    return of_sets, {task_id: count for _, task_id, count in found if task_id is not None}


def get(session, study_id, system_id):
    """A system of this study."""
    found = session.get(System, system_id)
    if found is None or found.study_id != study_id:
        raise NotFound("system", str(system_id))
    return found


def target_of(system):
    """The StimulusSet or RankingTask that a system is measured against."""
    return system.task if system.task_id is not None else system.set


def upload_of(system):
    """The upload that a system was made of."""
    return Upload(system.file_name, zlib.decompress(system.content), system.direction, system.name)


def flip(system):
    """Take a system's scores for the other direction."""
    system.direction = "distance" if system.direction == "similarity" else "similarity"


def remove(session, system):
    """Remove a system with its file."""
    session.delete(system)


def _is_of(target):
    return (System.task_id if isinstance(target, RankingTask) else System.set_id) == target.id


def _checked(upload, gold):
    from analysis.files.systems import system_name

    shown = last_part(upload.file_name)
    if len(upload.content) > MOST_BYTES:
        raise UploadRefused(
            f"{shown} has more than {MOST_BYTES // 1_000_000} MB. Keep only rows for this "
            f"study's queries."
        )
    if gold.found is None:
        raise UploadRefused("No finished results yet, so there is nothing to measure against.")
    given = "".join(c for c in upload.name if c.isprintable()).strip()
    name = (given or system_name(shown))[:MOST_NAME]
    if not isinstance(gold, SetGold):
        with suppress(DirectionRefused):
            read_scores(upload, gold)
        return _Checked(upload, name, "ranking")
    read = read_clustering(upload, gold)
    return _Checked(upload, name, "clustering" if read.matrix is None else "matrix")


def _keep(session, target, checked):
    present = of_target(session, target)
    if len(present) >= MOST_SYSTEMS:
        raise TooManySystems()
    if checked.name in {system.name for system in present}:
        raise UploadRefused(f"There is already a system {checked.name!r}. Choose another name.")
    is_ranking = isinstance(target, RankingTask)
    system = System(
        study_id=target.study_id,
        set_id=None if is_ranking else target.id,
        task_id=target.id if is_ranking else None,
        name=checked.name,
        kind=checked.kind,
        direction="" if checked.kind == "clustering" else checked.upload.direction,
        file_name=last_part(checked.upload.file_name),
        content=zlib.compress(checked.upload.content, 6),
    )
    session.add(system)
    return system
