"""Scheduled backups: when they are due, and when old ones are deleted."""

import os
import subprocess
import threading
import zipfile
from datetime import UTC, datetime, timedelta

import pytest

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import db, opened
from study_app.operations import (
    backup,
    backup_check,
    backup_folder,
    backup_report,
    restore,
    scheduled_backups,
)
from study_app.operations.backup_folder import NotDeleted, OtherInstallation
from study_app.operations.scheduled_backups import Schedule, backups_of, is_due, make
from tests.waiting import until

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_a_backup_is_due_after_the_chosen_hours(tmp_path):
    schedule = Schedule(tmp_path, hours=6)
    assert is_due(schedule, NOON)
    path = tmp_path / "sketch-study-20260301T120000Z.zip"
    path.write_bytes(b"")
    os.utime(path, (NOON.timestamp(),) * 2)
    for hours, due in ((0, False), (5.9, False), (6, True), (100, True)):
        assert is_due(schedule, NOON + timedelta(hours=hours)) == due
    # A clock that was set back does not stop the backups.
    assert is_due(schedule, NOON - timedelta(hours=1))


@pytest.mark.slow
def test_the_oldest_backups_are_deleted_and_other_files_stay(app, study_id, tmp_path):
    folder = tmp_path / "backups"
    schedule = Schedule(folder, keep=2)
    folder.mkdir()
    (folder / "notes.zip").write_bytes(b"mine")
    made = [make(app, schedule, NOON + timedelta(days=day)) for day in range(4)]
    assert backups_of(schedule) == made[2:]
    assert (folder / "notes.zip").exists()
    with zipfile.ZipFile(made[-1]) as archive:
        assert "tables/study.jsonl" in archive.namelist()
        assert "checksums.json" in archive.namelist()


@pytest.mark.slow
def test_files_that_no_server_made_are_not_deleted(app, study_id, tmp_path):
    schedule = Schedule(tmp_path, keep=1)
    names = ("sketch-study-before-the-move.zip", "sketch-study-20260301-by-hand.zip")
    names += ("sketch-study-20269999T120000Z.zip",)
    own = [tmp_path / name for name in names]
    for path in own:
        path.write_bytes(b"mine")
    made = [make(app, schedule, NOON + timedelta(days=day)) for day in range(2)]
    assert backups_of(schedule) == made[1:]
    assert all(path.exists() for path in own)


@pytest.mark.slow
def test_two_installations_do_not_share_a_folder(app, study_id, tmp_path):
    """The second was never backed up, since the first one's backup was recent."""
    schedule, copied = Schedule(tmp_path / "backups", keep=1), tmp_path / "all.zip"
    made = make(app, schedule, NOON)
    other = create_app(Settings.of(tmp_path / "other", f"sqlite:///{tmp_path / 'other.sqlite3'}"))
    with opened(other), pytest.raises(OtherInstallation, match="has backups of another"):
        make(other, schedule, NOON + timedelta(days=1))
    assert backups_of(schedule) == [made]
    copied.write_bytes(made.read_bytes())
    restored = Settings.of(tmp_path / "restored", f"sqlite:///{tmp_path / 'restored.sqlite3'}")
    new = create_app(restored)
    with opened(new):
        restore.restore(db.engine, restored, copied)
        # It replaces the first one, and goes on with its backups.
        newest = make(new, schedule, NOON + timedelta(days=2))
    assert backups_of(schedule) == [newest]


@pytest.mark.slow
def test_a_backup_that_cannot_be_deleted_is_named_and_others_are_deleted(app, study_id, tmp_path):
    schedule = Schedule(tmp_path / "backups", keep=1)
    stuck = schedule.folder / "sketch-study-20260228T120000Z.zip"
    stuck.mkdir(parents=True)
    for day in range(2):
        with pytest.raises(NotDeleted, match=r"20260228T120000Z\.zip: is too old but cannot"):
            make(app, schedule, NOON + timedelta(days=day))
    assert [path.name for path in backups_of(schedule)] == [
        stuck.name,
        "sketch-study-20260302T120000Z.zip",
    ]


def test_a_backup_that_is_being_made_is_said_to_contain_what_is_withdrawn(
    app, client, study_id, tmp_path, monkeypatch
):
    schedule, seen = Schedule(tmp_path / "backups"), []
    write = backup.write_sealed

    def look(*about):
        seen.append(client.get(f"/studies/{study_id}/people/retention").text)
        return write(*about)

    monkeypatch.setattr(backup, "write_sealed", look)
    make(app, schedule, NOON)
    assert "There are scheduled backups of all studies" in seen[0]


@pytest.mark.slow
def test_a_folder_that_cannot_be_made_is_logged_in_one_line(app, study_id, tmp_path, caplog):
    (tmp_path / "file").write_bytes(b"")
    schedule = Schedule(tmp_path / "file" / "backups")
    scheduled_backups._make_if_due(app, schedule, NOON)
    record = next(one for one in caplog.records if one.message.startswith("backup: "))
    assert str(schedule.folder) in record.message and not record.exc_info


def test_a_clock_that_was_wrong_costs_no_backup(app, study_id, tmp_path):
    schedule = Schedule(tmp_path / "backups", hours=6, keep=2)
    wrong = [make(app, schedule, NOON + timedelta(days=365 * 70 + day)) for day in range(2)]
    for path, day in zip(wrong, range(2), strict=True):
        os.utime(path, ((NOON + timedelta(days=365 * 70 + day)).timestamp(),) * 2)
    for day in range(1, 4):
        now = NOON + timedelta(days=day)
        assert is_due(schedule, now)
        made = make(app, schedule, now)
        os.utime(made, (now.timestamp(),) * 2)
        assert made.exists() and len(backups_of(schedule)) == 2
        # Not once a minute, because of the backup that is dated in the future.
        assert not is_due(schedule, now + timedelta(minutes=1))
    assert not any(path.exists() for path in wrong)


def test_a_server_makes_backups_until_it_stops(app, study_id, tmp_path):
    schedule = Schedule(tmp_path / "backups")
    stopped = scheduled_backups.start(app, schedule)
    until(lambda: backups_of(schedule))
    stopped.set()
    assert len(backups_of(schedule)) == 1


@pytest.fixture(params=["the disk is full", "the file is too large for this disk"])
def small_disk(request, tmp_path):
    """A folder on a disk with 2 MB, and the reason why a larger file fails; or a limit of files."""
    folder = tmp_path / "small"
    folder.mkdir()
    if "too large" in request.param:
        resource = pytest.importorskip("resource")
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, hard[1]))
        yield folder, request.param
        resource.setrlimit(resource.RLIMIT_FSIZE, hard)
        return
    mounted = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    if subprocess.run(mounted, capture_output=True).returncode:
        pytest.skip("only root may mount a small disk")
    yield folder, request.param
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_full_disk_costs_no_earlier_backup_and_is_reported(
    app, client, study_id, small_disk, tmp_path, monkeypatch
):
    """The server goes on, the pages say why, and the next backup succeeds."""
    monkeypatch.setattr(scheduled_backups, "POLL_SECONDS", 0.05)
    folder, reason = small_disk
    schedule = Schedule(folder, keep=2)
    earlier = [make(app, schedule, NOON + timedelta(days=day)) for day in range(2)]
    for path in earlier:
        os.utime(path, (NOON.timestamp(),) * 2)
    large = app.config["SETTINGS"].instance / "originals" / "ab" / "abcdef"
    large.parent.mkdir(parents=True)
    content = os.urandom(1_000_000)
    with large.open("wb") as file:
        os.truncate(file.fileno(), 2_999_000)
    stopped = scheduled_backups.start(app, schedule)
    try:
        until(lambda: reason in client.get("/").get_data(as_text=True))
        assert str(folder) in client.get(f"/studies/{study_id}/people/retention").text
        assert backups_of(schedule) == earlier
        for path in earlier:
            with backup_check.checked(path):
                pass
        large.write_bytes(content)
        until(lambda: "backup failed" not in client.get("/").get_data(as_text=True))
    finally:
        stopped.set()
    owner = folder / backup_folder.OWNER
    assert sorted(folder.iterdir()) == sorted([*backups_of(schedule), owner])
    newest = backups_of(schedule)[-1]
    assert newest not in earlier and len(backups_of(schedule)) == 2
    with backup_check.checked(newest) as backup:
        assert "files/originals/ab/abcdef" in backup.archive.namelist()
    page = client.get(f"/studies/{study_id}/people/retention").text
    assert "There are scheduled backups of all studies" in page


@pytest.mark.postgres
def test_two_servers_note_their_backups_at_once(upgraded_url, tmp_path):
    app = create_app(Settings.of(tmp_path / "instance", upgraded_url))
    faults = []

    def note(number):
        try:
            with app.app_context():
                for minute in range(20):
                    at = NOON + timedelta(minutes=minute, seconds=number)
                    backup_report.note(tmp_path, None, at, f"reason {number}")
        except Exception as fault:
            faults.append(fault)

    with opened(app):
        servers = [threading.Thread(target=note, args=(number,)) for number in range(4)]
        for one in servers:
            one.start()
        for one in servers:
            one.join()
    assert not faults
