"""A task corrected, copied or removed.

Until people begin (try-outs do not count) all of it can change. From then on only what leaves their
scores comparable does: its words, how many people are wanted, how long each one has.
"""

from collections.abc import Sequence
from dataclasses import fields, replace

from sqlalchemy import delete, exists, insert, literal, select
from sqlalchemy.orm import Session, aliased

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
from study_app.participation.tasks import free_name, lock_task, people_began, refuse_taken
from study_app.ranking.refusals import DesignFixed
from study_app.ranking.tasks.tasks import TaskChoice, accepted, make_task

# What everybody's list and scores were made under, with what a refusal calls it.
DESIGN = {
    "points": "points of the scale",
    "most_similar_end": "end that is most similar",
    "part_size": "queries for each participant",
    "repeats": "repeated queries",
    "checks": "attention checks",
    "seed": "random seed",
    "questions": "questions about the participant",
}
# What a query is besides its task and its images.
QUERY = ("number", "stimulus_id", "practice")


def choice_of(task: RankingTask) -> TaskChoice:
    """What was chosen for a task."""
    return TaskChoice(**{field.name: getattr(task, field.name) for field in fields(TaskChoice)})


def correct_task(
    session: Session, task: RankingTask, choice: TaskChoice, questions: Sequence[Question]
) -> int:
    """Change a task; its try-outs are cleared where they were given under another design.

    Returns
    -------
    int
        How many try-outs were cleared.

    Raises
    ------
    DesignFixed
        If what people began with would change.
    TaskUnclear
    """
    lock_task(session, task.id)
    code = agreed_code(choice.completion_url, choice.completion_code.strip())
    code = code or task.completion_code
    values = accepted(replace(choice, completion_code=code)) | {"questions": list(questions)}
    refuse_taken(session, task.study_id, values["name"], task.id)
    refuse_shared_codes([values["completion_code"], *task.part_codes], task.endings)
    changed = [words for name, words in DESIGN.items() if values[name] != getattr(task, name)]
    if changed and people_began(session, task):
        raise DesignFixed(changed[0])
    for name, value in values.items():
        setattr(task, name, value)
    return clear_tryouts(session, task) if changed else 0


def copy_task(session: Session, task: RankingTask) -> RankingTask:
    """A task with the same queries, texts and choices, which nobody has begun.

    It gets a completion code of its own, and no address: a platform knows the other task by those.
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
    """Copied by the database: a task may have any number of queries."""
    told = select(literal(copied.id), *(getattr(RankingQuery, name) for name in QUERY))
    told = told.where(RankingQuery.task_id == task.id)
    session.execute(insert(RankingQuery).from_select(["task_id", *QUERY], told))
    first, second = aliased(RankingQuery), aliased(RankingQuery)
    images = (
        select(second.id, Candidate.stimulus_id, Candidate.number)
        .join(first, first.id == Candidate.query_id)
        .join(second, second.number == first.number)
        .where(first.task_id == task.id, second.task_id == copied.id)
    )
    session.execute(insert(Candidate).from_select(["query_id", "stimulus_id", "number"], images))


def remove_task(session: Session, task: RankingTask) -> None:
    """Remove a task that nobody has begun, with its links, texts and try-outs.

    Raises
    ------
    TaskBegun
        If people's scores, or that they withdrew, would be lost with it.
    TaskUnclear
        If a system is measured against it.
    """
    lock_task(session, task.id)
    if people_began(session, task):
        raise TaskBegun("The task")
    if session.scalar(select(exists().where(System.task_id == task.id))):
        raise TaskUnclear("Systems are measured against this task; remove them there first.")
    clear_tryouts(session, task)
    queries = select(RankingQuery.id).where(RankingQuery.task_id == task.id)
    session.execute(delete(Candidate).where(Candidate.query_id.in_(queries)))
    session.execute(delete(RankingQuery).where(RankingQuery.task_id == task.id))
    session.expire(task, ["queries"])
    tasks.remove_task(session, task)
