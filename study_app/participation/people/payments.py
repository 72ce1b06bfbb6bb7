"""Whom to approve or reject on a recruitment platform, and why; never exported with the study."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session, joinedload

from basics.wordings import Wording
from study_app.core.text.languages import rtranslatable
from study_app.models.participation import Invitation, PlatformIdentity, WebSitting, WebTask
from study_app.participation.endings.endings import page_of
from study_app.participation.methods import Done, method_of
from study_app.participation.people.people import Progress, progress_of
from study_app.participation.platforms.platforms import LONGEST_IDENTITY, PLATFORMS
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
# Decision by state; participants in progress have none yet.
DECISIONS = {
    "complete": rtranslatable("approve"),
    "timed out": rtranslatable("review"),
    "failed checks": rtranslatable("reject"),
    "screened out": rtranslatable("return"),
    "withdrew": rtranslatable("return"),
    "away": rtranslatable("return"),
}


@dataclass(frozen=True)
class Payment:
    """The decision about one participant from a platform.

    Attributes
    ----------
    platform : str
        The platform's label.
    person, study, submission : str
        What it calls them.
    code : str
        The participant's pseudonym.
    state : str
    decision : str
        "approve", "review" (e.g. for a partial payment), "reject", "return" (the participant
        should return the submission) or "wait".
    reason : str
        One sentence that the participant may read.
    completion_code : str
        The code that was shown.
    """

    platform: str
    person: str
    study: str
    submission: str
    code: str
    state: Progress
    decision: str
    reason: str
    completion_code: str


def payments_of(session: Session, task: WebTask) -> list[Payment]:
    """All participants from a platform who consented, in order of arrival.

    For a task in parts, there is one for each part that was a separate study on the platform.
    """
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
        payment
        for identity, sitting, platform in found
        for payment in _payments(task, identity, sitting, platform, done.get(sitting.id, Done()))
    ]


def remember_part(session: Session, sitting: WebSitting, study: str, submission: str) -> None:
    """Store the platform's IDs of study and submission for the part that was just started.

    The first part has those with which the participant arrived; a repeat adds nothing, nor does an
    ID that is too long: the platform's link with it is refused.
    """
    identity = session.get(PlatformIdentity, sitting.id)
    has_started = sitting.ready_at and not sitting.ending and not sitting.next_part_at
    if identity is None or not has_started or sitting.part == 1:
        return
    if max(len(study), len(submission)) > LONGEST_IDENTITY:
        return
    named = {"study": study, "session": submission}
    known = [identity.platform_session, *(one["session"] for one in identity.later_parts.values())]
    if named["session"] and named["session"] not in known:
        identity.later_parts = {**identity.later_parts, str(sitting.part): named}


def rows_of(payments: Sequence[Payment]) -> list[tuple[str, ...]]:
    """The same as the rows of a table with `COLUMNS`."""
    return [
        (
            paid.platform,
            paid.person,
            paid.study,
            paid.submission,
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


def _payments(
    task: WebTask, identity: PlatformIdentity, sitting: WebSitting, platform: str, done: Done
) -> list[Payment]:
    """One for each submission; the last one is decided by how far the participant is."""
    submissions = {1: (identity.platform_study, identity.platform_session)}
    for name, named in identity.later_parts.items():
        submissions[int(name)] = named["study"], named["session"]
    started_parts = sorted(submissions)
    label = PLATFORMS[platform].label if platform else ""
    payments = []
    for at, part in enumerate(started_parts, start=1):
        who = (label, identity.person, *submissions[part], sitting.participant.code)
        if at < len(started_parts):
            done_part = started_parts[at] - 1
            code = parts.code_of(task, done_part)
            state = Wording("part %(part)s done", part=done_part)
            payments.append(Payment(*who, state, "approve", "", code))
        else:
            payments.append(Payment(*who, *_decided(task, sitting, done, part)))
    return payments


def _decided(
    task: WebTask, sitting: WebSitting, done: Done, since: int
) -> tuple[Progress, str, str, str]:
    """State, decision, reason and code of a submission that began with the part `since`."""
    state = progress_of(task, sitting)
    ending: Any = sitting.ending
    decision = DECISIONS.get(state, "wait")
    if ending == "withdrew" and sitting.finished_at:
        # Completed before, so the platform got this code.
        code = page_of(task, "complete", platform=sitting.invitation.platform).code
        return state, "approve", Wording("Completed the task, then withdrew."), code
    if ending:
        return (
            state,
            decision,
            _reason(state, done),
            page_of(task, ending, platform=sitting.invitation.platform).code,
        )
    last = sitting.part if sitting.next_part_at else sitting.part - 1
    code = parts.code_of(task, last) if last >= since else ""
    if code:
        # The platform can pay for the parts that were done.
        decision = "approve" if sitting.next_part_at else {"return": "review"}.get(decision, "wait")
    return state, decision, _reason(state, done), code


def _reason(state: Progress, done: Done) -> str:
    """In English in the file, which goes to the platform; pages translate it."""
    trials = {"done": done.trials, "all": done.assigned}
    checks = {"done": done.checks_passed, "all": done.checks}
    return {
        "complete": "",
        "timed out": Wording("The time limit ended after %(done)s of %(all)s trials.", **trials),
        "failed checks": Wording("Passed %(done)s of %(all)s attention checks.", **checks),
        "screened out": Wording("Does not meet the study's requirements."),
        "withdrew": Wording("Withdrew from the study."),
        "away": Wording("Left after %(done)s of %(all)s trials.", **trials),
        "between parts": Wording("Did %(done)s of %(all)s trials; next part to come.", **trials),
    }.get(state, Wording("Still taking part."))
