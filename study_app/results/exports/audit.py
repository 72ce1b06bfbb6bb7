"""The audit list as a table, with names or pseudonyms of researchers."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from study_app.accounts.audit import entries
from study_app.accounts.audit.entries import Line
from study_app.core.text.spreadsheets import Cell, write_plain
from study_app.models import Sitting
from study_app.results.exports.names import Pseudonyms

COLUMNS = ("at", "who", "action", "subject", "name", "changes")
# Subjects whose lines name a participant.
ABOUT_PEOPLE = ("person", "web sitting", "platform ID", "consent")


def write(
    session: Session,
    study_id: int,
    path: Path,
    people: Collection[str],
    researchers: Pseudonyms | None,
) -> None:
    """Write the list of a study, without downloads, so that it is reproducible.

    Parameters
    ----------
    session : database session
    study_id : int
    path : Path
    people : collection of str
        Codes of participants; lines about others, and about withdrawn sittings at tables, are
        left out.
    researchers : Pseudonyms or None
        None to write their names.
    """
    chosen = select(Sitting).where(Sitting.study_id == study_id, Sitting.state == "withdrawn")
    withdrawn = {sitting.code for sitting in session.scalars(chosen)}
    lines = [
        line
        for line in entries.exported_lines(session, study_id)
        if (line.entry.subject not in ABOUT_PEOPLE or line.entry.name in people)
        and withdrawn.isdisjoint(re.findall(r"\w+", line.entry.name))
    ]
    if lines:
        write_plain(path, COLUMNS, rows(lines, researchers))


def rows(lines: Iterable[Line], researchers: Pseudonyms | None) -> Iterator[Sequence[Cell]]:
    """One row per line; without names, lines about members have no name either."""
    for line in lines:
        entry = line.entry
        who, name = line.who, entry.name
        if researchers is not None:
            who = researchers.of(entry.researcher_id) or entry.actor
            name = "" if entry.subject == "member" else name
        changes = json.dumps(entry.changes, sort_keys=True, ensure_ascii=False)
        yield entry.at, who, entry.action, entry.subject, name, changes
