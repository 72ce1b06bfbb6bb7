"""Result files of systems: checked against the gold standard, stored, deleted."""

import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.exc import NoResultFound
from sqlalchemy.orm import Session

from study_app.core.database import writing
from study_app.core.errors import NotFound, StudyError
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.core.text.lengths import whole
from study_app.models.ranking import RankingTask
from study_app.models.systems import System
from study_app.results.gold.sets import SetGold
from study_app.results.gold.tasks import TaskGold
from study_app.results.gold.view import Target, of_name
from study_app.results.systems.reading import (
    MOST_BYTES,
    DirectionRefused,
    Upload,
    UploadRefused,
    last_part,
    read_clustering,
    read_scores,
)

Gold = SetGold | TaskGold
MOST_SYSTEMS = 200
MOST_NAME = 80


@dataclass(frozen=True)
class _Checked:
    """An upload that can be measured."""

    upload: Upload
    name: str
    kind: str


class TooManySystems(StudyError):
    """The target already has the largest number of systems."""

    def __init__(self) -> None:
        super().__init__(
            rgettext(
                "At most %(most_systems)s systems can be stored. Delete some first.",
                most_systems=MOST_SYSTEMS,
            )
        )


def add_systems(
    name: Sequence[Any],
    uploads: Sequence[Upload],
    gold: Gold,
    also: Callable[[Session, int], None] | None = None,
) -> list[int]:
    """Check and store files, all or none.

    A run whose ranks contradict its direction is stored too; it is not measured until the direction
    is flipped.

    Parameters
    ----------
    name : ("set" or "task", int)
        The set or task that they are measured against.
    uploads : list of Upload
    gold : study_app.results.gold.sets.SetGold or study_app.results.gold.tasks.TaskGold
        The target's gold standard.
    also : callable (session, count), optional
        Called in the transaction that writes the rows, with their number.

    Returns
    -------
    list of int
        Ids of the systems.

    Raises
    ------
    UploadRefused
        With file and line, if one cannot be measured or its name is taken.
    """
    checked = [_checked(upload, gold) for upload in uploads]
    with writing() as session:
        present = _present(session, name)
        made = [_keep(session, present, one) for one in checked]
        session.flush()
        if also:
            also(session, len(made))
        return [system.id for system in made]


def _present(session: Session, name: Sequence[Any]) -> Target:
    """The current target; it may have been deleted while the files were read."""
    try:
        return of_name(session, name)
    except NoResultFound:
        noun = rtranslatable("set") if name[0] == "set" else rtranslatable("ranking task")
        raise NotFound(noun, str(name[1])) from None


def of_target(session: Session, target: Target) -> Sequence[System]:
    """The systems of a set or of a task, in order of upload."""
    chosen = select(System).where(System.study_id == target.study_id, _is_of(target))
    return session.scalars(chosen.order_by(System.id)).all()


def counts(session: Session, study_id: int) -> tuple[dict[int, int], dict[int, int]]:
    """The number of systems of each set and each task: two dicts by id."""
    found = session.execute(
        select(System.set_id, System.task_id, func.count())
        .where(System.study_id == study_id)
        .group_by(System.set_id, System.task_id)
    ).all()
    of_sets = {set_id: count for set_id, _, count in found if set_id is not None}
    return of_sets, {task_id: count for _, task_id, count in found if task_id is not None}


def get(session: Session, study_id: int, system_id: int) -> System:
    """A system of this study."""
    found = session.get(System, system_id)
    if found is None or found.study_id != study_id:
        raise NotFound(rtranslatable("system"), str(system_id))
    return found


def target_of(system: System) -> Target:
    """The StimulusSet or RankingTask that a system is measured against."""
    target = system.set if system.task is None else system.task
    if target is None:
        raise ValueError("a system is measured against a set or a task")
    return target


def upload_of(system: System) -> Upload:
    """The upload of a system."""
    return Upload(system.file_name, zlib.decompress(system.content), system.direction, system.name)


def flip(system: System) -> None:
    """Flip the direction of a system's scores."""
    system.direction = "distance" if system.direction == "similarity" else "similarity"


def remove(session: Session, system: System) -> None:
    """Delete a system with its file."""
    session.delete(system)


def _is_of(target: Target) -> ColumnElement[bool]:
    return (System.task_id if isinstance(target, RankingTask) else System.set_id) == target.id


def _checked(upload: Upload, gold: Gold) -> _Checked:
    from analysis.files.systems import system_name

    shown = last_part(upload.file_name)
    if len(upload.content) > MOST_BYTES:
        raise UploadRefused(
            rgettext(
                "%(shown)s has more than %(size)s MB. Keep only rows for this study's queries.",
                shown=shown,
                size=MOST_BYTES // 1_000_000,
            )
        )
    if gold.found is None:
        raise UploadRefused(
            rgettext("No finished results yet, so there is nothing to measure against.")
        )
    given = "".join(c for c in upload.name if c.isprintable()).strip()
    name = whole(given, MOST_NAME, rgettext("The name")) or system_name(shown)[:MOST_NAME]
    if not isinstance(gold, SetGold):
        with suppress(DirectionRefused):
            read_scores(upload, gold)
        return _Checked(upload, name, "ranking")
    read = read_clustering(upload, gold)
    if read.matrix is None:
        return _Checked(replace(upload, direction=""), name, "clustering")
    if upload.direction and read.direction != upload.direction:
        raise UploadRefused(
            rgettext(
                "%(file)s contains a %(found)s, but a %(chosen)s was chosen. Choose the other, or "
                "name the array “%(array)s” if that is what it contains.",
                file=shown,
                found=rgettext(str(read.direction)),
                chosen=rgettext(upload.direction),
                array=upload.direction,
            )
        )
    return _Checked(replace(upload, direction=read.direction or ""), name, "matrix")


def _keep(session: Session, target: Target, checked: _Checked) -> System:
    present = of_target(session, target)
    if len(present) >= MOST_SYSTEMS:
        raise TooManySystems()
    if checked.name in {system.name for system in present}:
        raise UploadRefused(
            rgettext(
                "There is already a system %(name)s. Choose another name.", name=repr(checked.name)
            )
        )
    is_ranking = isinstance(target, RankingTask)
    system = System(
        study_id=target.study_id,
        set_id=None if is_ranking else target.id,
        task_id=target.id if is_ranking else None,
        name=checked.name,
        kind=checked.kind,
        direction=checked.upload.direction,
        file_name=last_part(checked.upload.file_name),
        content=zlib.compress(checked.upload.content, 6),
    )
    session.add(system)
    return system
