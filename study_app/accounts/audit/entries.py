"""Entries of the audit list: collected during a transaction, and read for pages and exports."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from study_app.accounts.audit.wording import Change, changes_of
from study_app.core.text.languages import rtranslatable
from study_app.models import AuditEntry, Researcher

# Not exported, so that the same study gives the same export.
ABOUT_COPIES = (rtranslatable("downloaded"), rtranslatable("exported"))
# Further words of entries, as pages show them.
WORDS = (
    rtranslatable("changed"),
    rtranslatable("deleted"),
    rtranslatable("file"),
    rtranslatable("participant"),
    rtranslatable("server"),
    rtranslatable("terminal"),
    rtranslatable("visitor"),
)

# Python has no times of the days before or after in some zones.
FIRST_DAY, LAST_DAY = date(2, 1, 1), date(9998, 12, 31)


@dataclass(frozen=True)
class Entry:
    """An entry before it is written; the attributes are columns of `AuditEntry`."""

    study_id: int | None
    action: str
    subject: str
    name: str
    changes: dict[str, Any]


@dataclass(frozen=True)
class Line:
    """One line of the page: an entry and its author."""

    entry: AuditEntry
    who: str

    @property
    def changes(self) -> list[Change]:
        """The changes in the words of the pages."""
        return changes_of(self.entry.subject, self.entry.changes)


@dataclass(frozen=True)
class Filter:
    """A filter of the list.

    Attributes
    ----------
    researcher_id : int or None
    subject : str
        Empty for all kinds.
    first, last : datetime.date or None
        Days, both included.
    zone : datetime.tzinfo
        Where these days begin and end.
    """

    researcher_id: int | None = None
    subject: str = ""
    first: date | None = field(default=None)
    last: date | None = None
    zone: tzinfo = UTC


def merged(gathered: Sequence[tuple[Entry, bool]]) -> list[Entry]:
    """Merge the counted entries of each kind into one.

    Examples
    --------
    >>> three = [(Entry(1, "created", "sketch", name, {}), True) for name in ("a", "b", "c")]
    >>> [(entry.name, entry.changes) for entry in merged(three)]
    [('3: a … c', {'count': [None, 3]})]
    """
    entries: list[Entry] = []
    counts: dict[tuple[Any, ...], list[Entry]] = {}
    for entry, counted in gathered:
        key = (entry.study_id, entry.action, entry.subject)
        if counted and key in counts:
            counts[key].append(entry)
            continue
        if counted:
            counts[key] = [entry]
        entries.append(entry)
    return [_of_many(counts.get((e.study_id, e.action, e.subject), [e])) for e in entries]


def _of_many(entries: Sequence[Entry]) -> Entry:
    first, last, count = entries[0], entries[-1], len(entries)
    if count == 1:
        return first
    many = f"{count}: {first.name[:90]} … {last.name[:90]}"
    name = first.name if first.name == last.name else many
    return replace(first, name=name, changes={"count": [None, count]})


def count(session: Session, study_id: int, wanted: Filter) -> int:
    """The number of lines of a study that match a filter."""
    query = _filtered(select(func.count(AuditEntry.id)), study_id, wanted)
    return session.scalar(query) or 0


def lines(
    session: Session, study_id: int, wanted: Filter, offset: int = 0, limit: int | None = None
) -> list[Line]:
    """The lines of a study that match a filter, newest first."""
    query = _filtered(_lines(), study_id, wanted).order_by(AuditEntry.id.desc())
    return _read(session, query.offset(offset).limit(limit))


def own_lines(session: Session, researcher_id: int, limit: int) -> list[Line]:
    """The latest entries about an account: sign-ins, passwords, passkeys."""
    own = AuditEntry.study_id.is_(None), AuditEntry.researcher_id == researcher_id
    return _read(session, _lines().where(*own).order_by(AuditEntry.id.desc()).limit(limit))


def exported_lines(session: Session, study_id: int) -> list[Line]:
    """Every line about the study itself, oldest first."""
    query = _filtered(_lines(), study_id, Filter()).where(AuditEntry.action.not_in(ABOUT_COPIES))
    query = query.where((AuditEntry.subject != "work") | (AuditEntry.name != "export"))
    return _read(session, query.order_by(AuditEntry.id))


def subjects_of(session: Session, study_id: int) -> Sequence[str]:
    """The kinds of objects in the list of a study."""
    query = select(AuditEntry.subject).where(AuditEntry.study_id == study_id).distinct()
    return session.scalars(query.order_by(AuditEntry.subject)).all()


def people_of(session: Session, study_id: int) -> list[tuple[int, str]]:
    """The researchers in the list of a study, including former members."""
    named = select(AuditEntry.researcher_id).where(AuditEntry.study_id == study_id).distinct()
    query = select(Researcher.id, Researcher.name).where(Researcher.id.in_(named))
    return [(number, name) for number, name in session.execute(query.order_by(Researcher.name))]


def _lines() -> Select[*tuple[Any, ...]]:
    return select(AuditEntry, Researcher.name).outerjoin(
        Researcher, Researcher.id == AuditEntry.researcher_id
    )


def _read(session: Session, query: Select[*tuple[Any, ...]]) -> list[Line]:
    return [Line(entry, name or f"({entry.actor})") for entry, name in session.execute(query)]


def _filtered(
    query: Select[*tuple[Any, ...]], study_id: int, wanted: Filter
) -> Select[*tuple[Any, ...]]:
    query = query.where(AuditEntry.study_id == study_id)
    if wanted.researcher_id is not None:
        query = query.where(AuditEntry.researcher_id == wanted.researcher_id)
    if wanted.subject:
        query = query.where(AuditEntry.subject == wanted.subject)
    if wanted.first:
        query = query.where(AuditEntry.at >= _start(wanted.first, wanted.zone))
    if wanted.last:
        day_after = min(wanted.last, LAST_DAY) + timedelta(days=1)
        query = query.where(AuditEntry.at < _start(day_after, wanted.zone))
    return query


def _start(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(max(day, FIRST_DAY), time(), zone)
