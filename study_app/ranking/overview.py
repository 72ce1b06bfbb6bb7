"""What the live page shows of people: who is where, who came how, who pays attention."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_, func, select
from sqlalchemy.orm import aliased, contains_eager, joinedload

from study_app.models import Participant
from study_app.models.ranking import (
    AssignedQuery,
    Invitation,
    PlatformIdentity,
    RankingQuery,
    RankingSitting,
    Score,
)
from study_app.participation import quota
from study_app.ranking.recording import SLIDER


@dataclass(frozen=True)
class Person:
    """Where one participant is."""

    sitting_id: int
    code: str
    purpose: str
    state: str
    handed_in: int
    assigned: int
    seen_at: datetime
    consent_version: int
    agreed_at: datetime
    not_loaded: int
    checks_passed: int
    checks_given: int
    repeat_difference: float | None


@dataclass(frozen=True)
class Summary:
    """How a task stands in three numbers."""

    finished: int
    ranking: int
    wanted: int


def count_people(session, task, find=""):
    """How many participants a task has, of those whose code holds `find`."""
    return session.scalar(_people(select(func.count(RankingSitting.id)), task, find))


def people_of(session, task, *, find="", offset=0, limit=None):
    """Participants of a task, the newest first.

    "ranking" is under way, "away" was not seen for longer than a place is held.
    """
    whole = contains_eager(RankingSitting.participant), joinedload(RankingSitting.consent_text)
    chosen = _people(select(RankingSitting), task, find).options(*whole)
    chosen = chosen.order_by(RankingSitting.number.desc()).offset(offset).limit(limit)
    sittings = session.scalars(chosen).all()
    shown = RankingSitting.id.in_([sitting.id for sitting in sittings])
    progress, quality = _progress(session, shown), _quality(session, shown)
    return [_person(task, sitting, progress[sitting.id], quality) for sitting in sittings]


def links_of(session, task):
    """Every invitation of a task with how many came through it, in order."""
    came = select(RankingSitting.invitation_id, func.count()).where(
        RankingSitting.task_id == task.id
    )
    counts = dict(session.execute(came.group_by(RankingSitting.invitation_id)).all())
    chosen = select(Invitation).where(Invitation.task_id == task.id).order_by(Invitation.number)
    return [(invitation, counts.get(invitation.id, 0)) for invitation in session.scalars(chosen)]


def summary_of(session, task):
    """How many finished, how many are at it, and how many the task needs in all."""
    taking = select(RankingSitting.finished_at).where(quota.counting(task))
    ends = session.scalars(taking).all()
    counted = select(func.count()).where(
        RankingQuery.task_id == task.id, RankingQuery.practice.is_(False)
    )
    queries = session.scalar(counted)
    each = min(task.part_size or queries, queries) or 1
    finished = sum(end is not None for end in ends)
    return Summary(finished, len(ends) - finished, -(-task.places * queries // each))


def tryout_count(session, task):
    """How many try-outs a task holds."""
    return session.scalar(
        select(func.count()).where(
            RankingSitting.task_id == task.id, RankingSitting.purpose == "tryout"
        )
    )


def agreed_counts(session, task):
    """How many people agreed to each version of the texts, by its number."""
    counted = select(RankingSitting.consent_text_id, func.count()).where(
        RankingSitting.task_id == task.id, RankingSitting.purpose != "tryout"
    )
    return dict(session.execute(counted.group_by(RankingSitting.consent_text_id)).all())


def identities_of(session, task):
    """What the recruitment platform calls each participant, with their code and state."""
    chosen = (
        select(PlatformIdentity, RankingSitting)
        .join(RankingSitting, RankingSitting.id == PlatformIdentity.sitting_id)
        .where(RankingSitting.task_id == task.id)
        .order_by(RankingSitting.number)
    )
    return [
        (identity, sitting.participant.code, _state(task, sitting))
        for identity, sitting in session.execute(chosen)
    ]


def _people(chosen, task, find):
    chosen = chosen.join(RankingSitting.participant).where(RankingSitting.task_id == task.id)
    return chosen.where(Participant.code.icontains(find, autoescape=True)) if find else chosen


def _progress(session, shown):
    counted = (
        select(AssignedQuery.sitting_id, func.count(), func.count(AssignedQuery.handed_in_at))
        .join(RankingSitting, RankingSitting.id == AssignedQuery.sitting_id)
        .where(shown)
        .group_by(AssignedQuery.sitting_id)
    )
    return defaultdict(
        lambda: (0, 0), {row[0]: (row[1], row[2]) for row in session.execute(counted)}
    )


@dataclass(frozen=True)
class _Quality:
    """By sitting: images that did not load, scores of attention checks, difference of repeats."""

    not_loaded: dict
    checks: dict
    repeats: dict


def _quality(session, shown):
    """Counted by the database: a task holds tens of thousands of scores, the page asks often."""
    scored = (
        select(AssignedQuery.sitting_id)
        .select_from(Score)
        .join(AssignedQuery, AssignedQuery.id == Score.assigned_query_id)
        .join(RankingSitting, RankingSitting.id == AssignedQuery.sitting_id)
        .where(shown, AssignedQuery.kind != "practice")
    )
    missing = scored.add_columns(func.count()).where(Score.value.is_(None))
    checked = (
        scored.add_columns(Score.value)
        .join(RankingQuery, RankingQuery.id == AssignedQuery.query_id)
        .where(AssignedQuery.checked, Score.stimulus_id == RankingQuery.stimulus_id)
    )
    checks = defaultdict(list)
    for sitting_id, value in session.execute(checked):
        checks[sitting_id].append(value)
    return _Quality(
        dict(session.execute(missing.group_by(AssignedQuery.sitting_id)).all()),
        checks,
        dict(session.execute(_repeat_differences(scored)).all()),
    )


def _repeat_differences(scored):
    """Mean absolute difference between the first and the second score of one image, by sitting."""
    first, given = aliased(AssignedQuery), aliased(Score)
    again = scored.where(AssignedQuery.kind == "repeat")
    return (
        again.add_columns(func.avg(func.abs(Score.value - given.value)))
        .join(
            first,
            and_(
                first.sitting_id == AssignedQuery.sitting_id,
                first.query_id == AssignedQuery.query_id,
                first.kind == "main",
            ),
        )
        .join(
            given,
            and_(given.assigned_query_id == first.id, given.stimulus_id == Score.stimulus_id),
        )
        .where(Score.value.is_not(None), given.value.is_not(None))
        .group_by(AssignedQuery.sitting_id)
    )


def _person(task, sitting, progress, quality):
    checks = quality.checks.get(sitting.id, [])
    return Person(
        sitting_id=sitting.id,
        code=sitting.participant.code,
        purpose=sitting.purpose,
        state=_state(task, sitting),
        handed_in=progress[1],
        assigned=progress[0],
        seen_at=sitting.seen_at,
        consent_version=sitting.consent_text.version,
        agreed_at=sitting.agreed_at,
        not_loaded=quality.not_loaded.get(sitting.id, 0),
        checks_passed=sum(passes_check(task, value) for value in checks),
        checks_given=len(checks),
        repeat_difference=quality.repeats.get(sitting.id),
    )


def passes_check(task, value):
    """Whether the sketch's own copy got one of the best two points, or the slider's best tenth."""
    if value is None:
        return False
    low, high = (1, task.points) if task.points else SLIDER
    margin = min(1, (high - low) / 2.5) if task.points else (high - low) / 10
    return value <= low + margin if task.best == "low" else value >= high - margin


def _state(task, sitting):
    if sitting.withdrawn_at:
        return "withdrawn"
    if sitting.finished_at:
        return "time up" if sitting.time_up else "finished"
    since, until = quota.held_between(task)
    return "ranking" if since <= sitting.seen_at <= until else "away"
