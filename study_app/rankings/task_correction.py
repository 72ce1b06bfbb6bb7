"""A task corrected before people begin (try-outs do not count): its words, or the whole of it."""

from dataclasses import dataclass

from sqlalchemy import delete, exists, select

from study_app.models.ranking import (
    Candidate,
    ConsentText,
    Invitation,
    RankingQuery,
    RankingSitting,
    RankingTask,
)
from study_app.models.systems import System
from study_app.rankings.refusals import TaskBegun, TaskUnclear
from study_app.rankings.tasks import accepted_words
from study_app.rankings.withdrawal import clear_tryouts


@dataclass(frozen=True)
class Words:
    """What a task is called, what it asks, and what the ends of its scale mean."""

    name: str
    wording: str
    low_label: str
    high_label: str


def people_began(session, task):
    """Whether anybody but try-outs has been given queries of a task."""
    came = exists().where(RankingSitting.task_id == task.id, RankingSitting.purpose != "tryout")
    return session.scalar(select(came))


def correct_words(session, task, words):
    """Change the words of a task that nobody has begun."""
    if people_began(session, task):
        raise TaskBegun("The words of the task")
    values = accepted_words(vars(words))
    taken = exists().where(
        RankingTask.study_id == task.study_id,
        RankingTask.name == values["name"],
        RankingTask.id != task.id,
    )
    if session.scalar(select(taken)):
        raise TaskUnclear(f"There is a task {values['name']!r} already; choose another name.")
    for name, value in values.items():
        setattr(task, name, value)


def remove_task(session, task):
    """Remove a task that nobody has begun, with its links, texts and try-outs.

    Raises
    ------
    TaskBegun
        If people's scores, or that they withdrew, would be lost with it.
    TaskUnclear
        If a system is measured against it.
    """
    if people_began(session, task):
        raise TaskBegun("The task")
    if session.scalar(select(exists().where(System.task_id == task.id))):
        raise TaskUnclear("Systems are measured against this task; remove them there first.")
    clear_tryouts(session, task)
    queries = select(RankingQuery.id).where(RankingQuery.task_id == task.id)
    session.execute(delete(Candidate).where(Candidate.query_id.in_(queries)))
    for owned in (RankingQuery, Invitation, ConsentText):
        session.execute(delete(owned).where(owned.task_id == task.id))
    session.execute(delete(RankingTask).where(RankingTask.id == task.id))
