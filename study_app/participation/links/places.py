"""What participants have taken before somebody joins: places, and numbers of codes.

Counting takes long if there are many participants, so it is done before others have to wait; then
only those who joined in the meantime are counted.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, bindparam, func, select
from sqlalchemy.orm import Session

from study_app.core.text.languages import gettext
from study_app.models import Participant
from study_app.models.participation import Invitation, WebSitting, WebTask
from study_app.participation.methods import method_of
from study_app.participation.people import quota
from study_app.participation.refusals import LinkEnded, NoPlaceLeft

CODE_PREFIX = {"real": "P", "tryout": "TRY", "simulated": "SIM"}
# More than usually join at the same time; a longer list is slower than asking again.
CODES_AT_ONCE = 10

# Statements of every arrival: building one takes longer than running it.
_NEWEST = select(func.max(WebSitting.number)).where(WebSitting.task_id == bindparam("task_id"))
_OF_STUDY = select(Participant.code).where(Participant.study_id == bindparam("study_id"))
_CODES = _OF_STUDY.where(Participant.code.startswith(bindparam("prefix")))
_TAKEN_CODES = _OF_STUDY.where(Participant.code.in_(bindparam("codes", expanding=True)))


@dataclass(frozen=True)
class Before:
    """What participants have taken.

    Attributes
    ----------
    number : int
        Number of the last sitting that was counted.
    people, through : int
        Sittings that count towards the limits of the task and of the link; 0 without a limit.
    taken : dict of int to int or None
        Number of places taken in each trial; None if no trials depend on it.
    code : int
        Highest number in a participant's code.
    """

    number: int
    people: int
    through: int
    taken: Mapping[int, int] | None
    code: int


def count_before(session: Session, invitation: Invitation) -> Before:
    """Count what participants have taken until now."""
    task, number = invitation.task, _newest(session, invitation.task)
    until = WebSitting.number <= number
    people, through = _counted(session, invitation, until)
    method = method_of(task)
    taken = method.taken(session, task, 0, number) if method.must_count(task, number) else None
    return Before(number, people, through, taken, _highest_code(session, invitation))


def count_later(session: Session, invitation: Invitation, before: Before) -> Before:
    """The same counts with the sittings that were begun since; others must not join meanwhile."""
    task, number = invitation.task, _newest(session, invitation.task)
    is_uncounted = before.taken is None and method_of(task).must_count(task, number)
    if number < before.number or not before.number or is_uncounted:
        # Try-outs were deleted, or there was nobody: the trials may have been changed since.
        return count_before(session, invitation)
    if number == before.number:
        return before
    later = WebSitting.number > before.number
    people, through = _counted(session, invitation, later)
    people, through = before.people + people, before.through + through
    taken = before.taken
    if taken is not None:
        taken = Counter(taken)
        taken.update(method_of(task).taken(session, task, before.number, number))
    return replace(before, number=number, people=people, through=through, taken=taken)


def is_full(session: Session, task: WebTask, only_finished: bool = False) -> bool:
    """Whether a task has enough participants; only those who finished are counted if asked for."""
    if task.people is None:
        return method_of(task).is_full(session, task, only_finished)
    conditions = [WebSitting.ending.is_not(None)] if only_finished else []
    return quota.count(session, task, *conditions) >= task.people


def refuse_full(session: Session, invitation: Invitation, people: int, through: int) -> None:
    """Refuse a new participant if a limit of the task or the link is reached.

    Raises
    ------
    NoPlaceLeft, LinkEnded
    """
    if invitation.purpose == "tryout":
        return
    task = invitation.task
    if task.people is not None and people >= task.people:
        raise NoPlaceLeft(is_full(session, task, only_finished=True))
    if invitation.people is not None and through >= invitation.people:
        raise LinkEnded(
            gettext(
                "This link has reached its maximum number of participants. Thank you for your "
                "interest."
            )
        )


def refuse_full_now(session: Session, invitation: Invitation) -> None:
    """As `refuse_full`, and if no trial needs another participant, for a page."""
    refuse_full(session, invitation, *_counted(session, invitation))
    task = invitation.task
    if invitation.purpose != "tryout" and method_of(task).is_full(session, task):
        raise NoPlaceLeft(is_full(session, task, only_finished=True))


def free_code(session: Session, invitation: Invitation, before: Before) -> str:
    """The code after the highest, which may have been given to somebody in the meantime."""
    prefix, highest = CODE_PREFIX[invitation.purpose], before.code
    while True:
        codes = [f"{prefix}{highest + at:03d}" for at in range(1, CODES_AT_ONCE + 1)]
        named = {"study_id": invitation.task.study_id, "codes": codes}
        taken = set(session.scalars(_TAKEN_CODES, named))
        if codes[-1] not in taken:
            return codes[max((at for at, code in enumerate(codes, 1) if code in taken), default=0)]
        highest += CODES_AT_ONCE


def _newest(session: Session, task: WebTask) -> int:
    return session.scalar(_NEWEST, {"task_id": task.id}) or 0


def _counted(
    session: Session, invitation: Invitation, *conditions: ColumnElement[bool]
) -> tuple[int, int]:
    task, people, through = invitation.task, 0, 0
    if task.people is not None:
        people = quota.count(session, task, *conditions)
    if invitation.people is not None:
        own = WebSitting.invitation_id == invitation.id
        through = quota.count(session, task, own, *conditions)
    return people, through


def _highest_code(session: Session, invitation: Invitation) -> int:
    prefix = CODE_PREFIX[invitation.purpose]
    codes = session.scalars(_CODES, {"study_id": invitation.task.study_id, "prefix": prefix})
    numbers = [code.removeprefix(prefix) for code in codes]
    return max((int(number) for number in numbers if number.isdecimal()), default=0)
