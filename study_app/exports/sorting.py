"""What was sorted on tables: sittings, groupings, and every recorded row as it came."""

import json

from sqlalchemy import select

from printables.cards.codes import deck_letter
from study_app.models import (
    Act,
    Group,
    Photo,
    Scan,
    Sitting,
    SittingAssessor,
    Stimulus,
    StimulusSet,
)
from study_app.sittings.recording.table_state import Row, fold

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
    "simulated",
)
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


def write(session, study, tables):
    """Write the sittings, and a tidy and a raw table of each."""
    sittings = session.scalars(
        select(Sitting).where(Sitting.study_id == study.id).order_by(Sitting.number)
    ).all()
    if not sittings:
        return
    conductors = _Pseudonyms()
    rows = []
    for sitting in sittings:
        placed = _write_sitting(session, study, sitting, tables, conductors)
        rows.append(_sitting_row(study, sitting, placed))
    tables.write("data/description-sittings_data.csv", SITTING_COLUMNS, rows)


def has_sorted(session, participant):
    """Whether a participant has a sitting at a table."""
    found = select(SittingAssessor).where(SittingAssessor.participant_id == participant.id)
    return session.scalar(found.limit(1)) is not None


def is_simulated(study, sitting):
    """Whether a program sorted."""
    return study.simulated or any(person.simulated for person in sitting.assessors)


def groupings(session, study, sitting):
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
    set_name = session.get(StimulusSet, sitting.set_id).name
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


class _Pseudonyms:
    """Conductors as C1, C2, … in the order of their first act."""

    def __init__(self):
        self._known = {}

    def of(self, researcher_id):
        if researcher_id is None:
            return ""
        return self._known.setdefault(researcher_id, f"C{len(self._known) + 1}")


def _write_sitting(session, study, sitting, tables, conductors):
    tidy = list(groupings(session, study, sitting))
    acts = session.scalars(select(Act).where(Act.sitting_id == sitting.id).order_by(Act.id)).all()
    name = f"session-{sitting.code}_{TASK}"
    if tidy:
        tables.write(f"data/{name}", GROUPING_COLUMNS, tidy)
    if acts:
        rows = _scans(session, study, sitting, acts, conductors)
        tables.write(f"data/raw/{name}", SCAN_COLUMNS, rows)
    return len(tidy)


def _sitting_row(study, sitting, placed):
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
        is_simulated(study, sitting),
    )


def _rows(session, sitting):
    found = session.execute(
        select(Scan.act_id, Scan.stimulus_id, Scan.group_id)
        .join(Act, Scan.act_id == Act.id)
        .where(Act.sitting_id == sitting.id)
        .order_by(Scan.id)
    )
    return [Row(*row) for row in found]


def _scans(session, study, sitting, acts, conductors):
    """Every act in order, with a row for each card that it moved; one without cards has one row."""
    act_number = {act.id: number for number, act in enumerate(acts, start=1)}
    photo_ids = session.scalars(
        select(Photo.id).where(Photo.sitting_id == sitting.id).order_by(Photo.id)
    )
    photo_number = {photo: number for number, photo in enumerate(photo_ids, start=1)}
    by_act = _by_act(session, sitting)
    simulated, row_id = is_simulated(study, sitting), 0
    for act in acts:
        about = (act_number[act.id], act.kind, act.at, conductors.of(act.researcher_id))
        for scan in by_act.get(act.id, [None]):
            row_id += 1
            yield (
                row_id,
                sitting.code,
                *about,
                *_scan_cells(scan, photo_number),
                act.reason,
                act_number.get(act.undoes_id),
                simulated,
            )


def _by_act(session, sitting):
    found = session.execute(
        select(Scan, Stimulus.name, Stimulus.card, Group.number)
        .join(Act, Scan.act_id == Act.id)
        .join(Stimulus, Stimulus.id == Scan.stimulus_id)
        .outerjoin(Group, Group.id == Scan.group_id)
        .where(Act.sitting_id == sitting.id)
        .order_by(Scan.id)
    )
    by_act = {}
    for scan, *about in found:
        by_act.setdefault(scan.act_id, []).append((scan, *about))
    return by_act


def _scan_cells(found, photo_number):
    if found is None:
        return (None,) * 7
    scan, name, card, group = found
    corners = json.dumps(scan.corners) if scan.corners else None
    return (name, card, group, scan.how, scan.margin, photo_number.get(scan.photo_id), corners)
