"""Tasks on the web, for all methods: lookup, lock, name, closing."""

import re
import secrets
from typing import Any

from sqlalchemy import bindparam, delete, exists, func, select
from sqlalchemy.orm import Session, contains_eager

from study_app.core.errors import NotFound
from study_app.core.text.languages import rgettext
from study_app.models import Study, now
from study_app.models.participation import ConsentText, EarlyEnding, Invitation, WebSitting, WebTask
from study_app.participation.platforms.completion import PLACE_OF_PERSON, agreed_code
from study_app.participation.refusals import TaskUnclear

LONGEST_NAME = 120
LONGEST_CODE = 40
LONGEST_ADDRESS = 400
_WITH_STUDY = (
    select(WebTask)
    .join(WebTask.study)
    .where(WebTask.id == bindparam("task_id"))
    .options(contains_eager(WebTask.study))
    .execution_options(populate_existing=True)
)
_LOCKED = _WITH_STUDY.with_for_update(of=[WebTask.__table__, Study.__table__])
_HELD = _WITH_STUDY.with_for_update(read=True, of=WebTask.__table__)


def get_task(session: Session, study_id: int, task_id: int, method: str) -> WebTask:
    """The task with an id, if it belongs to the study and to the method."""
    task = session.get(WebTask, task_id)
    if task is None or (task.study_id, task.method) != (study_id, method):
        raise NotFound(f"{method} task", str(task_id))
    return task


def lock_task(session: Session, task_id: int) -> WebTask:
    """The current task, locked until the transaction ends."""
    return session.scalars(_LOCKED, {"task_id": task_id}).one()


def hold_task(session: Session, task_id: int) -> WebTask:
    """The current task, which cannot be changed until the transaction ends; several can hold it."""
    return session.scalars(_HELD, {"task_id": task_id}).one()


def lock_sitting(session: Session, sitting_id: int) -> WebSitting:
    """The current sitting, locked until the transaction ends."""
    chosen = select(WebSitting).where(WebSitting.id == sitting_id)
    locked = chosen.with_for_update(of=WebSitting).execution_options(populate_existing=True)
    return session.scalars(locked).one()


def has_sittings(session: Session, task: WebTask) -> bool:
    """Whether a task has sittings, including try-outs."""
    return _has_any(session, WebSitting.task_id == task.id)


def has_participants(session: Session, task: WebTask) -> bool:
    """Whether a task has sittings other than try-outs."""
    return _has_any(session, WebSitting.task_id == task.id, WebSitting.purpose != "tryout")


def tryout_count(session: Session, task: WebTask) -> int:
    """The number of try-outs of a task."""
    tryouts = select(func.count()).where(
        WebSitting.task_id == task.id, WebSitting.purpose == "tryout"
    )
    return session.scalar(tryouts) or 0


def close_task(task: WebTask, closed: bool) -> None:
    """Close a task for new participants, or reopen it."""
    task.closed_at = now() if closed else None


def refuse_taken(session: Session, study_id: int, name: str, task_id: int | None = None) -> None:
    """Refuse a name that another task of the study has."""
    taken = exists().where(
        WebTask.study_id == study_id, WebTask.name == name, WebTask.id != task_id
    )
    if session.scalar(select(taken)):
        raise TaskUnclear(
            rgettext("There is already a task %(name)s. Choose another name.", name=repr(name))
        )


def free_name(session: Session, task: WebTask) -> str:
    """A free name for a copy of a task."""
    chosen = select(WebTask.name).where(WebTask.study_id == task.study_id)
    taken = set(session.scalars(chosen))
    for number in range(1, len(taken) + 2):
        mark = " (copy)" if number == 1 else f" (copy {number})"
        name = task.name[: LONGEST_NAME - len(mark)] + mark
        if name not in taken:
            return name
    raise AssertionError("unreachable")


def accepted_name(written: str) -> str:
    """The name of a task as it is stored."""
    name = written.strip()
    if not 0 < len(name) <= LONGEST_NAME:
        raise TaskUnclear(
            rgettext(
                "Give the task a name of 1 to %(longest_name)s characters.",
                longest_name=LONGEST_NAME,
            )
        )
    return name


def accepted_completion(address: str, code: str) -> dict[str, Any]:
    """The completion URL and code of a task as stored; an empty code becomes a random one."""
    address = accepted_address(address)
    code = agreed_code(address, code.strip())
    if len(code) > LONGEST_CODE:
        raise TaskUnclear(
            rgettext(
                "The completion code has at most %(longest_code)s characters.",
                longest_code=LONGEST_CODE,
            )
        )
    return {"completion_url": address, "completion_code": code or secrets.token_hex(4).upper()}


def accepted_address(written: str) -> str:
    """A return URL as it is stored; SONA's with `{person}`.

    Raises
    ------
    TaskUnclear
        If it is not a URL.
    """
    address = re.sub(r"(?<=survey_code=)X+$", PLACE_OF_PERSON, written.strip())
    is_web = not address or address.startswith(("https://", "http://"))
    if not is_web or len(address) > LONGEST_ADDRESS:
        raise TaskUnclear(rgettext("The completion URL must start with https:// or http://."))
    return address


def remove_task(session: Session, task: WebTask) -> None:
    """Delete a task without sittings, with its links and texts."""
    links = select(Invitation.id).where(Invitation.task_id == task.id)
    session.execute(delete(EarlyEnding).where(EarlyEnding.invitation_id.in_(links)))
    for owned in (Invitation, ConsentText):
        session.execute(delete(owned).where(owned.task_id == task.id))
    session.flush()
    session.delete(task)
    session.flush()


def _has_any(session: Session, *conditions: Any) -> bool:
    return bool(session.scalar(select(exists().where(*conditions))))
