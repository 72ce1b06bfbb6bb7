"""Assessors: people who sort at a table, under a pseudonymous code."""

import re
from collections.abc import Iterable

from sqlalchemy import select, union_all
from sqlalchemy.orm import Session

from study_app.core.errors import StudyError
from study_app.core.text.languages import rgettext
from study_app.core.text.lengths import whole
from study_app.models import Participant, SittingAssessor, Study
from study_app.models.exclusion import Exclusion
from study_app.models.participation import WebSitting
from study_app.models.rights import AssessorConsent

CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,19}")
MOST_TOGETHER = 2

# Code, age band and gender; the two are None if they were not given.
Person = tuple[str, str | None, str | None]


class AssessorCode(StudyError):
    """An assessor's code is invalid; names are not allowed."""

    def __init__(self, written: str) -> None:
        super().__init__(
            rgettext(
                "%(written)s is not an assessor's code; use letters and digits, at "
                "most 20, such as P01, and no names.",
                written=repr(written[:40]),
            )
        )


class TooManyTogether(StudyError):
    """More than two assessors for one sitting."""

    def __init__(self, written: str) -> None:
        super().__init__(
            rgettext(
                "%(written)s names more than two people; at most two assessors can sort together.",
                written=repr(written),
            )
        )


class AssessorWithdrew(StudyError):
    """The assessor withdrew; nothing more is recorded for them."""

    status = 409

    def __init__(self, code: str) -> None:
        super().__init__(
            rgettext("%(code)s withdrew from this study. Use another code.", code=code)
        )


def read_lines(text: str) -> list[list[Person]]:
    """Read a list of assessors, one line per sitting.

    "P01", "P01, 20-29, f" with age band and gender, "P01 + P02" for two who sort jointly.

    Returns
    -------
    list of list of tuple
        (code, age band or None, gender or None) of each assessor; one or two per sitting.
    """
    return [_read_line(line) for line in text.splitlines() if line.strip()]


def _read_line(line: str) -> list[Person]:
    codes, *about = [part.strip() for part in re.split(r"[,;\t]", line)]
    together = [code.strip() for code in codes.split("+")]
    if len(together) > MOST_TOGETHER:
        raise TooManyTogether(line.strip())
    for code in together:
        if not CODE.fullmatch(code):
            raise AssessorCode(code)
    age_band, gender = ([part or None for part in about[:2]] + [None, None])[:2]
    if len(set(together)) < len(together):
        raise AssessorCode(line.strip())
    if len(together) > 1:
        age_band = gender = None
    age_band = age_band and whole(age_band, 20, rgettext("The age band"))
    gender = gender and whole(gender, 40, rgettext("The gender"))
    return [(code, age_band, gender) for code in together]


def find_or_make(
    session: Session,
    study: Study,
    code: str,
    age_band: str | None = None,
    gender: str | None = None,
) -> Participant:
    """The participant with a code; new details about them are added."""
    query = select(Participant).where(Participant.study_id == study.id, Participant.code == code)
    person = session.scalar(query)
    if person is None:
        if not CODE.fullmatch(code):
            raise AssessorCode(code)
        person = Participant(study_id=study.id, code=code, simulated=study.simulated)
        session.add(person)
    if person.withdrawn_at:
        raise AssessorWithdrew(code)
    person.age_band = age_band or person.age_band
    person.gender = gender or person.gender
    session.flush()
    return person


def delete_unknown(session: Session, people: Iterable[Participant]) -> None:
    """Delete those about whom nothing is stored but their code, age band and gender."""
    for person in people:
        known = (
            select(table.participant_id).where(table.participant_id == person.id)
            for table in (SittingAssessor, AssessorConsent, WebSitting, Exclusion)
        )
        if not person.withdrawn_at and not session.scalars(union_all(*known)).first():
            session.delete(person)
