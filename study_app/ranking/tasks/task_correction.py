"""Correcting, copying and deleting a task.

Until participants start (try-outs do not count), everything can be changed. After that, only
settings that keep scores comparable: texts, number of participants, time limit.
"""

from collections.abc import Sequence
from dataclasses import fields, replace

from sqlalchemy import delete, exists, insert, literal, select
from sqlalchemy.orm import Session, aliased

from study_app.core.text.languages import rgettext, rtranslatable
from study_app.models.ranking import Candidate, RankingQuery, RankingTask
from study_app.models.systems import System
from study_app.participation import tasks
from study_app.participation.consent import consent
from study_app.participation.consent.questions import Question
from study_app.participation.endings.endings import refuse_shared_codes
from study_app.participation.flow import copy_flow
from study_app.participation.people.withdrawal import clear_tryouts
from study_app.participation.platforms.completion import agreed_code
from study_app.participation.refusals import TaskBegun, TaskUnclear
from study_app.participation.tasks import free_name, has_participants, lock_task, refuse_taken
from study_app.ranking.refusals import DesignFixed
from study_app.ranking.tasks.tasks import TaskChoice, accepted, make_task

# Settings that determine lists and scores, with their names in error messages.
DESIGN = {
    "points": rtranslatable("points of the scale"),
    "most_similar_end": rtranslatable("end that is most similar"),
    "part_size": rtranslatable("queries for each participant"),
    "repeats": rtranslatable("repeated queries"),
    "checks": rtranslatable("attention checks"),
    "seed": rtranslatable("random seed"),
    "questions": rtranslatable("questions about the participant"),
}
# Columns of a query besides its task and its images.
QUERY = ("number", "stimulus_id", "practice")


def choice_of(task: RankingTask) -> TaskChoice:
    """The settings of a task."""
    return TaskChoice(**{field.name: getattr(task, field.name) for field in fields(TaskChoice)})


def correct_task(
    session: Session, task: RankingTask, choice: TaskChoice, questions: Sequence[Question]
) -> int:
    """Change a task; try-outs with another design are deleted.

    Returns
    -------
    int
        Number of deleted try-outs.

    Raises
    ------
    DesignFixed
        If the design of a started task would change.
    TaskUnclear
    """
    lock_task(session, task.id)
    code = agreed_code(choice.completion_url, choice.completion_code.strip())
    code = code or task.completion_code
    values = accepted(replace(choice, completion_code=code)) | {"questions": list(questions)}
    refuse_taken(session, task.study_id, values["name"], task.id)
    refuse_shared_codes([values["completion_code"], *task.part_codes], task.endings)
    changed = [words for name, words in DESIGN.items() if values[name] != getattr(task, name)]
    if changed and has_participants(session, task):
        raise DesignFixed(rgettext(changed[0]))
    for name, value in values.items():
        setattr(task, name, value)
    return clear_tryouts(session, task) if changed else 0


def copy_task(session: Session, task: RankingTask) -> RankingTask:
    """Copy a task with its queries, texts and settings, without participants.

    It gets a new completion code and no completion URL, because these identify the other task.
    """
    text = consent.newest(session, task.id)
    choice = replace(
        choice_of(task), name=free_name(session, task), completion_url="", completion_code=""
    )
    copied = make_task(
        session, task.study_id, choice, task.questions, (text.information, text.consent)
    )
    copy_flow(task, copied)
    _copy_queries(session, task, copied)
    return copied


def _copy_queries(session: Session, task: RankingTask, copied: RankingTask) -> None:
    """Copy the queries in the database, since a task may have any number."""
    copies = select(literal(copied.id), *(getattr(RankingQuery, name) for name in QUERY))
    copies = copies.where(RankingQuery.task_id == task.id)
    session.execute(insert(RankingQuery).from_select(["task_id", *QUERY], copies))
    first, second = aliased(RankingQuery), aliased(RankingQuery)
    images = (
        select(second.id, Candidate.stimulus_id, Candidate.number)
        .join(first, first.id == Candidate.query_id)
        .join(second, second.number == first.number)
        .where(first.task_id == task.id, second.task_id == copied.id)
    )
    session.execute(insert(Candidate).from_select(["query_id", "stimulus_id", "number"], images))


def remove_task(session: Session, task: RankingTask) -> None:
    """Delete a task without participants, with its links, texts and try-outs.

    Raises
    ------
    TaskBegun
        If participants' scores, or records of withdrawals, would be lost.
    TaskUnclear
        If a system is measured against it.
    """
    lock_task(session, task.id)
    if has_participants(session, task):
        raise TaskBegun(rgettext("The task"))
    if session.scalar(select(exists().where(System.task_id == task.id))):
        raise TaskUnclear(rgettext("Systems are measured against this task; delete them first."))
    clear_tryouts(session, task)
    queries = select(RankingQuery.id).where(RankingQuery.task_id == task.id)
    session.execute(delete(Candidate).where(Candidate.query_id.in_(queries)))
    session.execute(delete(RankingQuery).where(RankingQuery.task_id == task.id))
    session.expire(task, ["queries"])
    tasks.remove_task(session, task)
