"""Excluding people, sittings or single trials from every result, with a reason; can be undone.

Excluded data stay stored, and are exported as raw rows with the reason. `included` defines which
data are included.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Select, delete, or_, select
from sqlalchemy.orm import Session, joinedload

from study_app.core.errors import NotFound, StudyError
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.core.text.lengths import whole
from study_app.models import Participant, Sitting, SittingAssessor, Study, now
from study_app.models.exclusion import Exclusion
from study_app.models.participation import WebSitting, WebTask
from study_app.models.systems import GoldFigure
from study_app.participation.methods import method_of

LONGEST_REASON = 500


class ReasonMissing(StudyError):
    """The reason for the exclusion is missing."""

    def __init__(self) -> None:
        super().__init__(rgettext("Give the reason for the exclusion; it is part of every export."))


class AlreadyExcluded(StudyError):
    """The exclusion already exists."""

    status = 409

    def __init__(self) -> None:
        super().__init__(
            rgettext("This is already excluded. To change the reason, undo the exclusion first.")
        )


class AlreadyWithdrawn(StudyError):
    """The data were withdrawn, so there is nothing to exclude."""

    status = 409

    def __init__(self) -> None:
        super().__init__(
            rgettext("This was withdrawn and is in no result, so there is nothing to exclude.")
        )


class ByRule(NamedTuple):
    """The finding of a rule, as the reason for an exclusion."""

    rule_id: int
    value: float


@dataclass(frozen=True)
class Excluded:
    """The excluded person or sitting; exactly one is set.

    Attributes
    ----------
    participant_id, sitting_id, web_sitting_id : int or None
        A person with all their data; a sitting at a table; a sitting on the web.
    trial : int or None
        The position of one trial in the web sitting; None for the whole sitting.
    """

    participant_id: int | None = None
    sitting_id: int | None = None
    web_sitting_id: int | None = None
    trial: int | None = None


def hold(session: Session, study_id: int) -> None:
    """Let exclusions and withdrawals of a study wait for each other until the transaction ends.

    On PostgreSQL, two simultaneous requests would not see each other's exclusion, and one that is
    stored during a withdrawal would not be deleted by it.
    """
    session.scalar(select(Study.id).where(Study.id == study_id).with_for_update(key_share=True))


def exclude(
    session: Session,
    study_id: int,
    what: Excluded,
    reason: str | ByRule,
    researcher_id: int | None = None,
) -> Exclusion:
    """Exclude something from every result.

    Raises
    ------
    ReasonMissing, AlreadyExcluded, AlreadyWithdrawn
    NotFound
        If it does not belong to the study.
    """
    if isinstance(reason, str):
        columns = {"reason": whole(reason, LONGEST_REASON, rgettext("The reason"))}
        if not columns["reason"]:
            raise ReasonMissing()
    else:
        columns = reason._asdict()
    hold(session, study_id)
    _refuse_foreign(session, study_id, what)
    if current(session, study_id, what):
        raise AlreadyExcluded()
    made = Exclusion(study_id=study_id, **vars(what), **columns, excluded_by_id=researcher_id)
    session.add(made)
    session.flush()
    _discard_figures(session, made)
    return made


def undo(
    session: Session, study_id: int, exclusion_id: int, researcher_id: int | None = None
) -> Exclusion:
    """Undo an exclusion; its record stays."""
    found = session.get(Exclusion, exclusion_id)
    if found is None or found.study_id != study_id or found.undone_at:
        raise NotFound(rtranslatable("exclusion"), str(exclusion_id))
    found.undone_at, found.undone_by_id = now(), researcher_id
    _discard_figures(session, found)
    return found


def _discard_figures(session: Session, changed: Exclusion) -> None:
    """Delete the headline numbers that were computed with or without the data."""
    at_tables = (
        select(Sitting.set_id)
        .join(SittingAssessor)
        .where(
            or_(
                Sitting.id == changed.sitting_id,
                SittingAssessor.participant_id == changed.participant_id,
            )
        )
    )
    on_the_web = select(WebSitting.task_id).where(
        or_(
            WebSitting.id == changed.web_sitting_id,
            WebSitting.participant_id == changed.participant_id,
        )
    )
    targets = [f"set-{one}" for one in session.scalars(at_tables.distinct())]
    targets += [f"task-{one}" for one in session.scalars(on_the_web.distinct())]
    of_study = delete(GoldFigure).where(GoldFigure.study_id == changed.study_id)
    session.execute(of_study.where(GoldFigure.target.in_(targets)))


def current(session: Session, study_id: int, what: Excluded | None = None) -> Sequence[Exclusion]:
    """The current exclusions of a study, oldest first; only those of `what` if given."""
    chosen = select(Exclusion).where(Exclusion.study_id == study_id, Exclusion.undone_at.is_(None))
    for name, value in vars(what).items() if what else ():
        chosen = chosen.where(getattr(Exclusion, name) == value)
    return session.scalars(_whole(chosen)).all()


def undone(session: Session, study_id: int) -> Sequence[Exclusion]:
    """The undone exclusions of a study."""
    chosen = select(Exclusion).where(
        Exclusion.study_id == study_id, Exclusion.undone_at.is_not(None)
    )
    return session.scalars(_whole(chosen)).all()


def name_of(exclusion: Exclusion) -> str:
    """The excluded item on pages: P04, T012, or trial 3 of P04."""
    if exclusion.sitting:
        return exclusion.sitting.code
    person = exclusion.web_sitting.participant if exclusion.web_sitting else exclusion.participant
    code = person.code if person else ""
    if exclusion.trial is None:
        return code
    return rgettext("trial %(number)s of %(code)s", number=exclusion.trial, code=code)


def _whole(chosen: Select[Exclusion]) -> Select[Exclusion]:
    parts = (Exclusion.participant, Exclusion.sitting, Exclusion.web_sitting, Exclusion.excluded_by)
    return chosen.options(*map(joinedload, parts)).order_by(Exclusion.id)


def _refuse_foreign(session: Session, study_id: int, what: Excluded) -> None:
    """Refuse an item of another study, or more than one item."""
    named = {name: value for name, value in vars(what).items() if value is not None}
    trial = named.pop("trial", None)
    (name, number), *others = named.items() or [("", 0)]
    owners = {
        "participant_id": select(Participant.study_id).where(Participant.id == number),
        "sitting_id": select(Sitting.study_id).where(Sitting.id == number),
        "web_sitting_id": select(WebTask.study_id)
        .join(WebSitting, WebSitting.task_id == WebTask.id)
        .where(WebSitting.id == number, WebSitting.purpose != "tryout"),
    }
    if name not in owners or others or (trial is not None and name != "web_sitting_id"):
        raise ValueError("an exclusion is of one person, sitting or trial")
    if session.scalar(owners[name]) != study_id:
        raise NotFound(name.removesuffix("_id").replace("_", " "), str(number))
    withdrawn = {
        "participant_id": select(Participant.withdrawn_at).where(Participant.id == number),
        "sitting_id": select(Sitting.withdrawn_at).where(Sitting.id == number),
        "web_sitting_id": select(WebSitting.withdrawn_at).where(WebSitting.id == number),
    }
    if session.scalar(withdrawn[name]):
        raise AlreadyWithdrawn()
    if trial is not None:
        sitting = session.get_one(WebSitting, number)
        if trial not in dict(method_of(sitting.task).trials(session, sitting)):
            raise NotFound(rtranslatable("trial"), str(trial))
