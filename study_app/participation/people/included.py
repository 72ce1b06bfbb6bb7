"""Which observations count: the one place that every result asks.

At a table: finished sittings, each table once, that were not withdrawn. On the web: neither
try-outs nor withdrawn people, and nobody who was screened out or failed the attention checks. Both
without what a researcher excluded. `excluded_too` asks for the number with excluded ones and with
those who failed.
"""

from sqlalchemy import ColumnElement, and_, exists, or_
from sqlalchemy.orm import InstrumentedAttribute

from study_app.models import Sitting, SittingAssessor
from study_app.models.exclusion import Exclusion
from study_app.models.participation import WebSitting
from study_app.participation.endings.endings import COUNTED

Conditions = tuple[ColumnElement[bool], ...]


def sittings(excluded_too: bool = False) -> Conditions:
    """Conditions on `Sitting`: it counts for the gold standard of its set.

    A double entry and a retest are compared with their first sitting and not counted again.
    """
    conditions = (
        Sitting.state == "finished",
        Sitting.first_entry_id.is_(None),
        Sitting.retest_of_id.is_(None),
    )
    return conditions if excluded_too else (*conditions, ~is_excluded_sitting())


def web_sittings(excluded_too: bool = False) -> Conditions:
    """Conditions on `WebSitting`: what was observed in it may count."""
    conditions = (WebSitting.purpose != "tryout", WebSitting.withdrawn_at.is_(None))
    if excluded_too:
        return conditions
    ended = or_(WebSitting.ending.is_(None), WebSitting.ending.in_(COUNTED))
    return (*conditions, ended, ~is_excluded_web_sitting())


def trials(position: InstrumentedAttribute[int], excluded_too: bool = False) -> Conditions:
    """Conditions on a trial of a `WebSitting`, known by its position there."""
    return () if excluded_too else (~is_excluded_trial(position),)


def is_excluded_sitting() -> ColumnElement[bool]:
    """Whether a `Sitting` is excluded, or anybody who sorted in it."""
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
    return exists().where(
        Exclusion.web_sitting_id == WebSitting.id,
        Exclusion.trial == position,
        Exclusion.undone_at.is_(None),
    )
