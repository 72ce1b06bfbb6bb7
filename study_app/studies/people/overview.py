"""The people who judge in a study, one line each: sittings and status."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, exists, func, select
from sqlalchemy.orm import Session, joinedload

from study_app.core.text.languages import rtranslatable
from study_app.models import Participant, Sitting, SittingAssessor
from study_app.models.exclusion import Exclusion
from study_app.models.participation import WebSitting
from study_app.participation.people import included
from study_app.participation.people.people import Progress, progress_of

EXCLUDED, PARTLY_EXCLUDED = rtranslatable("excluded"), rtranslatable("partly excluded")


@dataclass(frozen=True)
class Line:
    """One person.

    Attributes
    ----------
    person : Participant
    tables : dict of str to int
        Sittings at tables, by their state.
    web : list of (WebSitting, str)
        Sittings on the web with their progress.
    excluded : str
        "excluded" or "partly excluded" (some sittings or trials); empty for nothing.
    """

    person: Participant
    tables: Mapping[str, int]
    web: Sequence[tuple[WebSitting, Progress]]
    excluded: str


def count(session: Session, study_id: int, find: str = "") -> int:
    """The number of people in a study whose code contains `find`."""
    return session.scalar(_people(select(func.count(Participant.id)), study_id, find)) or 0


def lines(
    session: Session, study_id: int, find: str = "", offset: int = 0, limit: int | None = None
) -> list[Line]:
    """The people of a study by code, without those who only did a try-out."""
    chosen = _people(select(Participant), study_id, find).order_by(Participant.code)
    people = session.scalars(chosen.offset(offset).limit(limit)).all()
    ids = [person.id for person in people]
    tables: dict[int, Counter[str]] = defaultdict(Counter)
    sorted_ = (
        select(SittingAssessor.participant_id, Sitting.state)
        .join(Sitting, Sitting.id == SittingAssessor.sitting_id)
        .where(SittingAssessor.participant_id.in_(ids), Sitting.first_entry_id.is_(None))
    )
    for person_id, state in session.execute(sorted_):
        tables[person_id][state] += 1
    web = defaultdict(list)
    ranked = select(WebSitting).options(joinedload(WebSitting.task))
    ranked = ranked.where(WebSitting.participant_id.in_(ids), WebSitting.purpose != "tryout")
    for sitting in session.scalars(ranked.order_by(WebSitting.id)):
        web[sitting.participant_id].append((sitting, progress_of(sitting.task, sitting)))
    excluded = _excluded(session, study_id)
    return [
        Line(person, tables[person.id], web[person.id], excluded.get(person.id, ""))
        for person in people
    ]


def _people(chosen: Select[*tuple[Any, ...]], study_id: int, find: str) -> Select[*tuple[Any, ...]]:
    tried_out = exists().where(
        WebSitting.participant_id == Participant.id, WebSitting.purpose == "tryout"
    )
    chosen = chosen.where(Participant.study_id == study_id, ~tried_out)
    return chosen.where(Participant.code.icontains(find, autoescape=True)) if find else chosen


def _excluded(session: Session, study_id: int) -> dict[int, str]:
    """What is excluded of each person with a current exclusion, as in `Line`."""
    now = Exclusion.study_id == study_id, Exclusion.undone_at.is_(None)
    ways = (
        select(Exclusion.participant_id).where(*now, Exclusion.participant_id.is_not(None)),
        select(SittingAssessor.participant_id)
        .join(Exclusion, Exclusion.sitting_id == SittingAssessor.sitting_id)
        .where(*now),
        select(WebSitting.participant_id)
        .join(Exclusion, Exclusion.web_sitting_id == WebSitting.id)
        .where(*now),
    )
    people = {number for way in ways for number in session.scalars(way) if number is not None}
    left = (
        select(SittingAssessor.participant_id)
        .join(Sitting, Sitting.id == SittingAssessor.sitting_id)
        .where(SittingAssessor.participant_id.in_(people), ~included.is_excluded_sitting()),
        select(WebSitting.participant_id).where(
            WebSitting.participant_id.in_(people), ~included.is_excluded_web_sitting()
        ),
    )
    partly = {number for way in left for number in session.scalars(way)}
    return {number: PARTLY_EXCLUDED if number in partly else EXCLUDED for number in people}
