"""Ranking tasks: made, found, given their queries, closed."""

import secrets
from dataclasses import dataclass, fields

from sqlalchemy import delete, exists, func, insert, select
from sqlalchemy.orm import contains_eager

from study_app.core.errors import NotFound
from study_app.models import Stimulus, Study, now
from study_app.models.ranking import (
    Candidate,
    RankingQuery,
    RankingSitting,
    RankingTask,
)
from study_app.participation import consent
from study_app.participation.completion import agreed_code
from study_app.participation.refusals import ListUnclear, TaskBegun, TaskUnclear
from study_app.ranking.query_lists import checked

FIRST_WORDING = "How similar is this image to the sketch?"
MOST = 2**31 - 1
# Where the whole numbers stay whole and a screen can show them.
BOUNDS = {
    "points": (2, 11, "points of the scale"),
    "minutes": (1, 600, "minutes of the time limit"),
    "places": (1, 10_000, "participants for each query"),
    "part_size": (1, MOST, "queries for each participant"),
    "hold_minutes": (1, 10_080, "minutes for which a place is held"),
    "repeats": (0, 50, "repeated queries"),
    "checks": (0, 50, "attention checks"),
    "seed": (0, MOST, "the seed"),
}
WORDS = ("name", "wording", "low_label", "high_label")
LONGEST_NAME = 120
LONGEST_CODE = 40
MAY_BE_NONE = {"points", "minutes", "part_size"}


@dataclass(frozen=True)
class TaskChoice:
    """What a researcher chooses for a task; the fields are those of `RankingTask`."""

    name: str
    best: str
    low_label: str
    high_label: str
    wording: str = FIRST_WORDING
    points: int | None = 7
    minutes: int | None = None
    places: int = 20
    part_size: int | None = None
    hold_minutes: int = 60
    repeats: int = 0
    checks: int = 0
    seed: int = 1
    completion_url: str = ""
    completion_code: str = ""


def tasks_of(session, study_id):
    """The ranking tasks of a study, in the order in which they were made."""
    chosen = select(RankingTask).where(RankingTask.study_id == study_id)
    return session.scalars(chosen.order_by(RankingTask.id)).all()


def get_task(session, study_id, task_id):
    """The task of a number, if it belongs to the study."""
    task = session.get(RankingTask, task_id)
    if task is None or task.study_id != study_id:
        raise NotFound("ranking task", str(task_id))
    return task


def task_named(session, study_id, name=None):
    """The task of a name; without one the only task that the study has."""
    listed = tasks_of(session, study_id)
    found = [task for task in listed if name in (None, task.name)]
    if not found:
        raise NotFound("ranking task", name or "in this study")
    if len(found) > 1:
        names = ", ".join(task.name for task in listed)
        raise TaskUnclear(f"There are several ranking tasks ({names}); name one with --task.")
    return found[0]


def lock_task(session, task_id):
    """The task as it stands now; until the transaction ends nobody else joins or changes it."""
    chosen = select(RankingTask).join(Study).where(RankingTask.id == task_id)
    locked = chosen.with_for_update().execution_options(populate_existing=True)
    return session.scalars(locked.options(contains_eager(RankingTask.study))).one()


def make_task(session, study_id, choice, questions=(), texts=consent.FIRST_TEXTS):
    """Make a task without queries, with the first version of its texts for participants."""
    values = accepted(choice)
    refuse_taken(session, study_id, values["name"])
    task = RankingTask(study_id=study_id, questions=list(questions), **values)
    session.add(task)
    session.flush()
    consent.add_version(session, task.id, *texts)
    return task


def add_queries(session, task, lists):
    """Add queries with their images, as `study_app.ranking.query_lists` gives them."""
    _refuse_begun(session, task, "The queries")
    checked(lists, session.scalars(_names(task)).all())
    highest = session.scalar(_queries(task, func.max(RankingQuery.number))) or 0
    rows = [
        {"task_id": task.id, "number": number, "stimulus_id": sketch.id, "practice": practice}
        for number, (sketch, _, practice) in enumerate(lists, start=highest + 1)
    ]
    session.execute(insert(RankingQuery.__table__), rows)
    added = _queries(task, RankingQuery.id).where(RankingQuery.number > highest)
    ids = session.scalars(added.order_by(RankingQuery.number)).all()
    listed = [
        {"query_id": query_id, "stimulus_id": image.id, "number": place}
        for query_id, (_, images, _) in zip(ids, lists, strict=True)
        for place, image in enumerate(images, start=1)
    ]
    session.execute(insert(Candidate.__table__), listed)
    session.expire(task, ["queries"])


def get_query(session, task, query_id):
    """The query of a number, if it belongs to the task."""
    found = session.get(RankingQuery, query_id)
    if found is None or found.task_id != task.id:
        raise NotFound("query", str(query_id))
    return found


def remove_query(session, task, query_id):
    """Take a query off a task that nobody has begun."""
    _refuse_begun(session, task, "The queries")
    query = get_query(session, task, query_id)
    session.execute(delete(Candidate).where(Candidate.query_id == query.id))
    session.execute(delete(RankingQuery).where(RankingQuery.id == query.id))
    session.expire(task, ["queries"])


def set_practice(session, task, query_id, practice):
    """Make a query one for practice, or a real one."""
    _refuse_begun(session, task, "Which queries are for practice")
    get_query(session, task, query_id).practice = practice


def refuse_unready(session, task):
    """A task is opened to people only with queries that count."""
    counting = exists().where(RankingQuery.task_id == task.id, RankingQuery.practice.is_(False))
    if not session.scalar(select(counting)):
        raise ListUnclear("This task has no queries yet. Add them before inviting people.")


def close_task(task, closed):
    """Take nobody new any more, or again."""
    task.closed_at = now() if closed else None


def begun(session, task):
    """Whether anybody, try-outs included, has been given queries of the task."""
    return session.scalar(select(exists().where(RankingSitting.task_id == task.id)))


def accepted(choice):
    """The values of a choice as they are kept; refused where they are unclear."""
    values = {field.name: getattr(choice, field.name) for field in fields(choice)}
    for name in BOUNDS:
        _refuse_outside(name, values[name])
    values |= _accepted_words({name: values[name] for name in WORDS})
    if values["best"] not in ("low", "high"):
        raise TaskUnclear("Choose which end of the scale means most similar.")
    values["completion_url"] = _address(values["completion_url"])
    code = agreed_code(values["completion_url"], values["completion_code"].strip())
    if len(code) > LONGEST_CODE:
        raise TaskUnclear(f"The completion code has at most {LONGEST_CODE} characters.")
    values["completion_code"] = code or secrets.token_hex(4).upper()
    return values


def refuse_taken(session, study_id, name, task_id=None):
    """A study has one task of a name; that of `task_id` may keep its own."""
    taken = exists().where(
        RankingTask.study_id == study_id, RankingTask.name == name, RankingTask.id != task_id
    )
    if session.scalar(select(taken)):
        raise TaskUnclear(f"There is already a task {name!r}. Choose another name.")


def _accepted_words(values):
    values = {name: value.strip() for name, value in values.items()}
    if not 0 < len(values["name"]) <= LONGEST_NAME:
        raise TaskUnclear(f"Give the task a name of 1 to {LONGEST_NAME} characters.")
    if not 0 < len(values["wording"]) <= 500:
        raise TaskUnclear("Say in 1 to 500 characters what participants are asked.")
    if not all(0 < len(values[end]) <= 60 for end in ("low_label", "high_label")):
        raise TaskUnclear("Label both ends of the scale, with 1 to 60 characters each.")
    return values


def _queries(task, *columns):
    return select(*columns).where(RankingQuery.task_id == task.id)


def _names(task):
    """The names of the queries that a task has."""
    return _queries(task, Stimulus.name).where(Stimulus.id == RankingQuery.stimulus_id)


def _refuse_begun(session, task, what):
    lock_task(session, task.id)
    if begun(session, task):
        raise TaskBegun(what)


def _refuse_outside(name, value):
    least, most, words = BOUNDS[name]
    if value is None and name in MAY_BE_NONE:
        return
    if value is None or not least <= value <= most:
        raise TaskUnclear(f"The number of {words} must be {least}–{most}.")


def _address(written):
    written = written.strip()
    if (written and not written.startswith(("https://", "http://"))) or len(written) > 400:
        raise TaskUnclear("The completion address must begin with https:// or http://.")
    return written
