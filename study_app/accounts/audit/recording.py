"""Recording of every change in a transaction, by any route, job or command.

Changes are found through events of the database session, so no caller has to record them. Actions
without a changed row, such as a download, are recorded with `note`. Entries are written in the
transaction of the changes.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import ColumnElement, event, insert, inspect, select
from sqlalchemy.orm import ORMExecuteState, Session, UOWTransaction

from study_app.accounts.audit.entries import Entry, merged
from study_app.accounts.audit.subjects import SUBJECTS, Subject
from study_app.accounts.audit.wording import readable
from study_app.core import acting
from study_app.core.database.orm_session import CarefulSession
from study_app.core.database.prepared import Prepared
from study_app.models import AuditEntry, Base, StudyMember, now

ENTRIES, NEW, SILENT = "audit_entries", "audit_new", "audit_silent"
_COLUMNS = ("at", "actor", "researcher_id", "study_id", "action", "subject", "name", "changes")
_ADD = Prepared(insert(AuditEntry), _COLUMNS)
_CLASSES: dict[Any, type[Base]] = {inspect(one).local_table: one for one in SUBJECTS}


def note(
    session: Session,
    action: str,
    subject: str,
    name: str,
    study_id: int | None = None,
    changes: dict[str, Any] | None = None,
) -> None:
    """Add an entry for an action without a changed row; call inside `writing`."""
    _add(session, Entry(study_id, action, subject, name, changes or {}))


def note_copy(
    session: Session, action: str, subject: str, name: str, study_id: int, named: bool | None
) -> None:
    """Add an entry for an export or a download.

    Parameters
    ----------
    session : database session
    action, subject, name : str
    study_id : int
    named : bool or None
        Whether it names researchers; None if that cannot be chosen.
    """
    changes = {} if named is None else {"researchers_named": [None, named]}
    note(session, action, subject, name, study_id, changes)


def note_stored(
    session: Session, table: type[Base], name: str, study_id: int, **shown: str | int
) -> None:
    """Add an entry about a new row that a connection stored, not the session."""
    subject = SUBJECTS[table]
    changes = {column: [None, value] for column, value in shown.items()}
    _add(session, Entry(study_id, subject.created, subject.kind, name, changes))


@contextmanager
def silent(session: Session) -> Iterator[None]:
    """Record nothing in a block, which is summed up in one entry with `note`."""
    session.info[SILENT] = True
    try:
        yield
    finally:
        session.info.pop(SILENT)


@event.listens_for(CarefulSession, "before_flush")
def _note_changes(session: Session, _context: UOWTransaction, _instances: Any) -> None:
    if SILENT in session.info:
        return
    with session.no_autoflush:
        for row in session.dirty:
            if type(row) in SUBJECTS and (changes := _changes(row)):
                _note_row(session, "changed", row, changes)
        for row in session.deleted:
            # Values of other rows may be data of a person who withdraws.
            was = {"role": [row.role, None]} if isinstance(row, StudyMember) else {}
            _note_row(session, "deleted", row, was)
    new = [row for row in session.new if type(row) in SUBJECTS]
    session.info.setdefault(NEW, []).extend(new)


@event.listens_for(CarefulSession, "after_flush_postexec")
def _note_new(session: Session, _context: UOWTransaction) -> None:
    """Record new rows after the flush, when they have ids and their related rows can be loaded."""
    with session.no_autoflush:
        for row in session.info.pop(NEW, ()):
            subject = SUBJECTS[type(row)]
            values = {name: _plain(getattr(row, name)) for name in subject.shown}
            changes = {name: [None, value] for name, value in values.items() if value is not None}
            _note_row(session, subject.created, row, changes)


@event.listens_for(CarefulSession, "do_orm_execute")
def _note_statement(state: ORMExecuteState) -> Any:
    """Record bulk statements, which change rows without loading them."""
    if state.is_select or SILENT in state.session.info:
        return None
    statement: Any = state.statement
    changed = _CLASSES.get(getattr(statement, "table", None))
    if changed is None:
        return None
    if state.is_insert:
        rows = state.parameters
        for values in rows if isinstance(rows, Sequence) else [rows] if rows else []:
            _note_row(state.session, SUBJECTS[changed].created, changed(**values), {})
        return None
    if state.is_delete:
        for row in _rows(state.session, changed, statement.whereclause):
            _note_row(state.session, "deleted", row, {}, counted=True)
        return None
    return _note_update(state, changed)


@event.listens_for(CarefulSession, "before_commit")
def _write(session: Session) -> None:
    if not (session.info.get(ENTRIES) or session.new or session.dirty or session.deleted):
        return
    session.flush()
    entries = session.info.pop(ENTRIES, None)
    if entries:
        actor, at = acting.current(), now()
        who = {"at": at, "actor": actor.kind, "researcher_id": actor.researcher_id}
        rows = [{**who, **vars(entry)} for entry in merged(entries)]
        _ADD.send_rows(session.connection(), rows)


@event.listens_for(CarefulSession, "after_soft_rollback")
def _forget(session: Session, _transaction: Any) -> None:
    session.info.pop(ENTRIES, None)
    session.info.pop(NEW, None)


def _note_update(state: ORMExecuteState, changed: type[Base]) -> Any:
    """Run an update, and compare its rows before and after."""
    statement: Any = state.statement
    subject, mapper = SUBJECTS[changed], inspect(changed)
    columns = {mapper.get_property_by_column(column).key for column in statement._values or ()}
    noted = columns - set(subject.quiet)
    if not noted:
        return None
    rows = _rows(state.session, changed, statement.whereclause)
    before = [{name: getattr(row, name) for name in noted} for row in rows]
    result = state.invoke_statement()
    for row, was in zip(rows, before, strict=True):
        state.session.refresh(row, noted)
        changes = {
            name: _pair(subject, name, was[name], getattr(row, name))
            for name in sorted(noted)
            if was[name] != getattr(row, name)
        }
        if changes:
            _note_row(state.session, "changed", row, changes)
    return result


def _rows(session: Session, changed: type[Base], where: ColumnElement[bool] | None) -> list[Any]:
    query = select(changed)
    return list(session.scalars(query if where is None else query.where(where)))


def _note_row(
    session: Session, action: str, row: Any, changes: dict[str, Any], counted: bool = False
) -> None:
    subject = SUBJECTS.get(type(row))
    if subject is None or not subject.recorded(row):
        return
    named, study = subject.name(session, row), subject.study(session, row)
    _add(
        session,
        Entry(study, action, subject.kind, named[:200], changes),
        counted or subject.counted,
    )


def _add(session: Session, entry: Entry, counted: bool = False) -> None:
    session.info.setdefault(ENTRIES, []).append((entry, counted))


def _changes(row: Any) -> dict[str, Any]:
    """The changed values of a row: before and after."""
    subject, state = SUBJECTS[type(row)], inspect(row)
    changes = {}
    for column in state.mapper.column_attrs:
        history = state.attrs[column.key].history
        if history.has_changes() and column.key not in subject.quiet:
            was = history.deleted[0] if history.deleted else None
            if was != history.added[0]:
                changes[column.key] = _pair(subject, column.key, was, history.added[0])
    return changes


def _pair(subject: Subject, name: str, was: Any, is_now: Any) -> list[Any] | None:
    return [_plain(was), _plain(is_now)] if name in subject.shown else None


def _plain(value: Any) -> Any:
    """A value for JSON, with long texts shortened."""
    if value is None or isinstance(value, bool | int | float):
        return value
    text = value.isoformat() if hasattr(value, "isoformat") else readable(value)
    return text if len(text) <= 200 else text[:199] + "…"
