"""Versions of an information and consent text: of a web task, or of a study with assessors."""

from collections.abc import Sequence
from typing import TypeVar

from sqlalchemy.orm import Session

from study_app.core.errors import StudyError
from study_app.core.text.languages import rgettext
from study_app.models.participation import ConsentText
from study_app.models.rights import AssessorText

LONGEST = 20_000
Text = TypeVar("Text", ConsentText, AssessorText)


def add(
    session: Session, text: Text, past: Sequence[Text], refusal: type[StudyError], too_long: str
) -> Text:
    """Store a text as the next version; the newest one is returned if it says the same.

    Parameters
    ----------
    session : Session
    text : ConsentText or AssessorText
        With its owner, information and consent.
    past : sequence of the same
        All earlier versions, oldest first.
    refusal : type of StudyError
        Raised if a part is empty, or longer than `LONGEST`.
    too_long : str
        Its message in the second case.
    """
    text.information = text.information.replace("\r\n", "\n")
    text.consent = text.consent.replace("\r\n", "\n").strip()
    if not text.information.strip() or not text.consent:
        raise refusal(rgettext("Enter both the information text and the consent statement."))
    if max(len(text.information), len(text.consent)) > LONGEST:
        raise refusal(too_long)
    if past and (past[-1].information, past[-1].consent) == (text.information, text.consent):
        return past[-1]
    text.version = len(past) + 1
    session.add(text)
    session.flush()
    return text
