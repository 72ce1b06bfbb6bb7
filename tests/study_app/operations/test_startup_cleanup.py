"""Unfinished files of a killed server are deleted; complete ones are never touched."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

from study_app.core.background import jobs
from study_app.core.database import writing
from study_app.core.storage import pictures
from study_app.core.storage.work_folder import work_folder
from study_app.models import Job
from study_app.operations import startup_cleanup
from study_app.stimuli.importing import unfinished, uploads
from tests.forked import run_forked

SHA256 = "ab" * 32


@pytest.fixture
def settings(session, app):
    """Of an installation that is served no more."""
    return app.config["SETTINGS"]


def put(path, age_seconds=0):
    """A file of some age."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"something")
    made = time.time() - age_seconds
    os.utime(path, (made, made))
    return path


def test_unfinished_files_are_deleted(settings, study_id):
    here = settings.instance
    with writing() as session:
        session.add(Job(study_id=study_id, kind="print"))
    half = [
        put(here / "work" / "tmpx" / "made" / "cards.pdf"),
        put(here / "photos" / "ab" / ".part-z", age_seconds=7200),
        put(here / "originals" / "ab" / ".part-z", age_seconds=7200),
        put(here / "secret_key-q", age_seconds=7200),
    ]
    startup_cleanup.clear(settings, alone=True)
    assert [path for path in half if path.exists()] == []


def test_unfinished_files_of_running_processes_stay(settings):
    with work_folder(settings) as folder:
        startup_cleanup.clear(settings, alone=True)
        put(folder / "cards.pdf")
    assert list(settings.instance.glob("work/*")) == []


def test_finished_files_stay_with_or_without_rows(settings):
    here = settings.instance
    whole = [
        put(here / "exports" / "study-1.zip", age_seconds=10**7),
        put(here / "prints" / "8" / "cards.pdf", age_seconds=10**7),
        put(here / "photos" / "ab" / SHA256, age_seconds=10**7),
        put(settings.instance / pictures.original_name(SHA256), age_seconds=10**7),
        put(here / "originals" / "ab" / ".part-of-another-process"),
        put(here / "notes-of-the-lab.txt", age_seconds=10**7),
    ]
    startup_cleanup.clear(settings, alone=True)
    assert [path for path in whole if not path.exists()] == []


def _import(room, study_id):
    with writing() as session:
        uploads.refuse_begun(session, study_id, room)
        jobs.add(session, study_id, "import", {"token": room.token})


def test_current_uploads_stay_and_those_of_ended_imports_are_deleted(settings, study_id):
    begun = [uploads.begin(settings, study_id) for _ in range(2)]
    sending, imported = (uploads.find(settings, study_id, token) for token in begun)
    _import(imported, study_id)
    startup_cleanup.clear(settings, alone=True)
    held = {path.name for path in settings.instance.glob("uploads/*")}
    assert held == {sending.token}


def test_an_upload_can_be_imported_once(settings, study_id):
    room = uploads.find(settings, study_id, uploads.begin(settings, study_id))
    _import(room, study_id)
    with pytest.raises(uploads.ImportBegun):
        _import(room, study_id)


def test_pictures_of_an_import_at_a_terminal_stay(settings):
    original = settings.instance / pictures.original_name(SHA256)
    with unfinished.noted(settings) as note:
        note(SHA256)
        put(original)
        startup_cleanup.clear(settings, alone=True)
        assert original.exists()
    assert original.exists() and list(settings.instance.glob("unfinished/*")) == []


def test_pictures_that_another_hosts_job_may_store_stay(settings, study_id):
    original = put(settings.instance / pictures.original_name(SHA256))
    put(settings.instance / "unfinished" / "note").write_text(f"{SHA256}\n")
    with writing() as session:
        session.add(Job(study_id=study_id, kind="import"))
    startup_cleanup.clear(settings, alone=False)
    assert original.exists()
    with writing() as session:
        session.get(Job, 1).state = "done"
    startup_cleanup.clear(settings, alone=False)
    assert not original.exists() and list(settings.instance.glob("unfinished/*")) == []


def test_a_failed_import_deletes_its_files(settings):
    original = settings.instance / pictures.original_name(SHA256)
    with pytest.raises(KeyError), unfinished.noted(settings) as note:
        note(SHA256)
        put(original)
        raise KeyError
    assert not original.exists()


def test_a_truncated_note_of_pictures_is_read_as_far_as_possible(settings):
    original = put(settings.instance / pictures.original_name(SHA256))
    put(settings.instance / "unfinished" / "note").write_text(f"{SHA256}\n{SHA256[:20]}")
    startup_cleanup.clear(settings, alone=True)
    assert not original.exists() and list(settings.instance.glob("unfinished/*")) == []


def test_jobs_and_uploads_of_other_servers_stay(settings, study_id):
    with writing() as session:
        session.add(Job(study_id=study_id, kind="print"))
    room = uploads.find(settings, study_id, uploads.begin(settings, study_id))
    _import(room, study_id)
    startup_cleanup.clear(settings, alone=False)
    assert jobs.newest(study_id, "print").state == "running"
    assert uploads.find(settings, 1, room.token) == room


@pytest.mark.slow
def test_concurrent_commands_on_a_new_installation_succeed(tmp_path):
    command = ["import", "--instance", str(tmp_path / "instance"), "--study", "Met"]
    for number in range(3):
        Image.new("RGB", (20, 20), (number, 0, 0)).save(tmp_path / f"{number}.png")
    commands = [[*command, f"set{n}", str(tmp_path / f"{n}.png")] for n in range(3)]
    with ThreadPoolExecutor(3) as pool:
        ended = list(pool.map(run_forked, commands))
    assert [status for _, status in ended] == [0, 0, 0], ended
