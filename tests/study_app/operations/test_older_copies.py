"""Copies of earlier states are found, marked and deleted, and nothing else is."""

from datetime import UTC, datetime

from sqlalchemy import select

from study_app.core.config import Settings
from study_app.core.database import db, writing
from study_app.models import AuditEntry
from study_app.operations import older_copies


def test_older_copies_are_listed(tmp_path):
    kept = ["study.sqlite3", "study.sqlite3-wal", "secret_key"]
    copies = ["replaced-2.zip", "replaced.zip", "study.before-0011.sqlite3"]
    for name in (*kept, *copies):
        (tmp_path / name).write_text("x", encoding="utf-8")
    # The file of the database may be elsewhere.
    database = tmp_path / "elsewhere" / "rows.sqlite3"
    database.parent.mkdir()
    for name in ("rows.sqlite3", "rows.before-0011.sqlite3", "other.before-0011.sqlite3"):
        database.with_name(name).write_text("x", encoding="utf-8")
    found = older_copies.older_copies(Settings(tmp_path, f"sqlite:///{database}"))
    assert sorted(copy.name for copy in found) == [
        *copies[:2],
        "rows.before-0011.sqlite3",
        copies[2],
    ]


def test_copies_are_outdated_by_the_next_withdrawal_only(app, study_id):
    settings = app.config["SETTINGS"]
    copy = settings.instance / "replaced.zip"
    with app.app_context():
        copy.write_bytes(b"not a zip")
        older_copies.delete_outdated(settings)
        assert copy.exists()
        marks = []
        for about in ("P01", "P02"):
            with writing() as session:
                older_copies.outdate(session, study_id, about)
            marks.append(older_copies.mark_of(db.session.connection()))
        assert marks[0].at < marks[1].at and marks[1][1:] == (study_id, "P02")
        older_copies.delete_outdated(settings)
        assert not copy.exists()


def test_a_clock_that_is_set_back_outdates_copies_too(app, study_id, monkeypatch):
    with app.app_context():
        with writing() as session:
            older_copies.outdate(session, study_id, "P01")
        before = older_copies.mark_of(db.session.connection())
        with monkeypatch.context() as back, writing() as session:
            back.setattr(older_copies, "now", lambda: datetime(2020, 1, 1, tzinfo=UTC))
            older_copies.outdate(session, study_id, "P02")
        assert older_copies.mark_of(db.session.connection()).at > before.at


def test_a_copy_that_cannot_be_deleted_is_not_recorded_as_deleted(app, study_id):
    settings = app.config["SETTINGS"]
    (settings.instance / "replaced.zip").mkdir()
    with app.app_context():
        with writing() as session:
            older_copies.outdate(session, study_id, "P01")
        older_copies.delete_outdated(settings)
        recorded = db.session.scalars(select(AuditEntry.subject)).all()
        assert older_copies.SUBJECT not in recorded
