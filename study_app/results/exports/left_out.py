"""Data not in the results: withdrawals, deletions and exclusions."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from study_app.core.text.spreadsheets import Cell
from study_app.models import DeletedPhoto, Sitting, StimulusSet, Study
from study_app.models.exclusion import Exclusion, ExclusionRule
from study_app.participation.people import exclusion, rule_kinds
from study_app.participation.people.withdrawal import withdrawals_of
from study_app.ranking import tasks_of
from study_app.results.exports.tables import Tables

WITHDRAWAL_COLUMNS = ("task_id", "set_id", "at", "by")
EXCLUSION_COLUMNS = (
    "participant_id",
    "session_id",
    "task_id",
    "position",
    "reason",
    "rule",
    "at",
    "undone_at",
)
RULE_COLUMNS = ("rule", "kind_of_rule", "threshold", "at", "removed_at")


class Withdrawn(NamedTuple):
    """A withdrawn sitting: of a task on the web, or of a set at a table."""

    task: str
    set: str
    at: datetime
    by: str


def withdrawals(session: Session, study_id: int) -> list[Withdrawn]:
    """Every withdrawn sitting of a study."""
    found = [
        Withdrawn(task.name, "", one.at, one.by)
        for task in tasks_of(session, study_id)
        for one in withdrawals_of(session, task)
    ]
    at_tables = session.execute(
        select(StimulusSet.name, Sitting.withdrawn_at)
        .join(StimulusSet, StimulusSet.id == Sitting.set_id)
        .where(Sitting.study_id == study_id, Sitting.withdrawn_at.is_not(None))
        .order_by(Sitting.number)
    )
    return found + [Withdrawn("", name, at, "researcher") for name, at in at_tables if at]


def deletions(session: Session, study_id: int) -> int:
    """The number of deleted photos of a study."""
    chosen = select(DeletedPhoto.id).join(Sitting, Sitting.id == DeletedPhoto.sitting_id)
    return len(session.scalars(chosen.where(Sitting.study_id == study_id)).all())


def write(session: Session, study: Study, tables: Tables) -> None:
    """Write the tables of withdrawals, exclusions and rules that have rows."""
    rules = session.scalars(
        select(ExclusionRule).where(ExclusionRule.study_id == study.id).order_by(ExclusionRule.id)
    ).all()
    number = {rule.id: at for at, rule in enumerate(rules, start=1)}
    all_exclusions = (*exclusion.current(session, study.id), *exclusion.undone(session, study.id))
    excluded = [_row(one, number.get(one.rule_id or 0)) for one in all_exclusions]
    rows: dict[str, tuple[tuple[str, ...], list[tuple[Cell, ...]]]] = {
        "withdrawals": (WITHDRAWAL_COLUMNS, [*withdrawals(session, study.id)]),
        "exclusions": (EXCLUSION_COLUMNS, excluded),
        "rules": (
            RULE_COLUMNS,
            [(number[r.id], r.kind, r.threshold, r.set_at, r.removed_at) for r in rules],
        ),
    }
    for name, (columns, table_rows) in rows.items():
        if table_rows:
            tables.write(f"data/description-{name}_data.csv", columns, table_rows)


def _row(one: Exclusion, rule: int | None) -> tuple[Cell, ...]:
    web = one.web_sitting
    person = web.participant if web else one.participant
    if one.sitting:
        participant, code = one.sitting.assessor, one.sitting.code
    else:
        participant, code = person.code if person else "", web.code if web else ""
    task = web.task.name if web else ""
    reason = rule_kinds.wording_of(one) or one.reason
    return (participant, code, task, one.trial, reason, rule, one.excluded_at, one.undone_at)
