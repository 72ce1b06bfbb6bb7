"""Systems measured against a study's gold standard."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from study_app.core.study_step import StudyStep
from study_app.core.text.languages import rtranslatable
from study_app.models import Study
from study_app.models.systems import System


def step(session: Session, study: Study) -> StudyStep:
    """The step "Systems", with the number of systems."""
    count = session.scalars(select(func.count(System.id)).where(System.study_id == study.id)).one()
    return StudyStep(rtranslatable("Systems"), "systems.page", str(count or ""), done=count > 0)
