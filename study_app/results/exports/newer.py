"""What happened in a study after its newest export was started.

After a withdrawal there is no export to be older: it is deleted.
"""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from study_app.core.text.languages import rtranslatable
from study_app.models import Sitting
from study_app.models.exclusion import Exclusion
from study_app.models.participation import WebSitting, WebTask


class Change(NamedTuple):
    """The newest change of a study's data: what happened, and when."""

    what: str
    at: datetime


def change_since(session: Session, study_id: int, started_at: datetime) -> Change | None:
    """The newest change that an export started at a moment may not contain, or None."""
    tasks = select(WebTask.id).where(WebTask.study_id == study_id)
    at_tables = select(func.max(Sitting.finished_at)).where(Sitting.study_id == study_id)
    on_the_web = select(func.max(WebSitting.finished_at)).where(
        WebSitting.task_id.in_(tasks), WebSitting.purpose != "tryout"
    )
    excluded, undone = (
        select(func.max(column)).where(Exclusion.study_id == study_id)
        for column in (Exclusion.excluded_at, Exclusion.undone_at)
    )
    newest = {
        rtranslatable("a sitting was finished"): at_tables,
        rtranslatable("a participant finished"): on_the_web,
        rtranslatable("data were excluded"): excluded,
        rtranslatable("an exclusion was undone"): undone,
    }
    changes = []
    for what, query in newest.items():
        at = session.scalar(query)
        if at and at > started_at:
            changes.append(Change(what, at))
    return max(changes, key=lambda change: change.at, default=None)
