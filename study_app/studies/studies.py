"""Studies: creation, names and lookup."""

import re
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from study_app.accounts import members
from study_app.core import acting
from study_app.core.errors import NotFound, StudyError
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.core.text.lengths import whole
from study_app.models import Study, StudyMember

FIRST_STUDY = "My study"
# The study of `sketch-study demo`; its pages have a tour.
DEMO = "Demo: shapes and things"
# Names of the methods, as shown on pages.
METHODS = {
    rtranslatable("sorting"): rtranslatable("Sort printed cards at a table"),
    rtranslatable("ranking"): rtranslatable("Rank images on the web"),
    rtranslatable("both"): rtranslatable("Both"),
}


class StudyNameTaken(StudyError):
    """The researcher already has a study of this name."""

    def __init__(self, name: str) -> None:
        super().__init__(
            rgettext("There is already a study %(name)s. Choose another name.", name=repr(name))
        )


class StudyNameMissing(StudyError):
    """The name of a study is missing or too long."""

    def __init__(self) -> None:
        super().__init__(rgettext("Give the study a name of 1–120 characters."))


class WhichStudy(StudyError):
    """There are several studies, and --study does not say which is meant."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(
            rgettext(
                "There are several studies (%(names)s); choose one with --study.",
                names=", ".join(names),
            )
        )


def make(
    session: Session, name: str, lab: str = "", methods: str = "both", simulated: bool = False
) -> Study:
    """Create a study; its creator owns it. `methods` is a name in `METHODS`."""
    study = Study(
        name=_free_name(session, name),
        lab=whole(lab, 120, rgettext("The lab")),
        methods=methods,
        simulated=simulated,
    )
    session.add(study)
    session.flush()
    members.add_first_owners(session, study)
    return study


def change(session: Session, study_id: int, name: str, lab: str, methods: str) -> Study:
    """Change the name, lab and methods of a study."""
    study = get(session, study_id)
    study.name, study.lab = _free_name(session, name, study), whole(lab, 120, rgettext("The lab"))
    study.methods = methods
    return study


def _free_name(session: Session, name: str, study: Study | None = None) -> str:
    """The name as stored; no other study that the current researcher can see has it.

    Studies of others are not compared: the answer would tell that they exist.
    """
    name = name.strip()
    if not 0 < len(name) <= 120:
        raise StudyNameMissing()
    same = select(Study.id).where(Study.name == name)
    asking = acting.current().researcher_id
    if asking is not None:
        same = same.join(StudyMember).where(StudyMember.researcher_id == asking)
    if set(session.scalars(same)) - {study and study.id}:
        raise StudyNameTaken(name)
    return name


def all_studies(session: Session) -> Sequence[Study]:
    """Every study, the newest first."""
    return session.scalars(select(Study).order_by(Study.id.desc())).all()


def get(session: Session, study_id: int) -> Study:
    """The study with an id."""
    study = session.get(Study, study_id)
    if study is None:
        raise NotFound(rtranslatable("study"), str(study_id))
    return study


def named(
    session: Session, name: str | None = None, make_first: bool = False, methods: str = "both"
) -> Study:
    """The study with a name; without a name the only study or, on import, a new one.

    Of several studies with the same name, one is meant by "name (number)".
    """
    if name is not None:
        study = _with_name(session, name)
        if study is None and not make_first:
            raise NotFound(rtranslatable("study"), name, [s.name for s in all_studies(session)])
        return study or make(session, name, methods=methods)
    present = all_studies(session)
    if len(present) > 1:
        raise WhichStudy([s.name for s in present])
    if present:
        return present[0]
    if not make_first:
        raise NotFound(rtranslatable("study"), FIRST_STUDY)
    return make(session, FIRST_STUDY, methods=methods)


def _with_name(session: Session, name: str) -> Study | None:
    same = session.scalars(select(Study).where(Study.name == name).order_by(Study.id)).all()
    if len(same) > 1:
        raise WhichStudy([f"{study.name} ({study.id})" for study in same])
    numbered = re.fullmatch(r"(.+) \((\d{1,9})\)", name)
    if same or numbered is None:
        return same[0] if same else None
    study = session.get(Study, int(numbered[2]))
    return study if study and study.name == numbered[1] else None
