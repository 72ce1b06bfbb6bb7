"""Sorting data in an export: sittings, groupings, and every recorded row."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Result, select
from sqlalchemy.orm import Session

from printables.cards.codes import deck_letter
from study_app.core.text.spreadsheets import Cell
from study_app.models import (
    Event,
    Group,
    Participant,
    Photo,
    Scan,
    Sitting,
    SittingAssessor,
    Stimulus,
    StimulusSet,
    Study,
)
from study_app.models.rights import AssessorConsent, AssessorText
from study_app.participation.people import included
from study_app.results.exports.names import Pseudonyms
from study_app.results.exports.tables import Tables
from study_app.sittings.recording.table_state import Row, fold
from study_app.sittings.retests import retests_of

TASK = "task-tablesort_data.csv"
SITTING_COLUMNS = (
    "session_id",
    "set_id",
    "participant_id",
    "assessors",
    "deck",
    "state",
    "double_entry_of",
    "imported",
    "limit_minutes",
    "started_at",
    "finished_at",
    "placed",
    "missing_reason",
    "retest_of",
    "day",
    "place_in_order",
    "excluded",
    "simulated",
)
RETEST_COLUMNS = (
    "participant_id",
    "set_id",
    "session_id",
    "retest_id",
    "placed_twice",
    "retest_f",
    "retest_ari",
)
CONSENT_COLUMNS = ("participant_id", "consent_version", "consent_given", "at")
GROUPING_COLUMNS = (
    "participant_id",
    "stimulus_id",
    "group_id",
    "set_id",
    "session_id",
    "group_name",
    "group_note",
    "imported",
    "simulated",
)
SCAN_COLUMNS = (
    "row_id",
    "session_id",
    "act_id",
    "act_kind",
    "at",
    "conductor_id",
    "stimulus_id",
    "card",
    "group_id",
    "how",
    "margin",
    "photo_id",
    "corners",
    "reason",
    "undoes_id",
    "simulated",
)

# Rows of a sitting that are read in one step.
ROWS_AT_ONCE = 1_000


def write(session: Session, study: Study, tables: Tables, conductors: Pseudonyms) -> None:
    """Write the sittings, each with a tidy and a raw table."""
    sittings = session.scalars(
        select(Sitting)
        .where(Sitting.study_id == study.id, Sitting.state != "withdrawn")
        .order_by(Sitting.number)
    ).all()
    if not sittings:
        return
    excluded = set(session.scalars(select(Sitting.id).where(included.is_excluded_sitting())))
    rows = []
    for sitting in sittings:
        placed = _write_sitting(session, study, sitting, tables, conductors)
        rows.append(_sitting_row(study, sitting, placed, sitting.id in excluded))
    tables.write("data/description-sittings_data.csv", SITTING_COLUMNS, rows)
    _write_consents(session, study, tables)
    twice = [
        (r.first.assessor, r.first.set.name, r.first.code, r.again.code, r.both, r.f, r.ari)
        for r in retests_of(session, study.id)
    ]
    if twice:
        tables.write("data/description-retests_data.csv", RETEST_COLUMNS, twice)


def _write_consents(session: Session, study: Study, tables: Tables) -> None:
    """Write the consents of assessors who did not withdraw."""
    found = session.execute(
        select(
            Participant.code, AssessorText.version, AssessorConsent.how, AssessorConsent.agreed_at
        )
        .join(Participant, Participant.id == AssessorConsent.participant_id)
        .join(AssessorText, AssessorText.id == AssessorConsent.text_id)
        .where(Participant.study_id == study.id, Participant.withdrawn_at.is_(None))
        .order_by(Participant.code, AssessorText.version)
    ).all()
    if found:
        tables.write("data/description-consents_data.csv", CONSENT_COLUMNS, found)


def has_sorted(session: Session, participant: Participant) -> bool:
    """Whether a participant has a sitting at a table that was not withdrawn."""
    found = (
        select(SittingAssessor.sitting_id)
        .join(Sitting, Sitting.id == SittingAssessor.sitting_id)
        .where(SittingAssessor.participant_id == participant.id, Sitting.state != "withdrawn")
    )
    return session.scalar(found.limit(1)) is not None


def withdrew(session: Session, study_id: int) -> set[int]:
    """Ids of participants with a withdrawn sitting at a table."""
    found = select(SittingAssessor.participant_id).join(Sitting)
    return set(
        session.scalars(found.where(Sitting.study_id == study_id, Sitting.state == "withdrawn"))
    )


def is_simulated(study: Study, sitting: Sitting) -> bool:
    """Whether a sitting is simulated."""
    return study.simulated or any(person.simulated for person in sitting.assessors)


def groupings(session: Session, study: Study, sitting: Sitting) -> Iterator[tuple[Cell, ...]]:
    """The tidy rows of one sitting, in the order of the card numbers."""
    groups = {
        group.id: group
        for group in session.scalars(select(Group).where(Group.sitting_id == sitting.id))
    }
    where = fold(_rows(session, sitting))
    stimuli = session.execute(
        select(Stimulus.id, Stimulus.name)
        .where(Stimulus.set_id == sitting.set_id)
        .order_by(Stimulus.card)
    )
    set_name = session.get_one(StimulusSet, sitting.set_id).name
    simulated, imported = is_simulated(study, sitting), sitting.imported_from is not None
    for stimulus_id, name in stimuli:
        if stimulus_id in where:
            group = groups[where[stimulus_id]]
            yield (
                sitting.assessor,
                name,
                group.number,
                set_name,
                sitting.code,
                group.name,
                group.note,
                imported,
                simulated,
            )


def _write_sitting(
    session: Session, study: Study, sitting: Sitting, tables: Tables, conductors: Pseudonyms
) -> int:
    tidy = list(groupings(session, study, sitting))
    events = session.scalars(
        select(Event.id).where(Event.sitting_id == sitting.id).order_by(Event.id)
    ).all()
    name = f"session-{sitting.code}_{TASK}"
    if tidy:
        tables.write(f"data/{name}", GROUPING_COLUMNS, tidy)
    if events:
        rows = _scans(session, study, sitting, events, conductors)
        tables.write(f"data/raw/{name}", SCAN_COLUMNS, rows)
    return len(tidy)


def _sitting_row(study: Study, sitting: Sitting, placed: int, excluded: bool) -> tuple[Cell, ...]:
    return (
        sitting.code,
        sitting.set.name,
        sitting.assessor,
        len(sitting.assessors),
        deck_letter(sitting.deck_number) if sitting.deck_number else "",
        sitting.state,
        sitting.first_entry.code if sitting.first_entry else "",
        sitting.imported_from is not None,
        sitting.limit_minutes,
        sitting.started_at,
        sitting.finished_at,
        placed,
        sitting.missing_reason,
        sitting.retest_of.code if sitting.retest_of else "",
        sitting.day.isoformat() if sitting.day else "",
        sitting.place_in_order,
        excluded,
        is_simulated(study, sitting),
    )


def _rows(session: Session, sitting: Sitting) -> list[Row]:
    found = session.execute(
        select(Scan.event_id, Scan.stimulus_id, Scan.group_id)
        .join(Event, Scan.event_id == Event.id)
        .where(Event.sitting_id == sitting.id)
        .order_by(Scan.id)
    )
    return [Row(*row) for row in found]


def _scans(
    session: Session,
    study: Study,
    sitting: Sitting,
    events: Sequence[int],
    conductors: Pseudonyms,
) -> Iterator[tuple[Cell, ...]]:
    """Every event in order, with a row for each moved card; events without cards have one row."""
    event_number = {event: number for number, event in enumerate(events, start=1)}
    photo_ids = session.scalars(
        select(Photo.id).where(Photo.sitting_id == sitting.id).order_by(Photo.id)
    )
    photo_number = {photo: number for number, photo in enumerate(photo_ids, start=1)}
    simulated = is_simulated(study, sitting)
    for row_id, row in enumerate(_recorded(session, sitting), start=1):
        yield (
            row_id,
            sitting.code,
            event_number[row.id],
            row.kind,
            row.at,
            conductors.of(row.researcher_id),
            row.name,
            row.card,
            row.number,
            row.how,
            row.margin,
            photo_number.get(row.photo_id or 0),
            json.dumps(row.corners) if row.corners else None,
            row.reason,
            event_number.get(row.undoes_id or 0),
            simulated,
        )


def _recorded(session: Session, sitting: Sitting) -> Result[Any]:
    """The events with their moved cards, never all in memory at once: a table may have 10,000."""
    of_event = Event.id, Event.kind, Event.at, Event.researcher_id, Event.reason, Event.undoes_id
    of_card = Stimulus.name, Stimulus.card, Group.number
    of_scan = Scan.how, Scan.margin, Scan.photo_id, Scan.corners
    return session.execute(
        select(*of_event, *of_card, *of_scan)
        .select_from(Event)
        .outerjoin(Scan, Scan.event_id == Event.id)
        .outerjoin(Stimulus, Stimulus.id == Scan.stimulus_id)
        .outerjoin(Group, Group.id == Scan.group_id)
        .where(Event.sitting_id == sitting.id)
        .order_by(Event.id, Scan.id)
        .execution_options(yield_per=ROWS_AT_ONCE)
    )
