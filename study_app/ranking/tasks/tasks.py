"""Ranking tasks: creation, lookup, and their queries."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, cast

from sqlalchemy import Select, Table, delete, func, insert, select
from sqlalchemy.orm import Session

from study_app.core.errors import NotFound
from study_app.core.text.languages import rgettext, rtranslatable, translatable
from study_app.models import Stimulus
from study_app.models.ranking import Candidate, RankingQuery, RankingTask
from study_app.participation.consent import consent
from study_app.participation.consent.questions import Question
from study_app.participation.refusals import TaskBegun, TaskUnclear
from study_app.participation.tasks import (
    accepted_completion,
    accepted_name,
    has_sittings,
    lock_task,
    refuse_taken,
)
from study_app.ranking.tasks.query_lists import QueryList, checked

FIRST_WORDING = translatable("How similar is this image to the sketch?")
# Default labels of the scale's ends, translated into every language.
END_LABELS = (
    # NOTE: at one end of a scale: the image is very similar to the sketch
    translatable("very similar"),
    # NOTE: at the other end of a scale
    translatable("not similar"),
)
MOST = 2**31 - 1
# Limits that a database and a screen can handle.
BOUNDS = {
    "points": (2, 11, rtranslatable("points of the scale")),
    "minutes": (1, 600, rtranslatable("minutes of the time limit")),
    "quota": (1, 10_000, rtranslatable("participants for each query")),
    "part_size": (1, MOST, rtranslatable("queries for each participant")),
    "hold_minutes": (1, 10_080, rtranslatable("minutes of inactivity until a place is freed")),
    "repeats": (0, 50, rtranslatable("repeated queries")),
    "checks": (0, 50, rtranslatable("attention checks")),
    "checks_needed": (1, 50, rtranslatable("attention checks to pass")),
    "seed": (0, MOST, rtranslatable("the seed")),
}
WORDS = ("wording", "low_label", "high_label")
MAY_BE_NONE = {"points", "minutes", "part_size", "checks_needed"}


@dataclass(frozen=True)
class TaskChoice:
    """The settings of a task; the fields are those of `RankingTask`."""

    name: str
    most_similar_end: str
    low_label: str
    high_label: str
    wording: str = FIRST_WORDING
    points: int | None = 7
    minutes: int | None = None
    quota: int = 20
    part_size: int | None = None
    hold_minutes: int = 60
    repeats: int = 0
    checks: int = 0
    checks_needed: int | None = None
    seed: int = 1
    completion_url: str = ""
    completion_code: str = ""


def tasks_of(session: Session, study_id: int) -> Sequence[RankingTask]:
    """The ranking tasks of a study, oldest first."""
    chosen = select(RankingTask).where(RankingTask.study_id == study_id)
    return session.scalars(chosen.order_by(RankingTask.id)).all()


def get_task(session: Session, study_id: int, task_id: int) -> RankingTask:
    """The task with an id, if it belongs to the study."""
    task = session.get(RankingTask, task_id)
    if task is None or task.study_id != study_id:
        raise NotFound(rtranslatable("ranking task"), str(task_id))
    return task


def task_named(session: Session, study_id: int, name: str | None = None) -> RankingTask:
    """The task with a name; without a name, the study's only task."""
    listed = tasks_of(session, study_id)
    found = [task for task in listed if name in (None, task.name)]
    if not listed:
        raise TaskUnclear(rgettext("This study has no ranking task. Create one first."))
    if not found:
        raise NotFound(rtranslatable("ranking task"), name or "", [task.name for task in listed])
    if len(found) > 1:
        names = ", ".join(task.name for task in listed)
        raise TaskUnclear(
            rgettext(
                "There are several ranking tasks (%(names)s); choose one with --task.", names=names
            )
        )
    return found[0]


def make_task(
    session: Session,
    study_id: int,
    choice: TaskChoice,
    questions: Sequence[Question] = (),
    texts: tuple[str, str] = consent.FIRST_TEXTS,
) -> RankingTask:
    """Create a task without queries, with the first version of its texts for participants."""
    values = accepted(choice)
    refuse_taken(session, study_id, values["name"])
    task = RankingTask(study_id=study_id, questions=list(questions), **values)
    session.add(task)
    session.flush()
    consent.add_version(session, task.id, *texts)
    return task


def add_queries(session: Session, task: RankingTask, lists: list[QueryList]) -> None:
    """Add queries with their images, from `study_app.ranking.tasks.query_lists`."""
    _refuse_begun(session, task, rgettext("The queries"))
    checked(lists, session.scalars(_names(task)).all())
    highest = session.scalar(_queries(task, func.max(RankingQuery.number))) or 0
    rows = [
        {"task_id": task.id, "number": number, "stimulus_id": sketch.id, "practice": practice}
        for number, (sketch, _, practice) in enumerate(lists, start=highest + 1)
    ]
    session.execute(insert(cast(Table, RankingQuery.__table__)), rows)
    added = _queries(task, RankingQuery.id).where(RankingQuery.number > highest)
    ids = session.scalars(added.order_by(RankingQuery.number)).all()
    listed = [
        {"query_id": query_id, "stimulus_id": image.id, "number": place}
        for query_id, (_, images, _) in zip(ids, lists, strict=True)
        for place, image in enumerate(images, start=1)
    ]
    session.execute(insert(cast(Table, Candidate.__table__)), listed)
    session.expire(task, ["queries"])


def get_query(session: Session, task: RankingTask, query_id: int) -> RankingQuery:
    """The query with an id, if it belongs to the task."""
    found = session.get(RankingQuery, query_id)
    if found is None or found.task_id != task.id:
        raise NotFound(rtranslatable("query"), str(query_id))
    return found


def remove_query(session: Session, task: RankingTask, query_id: int) -> None:
    """Delete a query from a task without participants."""
    _refuse_begun(session, task, rgettext("The queries"))
    query = get_query(session, task, query_id)
    session.execute(delete(Candidate).where(Candidate.query_id == query.id))
    session.execute(delete(RankingQuery).where(RankingQuery.id == query.id))
    session.expire(task, ["queries"])


def set_practice(session: Session, task: RankingTask, query_id: int, practice: bool) -> None:
    """Mark a query as practice, or not."""
    _refuse_begun(session, task, rgettext("Which queries are for practice"))
    get_query(session, task, query_id).practice = practice


def accepted(choice: TaskChoice) -> dict[str, Any]:
    """The settings as stored; refuses invalid ones."""
    values = {field.name: getattr(choice, field.name) for field in fields(choice)}
    for name in BOUNDS:
        _refuse_outside(name, values[name])
    values["name"] = accepted_name(values["name"])
    values |= _accepted_words({name: values[name] for name in WORDS})
    if values["most_similar_end"] not in ("low", "high"):
        raise TaskUnclear(rgettext("Choose which end of the scale means most similar."))
    if (values["checks_needed"] or 0) > values["checks"]:
        raise TaskUnclear(rgettext("Participants can't pass more attention checks than there are."))
    return values | accepted_completion(values["completion_url"], values["completion_code"])


def _accepted_words(values: dict[str, str]) -> dict[str, str]:
    values = {name: value.strip() for name, value in values.items()}
    if not 0 < len(values["wording"]) <= 500:
        raise TaskUnclear(
            rgettext("Enter the question shown to participants, in 1 to 500 characters.")
        )
    if not all(0 < len(values[end]) <= 60 for end in ("low_label", "high_label")):
        raise TaskUnclear(rgettext("Label both ends of the scale, with 1 to 60 characters each."))
    return values


def _queries(task: RankingTask, *columns: Any) -> Select[Any]:
    return select(*columns).where(RankingQuery.task_id == task.id)


def _names(task: RankingTask) -> Select[Any]:
    """The names of a task's queries."""
    return _queries(task, Stimulus.name).where(Stimulus.id == RankingQuery.stimulus_id)


def _refuse_begun(session: Session, task: RankingTask, what: str) -> None:
    lock_task(session, task.id)
    if has_sittings(session, task):
        raise TaskBegun(what)


def _refuse_outside(name: str, value: int | None) -> None:
    least, most, words = BOUNDS[name]
    if value is None and name in MAY_BE_NONE:
        return
    if value is None or not least <= value <= most:
        raise TaskUnclear(
            rgettext(
                "The number of %(words)s must be %(least)s–%(most)s.",
                words=rgettext(words),
                least=least,
                most=most,
            )
        )
