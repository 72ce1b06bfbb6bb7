"""Links to a task: personal ones, an open one, and those of recruitment platforms."""

import secrets
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session, joinedload

from study_app.core.errors import NotFound
from study_app.core.text.languages import gettext, rgettext, rtranslatable
from study_app.core.tokens import token_hash
from study_app.models import now
from study_app.models.participation import Invitation, WebTask
from study_app.participation.links import mixing
from study_app.participation.methods import method_of
from study_app.participation.platforms.platforms import PLATFORMS
from study_app.participation.refusals import LinkEnded, LinkUnknown, TaskUnclear
from study_app.participation.sittings import own_address

KINDS = (rtranslatable("personal"), rtranslatable("open"), *PLATFORMS)
PURPOSES = (rtranslatable("real"), rtranslatable("tryout"), rtranslatable("simulated"))
MOST_PERSONAL = 500
MOST_PEOPLE = 10_000
MOST_DAYS = 3650
_BY_TOKEN = (
    select(Invitation)
    .where(Invitation.token_hash == bindparam("token_hash"))
    .options(joinedload(Invitation.task).joinedload(WebTask.study))
)


@dataclass(frozen=True)
class Link:
    """A new link; its token is shown once and stored as a hash.

    Attributes
    ----------
    invitation_id, number : int
    kind : str
        "personal", "open", or the name of a recruitment platform.
    purpose, token : str
    """

    invitation_id: int
    number: int
    kind: str
    purpose: str
    token: str

    @property
    def query(self) -> str:
        """The query string for a recruitment platform; "" for other links."""
        return PLATFORMS[self.kind].query() if self.kind in PLATFORMS else ""


def invite(
    session: Session,
    task: WebTask,
    kind: str,
    purpose: str = "real",
    *,
    people: int | None = None,
    days: int | None = None,
) -> list[Link]:
    """Create links to a task.

    Parameters
    ----------
    session : sqlalchemy.orm.Session
    task : study_app.models.participation.WebTask
    kind : str
        "personal" (one person each), "open", or the name of a recruitment platform.
    purpose : str
        "real", "tryout" (never in any result) or "simulated".
    people : int or None
        Number of personal links, by default 1; or the maximum number of participants of an open
        or platform link, by default unlimited.
    days : int or None
        Number of days on which new participants can start.

    Returns
    -------
    list of Link
    """
    _refuse_unclear(kind, purpose, people, days)
    method_of(task).refuse_unready(session, task)
    if purpose != "tryout":
        mixing.refuse(session, task.study, purpose)
    newest = select(func.max(Invitation.number)).where(Invitation.task_id == task.id)
    highest = session.scalar(newest) or 0
    links = []
    count = people or 1 if kind == "personal" else 1
    for number in range(highest + 1, highest + 1 + count):
        token = secrets.token_urlsafe(24)
        invitation = Invitation(
            task_id=task.id,
            kind="platform" if kind in PLATFORMS else kind,
            platform=kind if kind in PLATFORMS else "",
            purpose=purpose,
            number=number,
            token_hash=token_hash(token),
            people=1 if kind == "personal" else people,
            expires_at=now() + timedelta(days=days) if days else None,
        )
        session.add(invitation)
        session.flush()
        links.append(_link(invitation, token))
    return links


def find(session: Session, token: str) -> Invitation | None:
    """The invitation that has a token, open or closed; None if the token is unknown."""
    return session.scalar(_BY_TOKEN, {"token_hash": token_hash(token)})


def invitation_of(session: Session, token: str) -> Invitation:
    """The invitation of a token, open or not."""
    found = find(session, token)
    if found is None:
        raise LinkUnknown()
    return found


def is_link(session: Session, token: str) -> bool:
    """Whether this is the token of a link, even if it is closed."""
    chosen = select(Invitation.id).where(Invitation.token_hash == token_hash(token))
    return session.scalar(chosen) is not None


def refuse_ended(invitation: Invitation) -> None:
    """Refuse a link that is closed or has expired, or whose task is closed."""
    if invitation.closed_at:
        raise LinkEnded(gettext("This link was closed by the researchers."))
    if invitation.expires_at and invitation.expires_at < now():
        raise LinkEnded(
            gettext("This link has expired. Ask the person who invited you for a new one.")
        )
    if invitation.task.closed_at:
        raise LinkEnded(gettext("This study has ended. Thank you for your interest."))


def get_invitation(session: Session, task: WebTask, invitation_id: int) -> Invitation:
    """The invitation with an id, if it belongs to the task."""
    found = session.get(Invitation, invitation_id)
    if found is None or found.task_id != task.id:
        raise NotFound(rtranslatable("invitation"), str(invitation_id))
    return found


def renew(session: Session, task: WebTask, invitation_id: int, secret_key: bytes) -> Link:
    """Replace the token of a lost link.

    For a personal link, the participant's own address is replaced too.
    """
    invitation = get_invitation(session, task, invitation_id)
    token = secrets.token_urlsafe(24)
    invitation.token_hash = token_hash(token)
    if invitation.kind == "personal":
        own_address.readdress(session, own_address.OwnTokens(secret_key, invitation))
    return _link(invitation, token)


def close(session: Session, task: WebTask, invitation_id: int) -> None:
    """Close a link for new participants; current ones can continue."""
    get_invitation(session, task, invitation_id).closed_at = now()


def _link(invitation: Invitation, token: str) -> Link:
    kind = invitation.platform or invitation.kind
    return Link(invitation.id, invitation.number, kind, invitation.purpose, token)


def _refuse_unclear(kind: str, purpose: str, people: int | None, days: int | None) -> None:
    if kind not in KINDS or purpose not in PURPOSES:
        raise TaskUnclear(rgettext("Choose the kind of link: personal, open or a platform."))
    if kind == "personal" and people is not None and not 1 <= people <= MOST_PERSONAL:
        raise TaskUnclear(
            rgettext(
                "Create 1 to %(most_personal)s personal links at a time.",
                most_personal=MOST_PERSONAL,
            )
        )
    if people is not None and not 1 <= people <= MOST_PEOPLE:
        raise TaskUnclear(
            rgettext(
                "A link can have 1–%(most_people)s participants, or no limit if left empty.",
                most_people=format(MOST_PEOPLE, ","),
            )
        )
    if days is not None and not 1 <= days <= MOST_DAYS:
        raise TaskUnclear(
            rgettext(
                "A link can be valid for 1–%(most_days)s days, or has no limit if left empty.",
                most_days=format(MOST_DAYS, ","),
            )
        )
