"""Whom to approve or reject on a recruitment platform, and why; in no export of the study."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session, joinedload

from study_app.models.participation import Invitation, PlatformIdentity, WebSitting, WebTask
from study_app.participation.endings.endings import page_of
from study_app.participation.methods import Done, method_of
from study_app.participation.people.people import Progress, progress_of
from study_app.participation.platforms.platforms import PLATFORMS
from study_app.participation.sittings import parts

COLUMNS = (
    "platform",
    "platform_person",
    "platform_study",
    "platform_submission",
    "participant_id",
    "state",
    "decision",
    "reason",
    "completion_code",
)
# By state: what the platform is asked to do. Somebody under way has no decision yet.
DECISIONS = {
    "complete": "approve",
    "timed out": "review",
    "failed checks": "reject",
    "screened out": "return",
    "withdrew": "return",
    "away": "return",
}


@dataclass(frozen=True)
class Payment:
    """What is decided about one participant of a platform.

    Attributes
    ----------
    identity : PlatformIdentity
    platform : str
        The platform's name as people write it.
    code : str
        The participant's pseudonym.
    state : str
    decision : str
        "approve", "review" (paid in part, say), "reject", "return" (the platform asks for the
        submission back) or "wait".
    reason : str
        One sentence that the participant may read.
    completion_code : str
        The one that they were shown.
    """

    identity: PlatformIdentity
    platform: str
    code: str
    state: Progress
    decision: str
    reason: str
    completion_code: str


def payments_of(session: Session, task: WebTask) -> list[Payment]:
    """Everybody of a platform who agreed to take part, in the order in which they came."""
    chosen = (
        select(PlatformIdentity, WebSitting, Invitation.platform)
        .join(WebSitting, WebSitting.id == PlatformIdentity.sitting_id)
        .join(Invitation, Invitation.id == WebSitting.invitation_id)
        .options(joinedload(WebSitting.participant))
        .where(WebSitting.task_id == task.id, WebSitting.purpose != "tryout")
        .order_by(WebSitting.number)
    )
    found: Sequence[Any] = session.execute(chosen).all()
    done = method_of(task).done_of(session, [sitting.id for _, sitting, _ in found])
    return [
        _payment(task, identity, sitting, platform, done.get(sitting.id, Done()))
        for identity, sitting, platform in found
    ]


def rows_of(payments: Sequence[Payment]) -> list[tuple[str, ...]]:
    """The same as the rows of a table with `COLUMNS`."""
    return [
        (
            paid.platform,
            paid.identity.person,
            paid.identity.platform_study,
            paid.identity.platform_session,
            paid.code,
            paid.state,
            paid.decision,
            paid.reason,
            paid.completion_code,
        )
        for paid in payments
    ]


def forget_identities(session: Session, task: WebTask) -> int:
    """Delete the platform IDs of a task, once its participants are paid; returns how many."""
    sittings = select(WebSitting.id).where(WebSitting.task_id == task.id)
    own = PlatformIdentity.sitting_id.in_(sittings)
    count = session.scalar(select(func.count(PlatformIdentity.sitting_id)).where(own)) or 0
    session.execute(delete(PlatformIdentity).where(own))
    return count


def _payment(
    task: WebTask, identity: PlatformIdentity, sitting: WebSitting, platform: str, done: Done
) -> Payment:
    state = progress_of(task, sitting)
    ending: Any = sitting.ending
    code = page_of(task, ending, platform=True).code if ending else _part_code(task, sitting)
    return Payment(
        identity,
        PLATFORMS[platform].label if platform else "",
        sitting.participant.code,
        state,
        DECISIONS.get(state, "wait"),
        _reason(state, done),
        code,
    )


def _part_code(task: WebTask, sitting: WebSitting) -> str:
    """The code of the last part that was done."""
    done = sitting.part if sitting.next_part_at else sitting.part - 1
    return parts.code_of(task, done) if done else ""


def _reason(state: Progress, done: Done) -> str:
    return {
        "complete": "",
        "timed out": f"The time limit ended after {done.trials} of {done.assigned} trials.",
        "failed checks": f"Passed {done.checks_passed} of {done.checks} attention checks.",
        "screened out": "Does not meet the study's requirements.",
        "withdrew": "Withdrew from the study.",
        "away": f"Left after {done.trials} of {done.assigned} trials.",
        "between parts": f"Did {done.trials} of {done.assigned} trials; next part to come.",
    }.get(state, "Still taking part.")
