"""Systems measured against a study's gold standard."""

from sqlalchemy import func, select

from study_app.core.study_step import Station
from study_app.models.systems import System


def station(session, study):
    """How many systems were measured."""
    count = session.scalar(select(func.count(System.id)).where(System.study_id == study.id))
    return Station("Systems", "systems.page", str(count or ""), done=count > 0)
