"""Gold standards of a study, computed from the data recorded so far."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from basics.numerals import statistic
from study_app.core.study_step import StudyStep
from study_app.core.text.languages import rtranslatable
from study_app.models import Study
from study_app.models.systems import GoldFigure


def step(session: Session, study: Study) -> StudyStep:
    """The step "Gold standard": mean BCubed F over sets, or Kendall's W over tasks."""
    figures = session.execute(
        select(GoldFigure.measure, GoldFigure.value)
        .where(GoldFigure.study_id == study.id, GoldFigure.value.is_not(None))
        .order_by(GoldFigure.measure, GoldFigure.target)
    ).all()
    if not figures:
        return StudyStep(rtranslatable("Gold standard"), "gold.page", "", done=False)
    measure = figures[0].measure
    values = [figure.value for figure in figures if figure.measure == measure]
    mean = statistic(sum(values) / len(values))
    return StudyStep(rtranslatable("Gold standard"), "gold.page", f"{measure} {mean}", done=True)
