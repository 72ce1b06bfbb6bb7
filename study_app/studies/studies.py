"""Studies: creation, names and lookup."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from study_app.accounts import members
from study_app.core.errors import NotFound, StudyError
from study_app.core.texts import whole
from study_app.models import Study

FIRST_STUDY = "My study"
# The study that `sketch-study demo` makes; its pages have a guide.
DEMO = "Demo: shapes and things"
# What people are asked to do, as the pages say it.
METHODS = {
    "sorting": "Sort printed cards at a table",
    "ranking": "Rank images on the web",
    "both": "Both",
}


class StudyNameTaken(StudyError):
    """A study's name that is already taken."""

    def __init__(self, name: str) -> None:
        super().__init__(f"There is already a study {name!r}. Choose another name.")


class StudyNameMissing(StudyError):
    """A missing or long name of a study."""

    def __init__(self) -> None:
        super().__init__("Give the study a name of 1–120 characters.")


class WhichStudy(StudyError):
    """Several studies, but no --study."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(f"There are several studies ({', '.join(names)}); name one with --study.")


def make(
    session: Session, name: str, lab: str = "", methods: str = "both", simulated: bool = False
) -> Study:
    """Create a study; its creator owns it. `methods` is a name in `METHODS`."""
    study = Study(
        name=_free_name(session, name),
        lab=whole(lab, 120, "The lab"),
        methods=methods,
        simulated=simulated,
    )
    session.add(study)
    session.flush()
    members.add_first_owners(session, study)
    return study


def change(session: Session, study_id: int, name: str, lab: str, methods: str) -> Study:
    """Change the name of a study, its lab, and what it asks people to do."""
    study = get(session, study_id)
    study.name, study.lab = _free_name(session, name, study), whole(lab, 120, "The lab")
    study.methods = methods
    return study


def _free_name(session: Session, name: str, study: Study | None = None) -> str:
    """The name as stored, after checking that no other study has it."""
    name = name.strip()
    if not 0 < len(name) <= 120:
        raise StudyNameMissing()
    if session.scalar(select(Study).where(Study.name == name)) not in (None, study):
        raise StudyNameTaken(name)
    return name


def all_studies(session: Session) -> Sequence[Study]:
    """Every study, the newest first."""
    return session.scalars(select(Study).order_by(Study.id.desc())).all()


def get(session: Session, study_id: int) -> Study:
    """The study of a number."""
    study = session.get(Study, study_id)
    if study is None:
        raise NotFound("study", str(study_id))
    return study


def named(
    session: Session, name: str | None = None, make_first: bool = False, methods: str = "both"
) -> Study:
    """The study with a name; without a name the only study or, on import, a new one."""
    if name is not None:
        study = session.scalar(select(Study).where(Study.name == name))
        if study is None and not make_first:
            raise NotFound("study", name)
        return study or make(session, name, methods=methods)
    present = all_studies(session)
    if len(present) > 1:
        raise WhichStudy([s.name for s in present])
    if present:
        return present[0]
    if not make_first:
        raise NotFound("study", FIRST_STUDY)
    return make(session, FIRST_STUDY, methods=methods)
