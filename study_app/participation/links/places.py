"""What participants have taken before somebody joins: places, and numbers of codes.

Counting takes long if there are many participants, so it is done before others have to wait; then
only those who joined in the meantime are counted.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, Row, Select, and_, bindparam, func, select
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


def _newest_and_codes(condition: ColumnElement[bool]) -> Select[int | None, str | None]:
    """The number of a task's newest sitting, in a row for each of its study's codes, or in one."""
    of_study = and_(Participant.study_id == WebTask.study_id, condition)
    rows = select(_NEWEST.scalar_subquery(), Participant.code).outerjoin_from(
        WebTask, Participant, of_study
    )
    return rows.where(WebTask.id == bindparam("task_id"))


_WITH_ALL_CODES = _newest_and_codes(Participant.code.startswith(bindparam("prefix")))
_WITH_CODES = _newest_and_codes(Participant.code.in_(bindparam("codes", expanding=True)))


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
    task = invitation.task
    number, code = _newest_and_code(session, invitation)
    until = WebSitting.number <= number
    people, through = _counted(session, invitation, until)
    method = method_of(task)
    taken = method.taken(session, task, 0, number) if method.must_count(task, number) else None
    return Before(number, people, through, taken, code)


def count_later(session: Session, invitation: Invitation, before: Before) -> Before:
    """The same counts with the sittings that were begun since; others must not join meanwhile."""
    task = invitation.task
    number, code = _newest_and_later_code(session, invitation, before.code)
    is_uncounted = before.taken is None and method_of(task).must_count(task, number)
    if number < before.number or not before.number or is_uncounted:
        # Try-outs were deleted, or there was nobody: the trials may have been changed since.
        return count_before(session, invitation)
    if number == before.number:
        return replace(before, code=code)
    later = WebSitting.number > before.number
    people, through = _counted(session, invitation, later)
    people, through = before.people + people, before.through + through
    taken = before.taken
    if taken is not None:
        taken = Counter(taken)
        taken.update(method_of(task).taken(session, task, before.number, number))
    return Before(number, people, through, taken, code)


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


def code_after(invitation: Invitation, number: int) -> str:
    """The code of a participant with the next number."""
    return f"{CODE_PREFIX[invitation.purpose]}{number + 1:03d}"


def _newest_and_code(session: Session, invitation: Invitation) -> tuple[int, int]:
    """The number of the newest sitting, and the highest number in a code."""
    prefix = CODE_PREFIX[invitation.purpose]
    of_task = {"task_id": invitation.task_id, "prefix": prefix}
    newest, codes = _split(session.execute(_WITH_ALL_CODES, of_task).all())
    numbers = [code.removeprefix(prefix) for code in codes]
    return newest, max((int(one) for one in numbers if one.isdecimal()), default=0)


def _newest_and_later_code(
    session: Session, invitation: Invitation, highest: int
) -> tuple[int, int]:
    """The same, if no code had a higher number than this one before."""
    while True:
        codes = [code_after(invitation, highest + at) for at in range(CODES_AT_ONCE)]
        of_task = {"task_id": invitation.task_id, "codes": codes}
        newest, taken = _split(session.execute(_WITH_CODES, of_task).all())
        highest += max((at for at, code in enumerate(codes, 1) if code in taken), default=0)
        if codes[-1] not in taken:
            return newest, highest


def _split(found: Sequence[Row[int | None, str | None]]) -> tuple[int, list[str]]:
    """The number of the newest sitting, and the codes; no rows if the task was deleted."""
    newest = found[0][0] if found else None
    return newest or 0, [code for _, code in found if code]


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
