"""Which observations are included: used for every result.

At a table: finished sittings, each table once, that were not withdrawn. On the web: no try-outs, no
withdrawn people, and nobody who was screened out or failed the attention checks. Both without data
that a researcher excluded. With `excluded_too`, excluded data and participants who failed the
checks are included.
"""

from sqlalchemy import ColumnElement, and_, exists, or_, select, tuple_
from sqlalchemy.orm import InstrumentedAttribute

from study_app.models import Sitting, SittingAssessor
from study_app.models.exclusion import Exclusion
from study_app.models.participation import WebSitting
from study_app.participation.endings.endings import COUNTED

Conditions = tuple[ColumnElement[bool], ...]


def sittings(excluded_too: bool = False) -> Conditions:
    """Conditions on `Sitting`: it is included in the gold standard of its set.

    Double entries and retests are only compared with their first sitting.
    """
    conditions = (
        Sitting.state == "finished",
        Sitting.first_entry_id.is_(None),
        Sitting.retest_of_id.is_(None),
    )
    return conditions if excluded_too else (*conditions, ~is_excluded_sitting())


def web_sittings(excluded_too: bool = False) -> Conditions:
    """Conditions on `WebSitting`: its observations can be included."""
    conditions = (WebSitting.purpose != "tryout", WebSitting.withdrawn_at.is_(None))
    if excluded_too:
        return conditions
    ended = or_(WebSitting.ending.is_(None), WebSitting.ending.in_(COUNTED))
    return (*conditions, ended, ~is_excluded_web_sitting())


def trials(position: InstrumentedAttribute[int], excluded_too: bool = False) -> Conditions:
    """Conditions on a trial of a `WebSitting`, identified by its position."""
    return () if excluded_too else (~is_excluded_trial(position),)


def is_excluded_sitting() -> ColumnElement[bool]:
    """Whether a `Sitting` or any of its assessors is excluded."""
    sorted_by = exists().where(
        SittingAssessor.sitting_id == Sitting.id,
        Exclusion.participant_id == SittingAssessor.participant_id,
        Exclusion.undone_at.is_(None),
    )
    itself = exists().where(Exclusion.sitting_id == Sitting.id, Exclusion.undone_at.is_(None))
    return or_(itself, sorted_by)


def is_excluded_web_sitting() -> ColumnElement[bool]:
    """Whether all of a `WebSitting` is excluded, or its participant."""
    itself = and_(Exclusion.web_sitting_id == WebSitting.id, Exclusion.trial.is_(None))
    person = Exclusion.participant_id == WebSitting.participant_id
    return exists().where(or_(itself, person), Exclusion.undone_at.is_(None))


def is_excluded_trial(position: InstrumentedAttribute[int]) -> ColumnElement[bool]:
    """Whether the trial at a position of a `WebSitting` is excluded by itself."""
    # Not `exists`: the few excluded trials are read once, not looked for at each trial.
    excluded = select(Exclusion.web_sitting_id, Exclusion.trial).where(
        Exclusion.web_sitting_id.is_not(None),
        Exclusion.trial.is_not(None),
        Exclusion.undone_at.is_(None),
    )
    return tuple_(WebSitting.id, position).in_(excluded)
