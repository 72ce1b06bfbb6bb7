"""People who left before they agreed: counted by link, with nothing stored of any of them."""

from typing import cast

from sqlalchemy.orm import Session

from study_app.core.database import attempts
from study_app.core.text.languages import gettext
from study_app.models.participation import EarlyEnding, Invitation
from study_app.participation.endings.endings import BEFORE_CONSENT, Ending
from study_app.participation.refusals import TaskUnclear


def count_early(session: Session, invitation: Invitation, ending: str) -> Ending:
    """Count a person who does not agree, or whose device does not fit.

    Parameters
    ----------
    session : sqlalchemy.orm.Session
        Inside `study_app.core.database.writing`.
    invitation : study_app.models.participation.Invitation
    ending : str
        As the page sent it.

    Returns
    -------
    str
        The ending.

    Raises
    ------
    TaskUnclear
        If the ending is not one before consent.
    """
    if ending not in BEFORE_CONSENT:
        raise TaskUnclear(
            gettext("Choose how to leave: without agreeing, or since the device does not fit.")
        )
    attempts.lock(session, attempts.key_of("early ending", str(invitation.id)))
    place = {"invitation_id": invitation.id, "ending": ending}
    counted = session.get(EarlyEnding, place)
    if counted is None:
        counted = EarlyEnding(**place, people=0)
        session.add(counted)
    # The button may be pressed twice; a personal link has one person.
    counted.people = 1 if invitation.kind == "personal" else counted.people + 1
    return cast(Ending, ending)
