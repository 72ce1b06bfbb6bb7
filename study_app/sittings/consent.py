"""Versions of the information and consent text of assessors; consent on the tablet or on paper.

A study without a text asks for no consent. After a new version, assessors are asked again before
their next sitting.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from study_app.core.errors import NotFound, StudyError
from study_app.core.text.languages import gettext, rgettext, rtranslatable, translatable
from study_app.models import Participant, Sitting
from study_app.models.rights import AssessorConsent, AssessorText
from study_app.participation.consent.versions import LONGEST, add

WAYS = ("tablet", "paper")

# NOTE: Markdown: keep the # before the heading, the empty lines, and the - of the list.
FIRST_INFORMATION = translatable("""\
# Thank you for taking part

You will sort cards with sketches into groups. There are no right or wrong answers: we want to \
know which sketches look similar to you.

- Taking part is voluntary. You can stop at any time, and withdraw afterwards: everything you \
sorted is then deleted.
- We store your groups, their names and the times under a code, without your name.
- The cards on the table are photographed. Please keep your hands and face out of the photos.
""")
FIRST_CONSENT = translatable(
    "I have read this, I am at least 18 years old, and I agree to take part."
)


class TextUnclear(StudyError):
    """A consent text without information or statement, or one that is too long."""


class NotAgreed(StudyError):
    """The form was sent without consent."""

    def __init__(self) -> None:
        super().__init__(gettext("To take part, tick the box to agree."))


class ConsentMissing(StudyError):
    """An assessor of the sitting has not agreed to the study's text."""

    status = 409

    def __init__(self, sitting: Sitting, codes: Sequence[str]) -> None:
        super().__init__(
            rgettext(
                "%(names)s: consent is not recorded. Record it on the page of "
                "%(code)s, on the tablet or from paper, then start.",
                names=" and ".join(codes),
                code=sitting.code,
            )
        )


def newest(session: Session, study_id: int) -> AssessorText | None:
    """The version that assessors agree to now; None if the study asks for no consent."""
    chosen = select(AssessorText).where(AssessorText.study_id == study_id)
    return session.scalars(chosen.order_by(AssessorText.version.desc()).limit(1)).first()


def versions(session: Session, study_id: int) -> Sequence[AssessorText]:
    """Every version of a study's text, the first one first."""
    chosen = select(AssessorText).where(AssessorText.study_id == study_id)
    return session.scalars(chosen.order_by(AssessorText.version)).all()


def add_version(session: Session, study_id: int, information: str, consent: str) -> AssessorText:
    """Store a new version, unless the text is unchanged.

    Raises
    ------
    TextUnclear
    """
    text = AssessorText(study_id=study_id, information=information, consent=consent)
    too_long = rgettext(
        "A text for assessors has at most %(longest)s characters.", longest=format(LONGEST, ",")
    )
    return add(session, text, versions(session, study_id), TextUnclear, too_long)


def record(
    session: Session, sitting: Sitting, code: str, how: str, researcher_id: int | None = None
) -> AssessorConsent:
    """Store that an assessor of a sitting agreed to the newest text; a repeat changes nothing.

    Parameters
    ----------
    session : Session
        Session of a writing transaction.
    sitting : Sitting
    code : str
        Code of the assessor.
    how : {"tablet", "paper"}
    researcher_id : int, optional
        The researcher who is signed in: for paper, the conductor with the signed sheet.
    """
    person = next((p for p in sitting.assessors if p.code == code), None)
    text = newest(session, sitting.study_id)
    if person is None:
        raise NotFound(rtranslatable("assessor"), code[:40])
    if text is None or how not in WAYS:
        raise TextUnclear(
            rgettext("This study has no consent text for assessors. Write one first.")
        )
    present = session.scalar(
        select(AssessorConsent).where(
            AssessorConsent.participant_id == person.id, AssessorConsent.text_id == text.id
        )
    )
    if present:
        return present
    given = AssessorConsent(
        participant_id=person.id, text_id=text.id, how=how, recorded_by_id=researcher_id
    )
    session.add(given)
    session.flush()
    return given


def missing(session: Session, sitting: Sitting) -> list[Participant]:
    """Assessors of a sitting who have not agreed to the newest text."""
    text = newest(session, sitting.study_id)
    if text is None or sitting.first_entry_id or sitting.imported_from:
        return []
    agreed = select(AssessorConsent.participant_id).where(AssessorConsent.text_id == text.id)
    agreed_ids = set(session.scalars(agreed))
    return [person for person in sitting.assessors if person.id not in agreed_ids]


def refuse_missing(session: Session, sitting: Sitting) -> None:
    """Require the consent of all assessors before a sitting starts.

    Raises
    ------
    ConsentMissing
    """
    absent = missing(session, sitting)
    if absent:
        raise ConsentMissing(sitting, [person.code for person in absent])


def given_by(session: Session, person: Participant) -> Sequence[AssessorConsent]:
    """Every consent of an assessor, the first one first."""
    chosen = select(AssessorConsent).where(AssessorConsent.participant_id == person.id)
    whole = joinedload(AssessorConsent.text), joinedload(AssessorConsent.recorded_by)
    return session.scalars(chosen.options(*whole).order_by(AssessorConsent.id)).all()


def counts(session: Session, study_id: int) -> Mapping[int, int]:
    """How many assessors agreed to each version, by its id."""
    chosen = select(AssessorConsent.text_id).join(AssessorText)
    found: dict[int, int] = {}
    for text_id in session.scalars(chosen.where(AssessorText.study_id == study_id)):
        found[text_id] = found.get(text_id, 0) + 1
    return found
