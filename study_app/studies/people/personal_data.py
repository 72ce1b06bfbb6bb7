"""All data stored about one person: counted for a page, and as a ZIP for the person.

Derived from the references between tables, so that new tables are included automatically.
"""

import json
import zipfile
from contextlib import suppress
from datetime import date, datetime
from io import BytesIO
from typing import Any

from sqlalchemy import ColumnElement, FromClause, func, select
from sqlalchemy.orm import Session

from study_app.core.config import Settings
from study_app.core.database.references import with_references
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.stores import FileDamaged, FileMissing
from study_app.core.text.languages import in_number, rcounted
from study_app.models import Base, Participant, Photo, Sitting, SittingAssessor, Stimulus, Study
from study_app.models.participation import WebSitting
from study_app.sittings.photos import photo_files

# Words for the rows of a table; other tables are named by their names.
WORDS = {
    "sitting": rcounted("%(count)s sitting at a table", "%(count)s sittings at a table"),
    "assessor_consent": rcounted("%(count)s consent at a table", "%(count)s consents at a table"),
    "photo": rcounted("%(count)s photo of a table", "%(count)s photos of tables"),
    "act": rcounted(
        "%(count)s recorded event of the conductor", "%(count)s recorded events of the conductor"
    ),
    "scan": rcounted("%(count)s recorded card placement", "%(count)s recorded card placements"),
    "sitting_group": rcounted("%(count)s group of cards", "%(count)s groups of cards"),
    "group_description": rcounted(
        "%(count)s name or note of a group", "%(count)s names or notes of groups"
    ),
    "web_sitting": rcounted(
        "%(count)s sitting on the web with consent", "%(count)s sittings on the web with consent"
    ),
    "assigned_query": rcounted("%(count)s query shown", "%(count)s queries shown"),
    "score": rcounted("%(count)s score", "%(count)s scores"),
    "score_entry": rcounted("%(count)s entry with its times", "%(count)s entries with their times"),
    "platform_identity": rcounted("%(count)s platform ID", "%(count)s platform IDs"),
    "exclusion": rcounted(
        "%(count)s exclusion with its reason", "%(count)s exclusions with their reasons"
    ),
}
ANSWERS = rcounted(
    "%(count)s answer to a question, or comment", "%(count)s answers to questions, or comments"
)
# Secrets are left out; so are names of researchers, see `_disclosed`.
LEFT_OUT = ("token_hash", "phone_hash")
README = """\
Everything that the study {study!r} stores about {code}.

data.json  every row, by the name of its table; "stimuli" says which picture a stimulus_id is
photos/    photos of the tables that {code} sorted

Times are UTC. Names of researchers are left out.
"""


def rows_about(person: Participant) -> dict[FromClause, ColumnElement[bool]]:
    """The rows of each table about a person: they refer to the person, or to such a row."""
    sat = SittingAssessor.participant_id == person.id
    owned = {
        Participant.__table__: Participant.id == person.id,
        SittingAssessor.__table__: sat,
        Sitting.__table__: Sitting.id.in_(select(SittingAssessor.sitting_id).where(sat)),
    }
    return with_references(owned)


def counts_of(session: Session, person: Participant) -> list[str]:
    """The data stored about a person besides the code, in words: "2 photos of tables", …."""
    owned, counts = rows_about(person), []
    for table in Base.metadata.sorted_tables:
        if table not in owned or table.name in ("participant", "sitting_assessor"):
            continue
        count = session.scalar(select(func.count()).select_from(table).where(owned[table]))
        if count:
            plain = table.name.replace("_", " ")
            words = WORDS.get(table.name, (f"%(count)s {plain}", f"%(count)s {plain}s"))
            counts.append(in_number(words, count))
    given = session.scalars(select(WebSitting.answers).where(owned[WebSitting.__table__]))
    if answers := sum(map(len, given)):
        counts.append(in_number(ANSWERS, answers))
    return counts


def own_data(session: Session, settings: Settings, person: Participant) -> BytesIO:
    """All data stored about a person, as a ZIP."""
    study, owned = session.get_one(Study, person.study_id).name, rows_about(person)
    rows = {
        table.name: [
            {name: _plain(value) for name, value in row.items()}
            for row in session.execute(select(*_disclosed(table)).where(condition)).mappings()
        ]
        for table in Base.metadata.sorted_tables
        if (condition := owned.get(table)) is not None
    }
    seen = {row["stimulus_id"] for found in rows.values() for row in found if "stimulus_id" in row}
    names = select(Stimulus.id, Stimulus.name).where(Stimulus.id.in_(seen))
    stimuli = {str(number): name for number, name in session.execute(names)}
    content = {"study": study, "code": person.code, "stimuli": stimuli, **rows}
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        readme = README.format(study=study, code=person.code)
        archive.writestr("README.txt", readme)
        archive.writestr("data.json", json.dumps(content, indent=1, ensure_ascii=False))
        for photo in session.scalars(select(Photo).where(owned[Photo.__table__])):
            with suppress(FileMissing, FileDamaged):
                shown = store_of(settings).get(photo_files.shown_name(settings, photo))
                archive.writestr(f"photos/{photo.sitting.code}-{photo.id}.jpg", shown)
    packed.seek(0)
    return packed


def _disclosed(table: FromClause) -> list[ColumnElement[Any]]:
    """The columns of a table that are about the person."""
    return [
        column
        for column in table.columns
        if column.name not in LEFT_OUT
        and not any(key.column.table.name == "researcher" for key in column.foreign_keys)
    ]


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime | date) else value
