"""Jobs of a server run in a process of their own: what they need or break is not the server's."""

import errno
import os
import queue
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from study_app.commands.processes import job_process
from study_app.core.background import jobs
from study_app.core.caching import cache
from study_app.core.database import db, instance_lock
from study_app.core.database.instance_lock import InstallationHeld, installation
from study_app.core.storage import work_folder
from study_app.core.storage.chosen_store import store_of
from study_app.stimuli.importing import uploads
from tests.forked import start_kinds
from tests.served import Researcher, Served
from tests.study_app.commands.processes.crashing_jobs import LARGE_BYTES
from tests.study_app.core.background.test_jobs import ended, works  # noqa: F401  # a fixture
from tests.study_app.operations.test_killed import drawings
from tests.waiting import until

DRAWINGS = 150
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def start_crashing():
    """A process of jobs that also knows those of `crashing_jobs`."""
    return start_kinds("tests.study_app.commands.processes.crashing_jobs")


@pytest.fixture
def process(app, session, works, monkeypatch):  # noqa: F811
    """A process for the jobs of the application."""
    kinds = ("large", "killed", "patient", "quick")
    for kind, repeatable in (*((kind, True) for kind in kinds), ("once", False)):
        jobs.kind(kind, repeatable=repeatable)(lambda progress: None)
    monkeypatch.setattr(job_process, "start_process", start_crashing)
    monkeypatch.setattr(job_process, "PAUSE_SECONDS", 0.05)
    process = job_process.JobProcess(app)
    process.begin()
    yield process
    process.stop()


def megabytes(pid, name):
    """A size of a process: VmRSS now, VmHWM at most so far."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"{name}:\s+(\d+) kB", status)[1]) / 1024


def test_the_process_of_jobs_knows_every_kind():
    # As the pages have registered them.
    import study_app.web.application  # noqa: F401

    own = (one.work.__module__ for one in jobs._kinds.values())
    assert {name for name in own if name.startswith("study_app.")} == set(job_process.KINDS)


@pytest.mark.slow
def test_the_process_of_jobs_has_no_library_that_most_jobs_do_without(app):
    settings = app.config["SETTINGS"]
    where = [str(settings.instance), settings.database_url]
    code = f"""if True:
        import sys
        from study_app import open_installation
        from study_app.commands.processes.job_process import load_kinds
        from study_app.core.config import Settings
        open_installation(Settings.of(*{where!r}))
        load_kinds()
        late = {{'alembic', 'fontTools.svgLib', 'matplotlib', 'obstore', 'pyrage', 'scipy'}}
        print(sorted(late & set(sys.modules)))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@on_linux
@pytest.mark.slow
def test_the_memory_of_a_job_is_not_the_servers(process, study_id):
    before = megabytes("self", "VmRSS")
    job = ended(study_id, jobs.start(study_id, "large"))
    assert job.result["bytes"] == LARGE_BYTES and job.result["pid"] == process.pid
    assert megabytes(process.pid, "VmHWM") > LARGE_BYTES / 1024**2
    assert megabytes("self", "VmRSS") < before + 60


@pytest.mark.slow
def test_a_job_that_crashes_costs_no_other_job(process, study_id):
    patient, killed = jobs.start(study_id, "patient"), jobs.start(study_id, "killed")
    once = jobs.start(study_id, "once")
    assert ended(study_id, patient).message == "Finished."
    for job_id in (killed, once):
        job = ended(study_id, job_id)
        assert job.state == "interrupted"
        assert "stopped before it finished, perhaps because" in job.message
    # Its process was the last one.
    assert ended(study_id, jobs.start(study_id, "quick")).result["pid"] == process.pid


def test_a_job_that_begins_while_an_ended_process_is_cleared_away_runs(
    process, study_id, monkeypatch
):
    clearing, begun = threading.Event(), threading.Event()

    def clear(self):
        clearing.set()
        assert begun.wait(30)

    monkeypatch.setattr(job_process.JobProcess, "_clear", clear)
    jobs.start(study_id, "once")
    assert clearing.wait(30)
    quick = jobs.start(study_id, "quick")
    begun.set()
    assert ended(study_id, quick).state == "done"


def test_a_process_without_jobs_ends(app, session, study_id, works, monkeypatch):  # noqa: F811
    monkeypatch.setattr(job_process, "IDLE_SECONDS", 0.01)
    given, orders = [], queue.SimpleQueue()
    jobs.run_by(app, given.append)
    jobs.kind("test", repeatable=True)(lambda progress: None)
    job_id = jobs.start(study_id, "test")
    assert given == [job_id]
    orders.put(b"%d\n" % job_id)
    job_process.run_jobs(app, 2, orders)
    db.session.rollback()
    assert jobs.find(study_id, job_id).state == "done"


def test_a_process_whose_job_cannot_write_its_end_ends(app, session, works, monkeypatch):  # noqa: F811
    # Its server then decides what becomes of the job, as soon as there is space.
    def full(*_):
        raise OperationalError("UPDATE", {}, sqlite3.OperationalError("disk is full"))

    monkeypatch.setattr(job_process, "IDLE_SECONDS", 0.01)
    monkeypatch.setattr(jobs, "perform", full)
    orders = queue.SimpleQueue()
    orders.put(b"1\n")
    with pytest.raises(OperationalError):
        job_process.run_jobs(app, 2, orders)


def test_jobs_whose_process_the_system_does_not_start_end(process, study_id, monkeypatch):
    def refused():
        raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))

    monkeypatch.setattr(job_process, "start_process", refused)
    job = ended(study_id, jobs.start(study_id, "quick"))
    assert job.state == "interrupted" and "memory was full" in job.message
    monkeypatch.setattr(job_process, "start_process", start_crashing)
    until(lambda: process.pid is None)
    assert ended(study_id, jobs.start(study_id, "quick")).state == "done"


@pytest.mark.slow
def test_a_job_that_crashes_leaves_no_files(app, process, study_id):
    settings = app.config["SETTINGS"]
    crashed, waiting = (
        uploads.find(settings, study_id, uploads.begin(settings, study_id)) for _ in range(2)
    )
    left = settings.instance / work_folder.FOLDER / "of-a-killed-process" / work_folder.MADE
    left.mkdir(parents=True)
    assert ended(study_id, jobs.start(study_id, "once", token=crashed.token)).state == "interrupted"
    until(lambda: process.pid is None)
    assert not left.exists()
    # The other one is not imported yet.
    rooms = {name.split("/")[1] for name in store_of(settings).names(uploads.FOLDER)}
    assert rooms == {waiting.token}


def test_no_server_starts_beside_the_jobs_of_a_killed_one(app, session, tmp_path):
    with instance_lock.jobs(tmp_path), pytest.raises(InstallationHeld):
        installation(db.engine, tmp_path).__enter__()
    with installation(db.engine, tmp_path), instance_lock.jobs(tmp_path):
        pass


def test_a_process_of_jobs_empties_its_cache_after_a_withdrawal(app, session, monkeypatch):
    monkeypatch.setattr(cache, "POLL_SECONDS", 0)
    cache.follow_others(app)
    cache.cached().put("result", 1)
    own, server = app.extensions.pop("gold"), cache.Cache()
    app.extensions["gold"] = server
    cache.clear_everywhere(app.config["SETTINGS"])
    app.extensions["gold"] = own
    assert cache.cached().get("result") is None


@pytest.fixture
def served(tmp_path):
    """A fresh installation, served."""
    server = Served(tmp_path / "instance", is_forked=True)
    yield server
    server.kill()


def is_running(pid):
    """Whether a process is there and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@on_linux
@pytest.mark.slow
def test_an_import_whose_process_is_killed_is_repeated_while_pages_are_shown(served):
    ada = Researcher(served)
    study = ada.make_study()
    job = ada.start_import(study, "chair.ndjson", drawings(DRAWINGS), set_name="chair")
    ada.wait_for(job, lambda seen: seen["done"] > 5)
    (killed,) = served.children()
    os.kill(killed, signal.SIGKILL)
    assert ada.get_json(job)["state"] == "running"
    done = ada.wait_for(job, lambda seen: seen["state"] != "running")
    assert done["state"] == "done" and done["result"]["sets"] == {"chair": DRAWINGS}
    (running,) = served.children()
    served.kill()
    until(lambda: not is_running(running))
    ada.close()


@on_linux
@pytest.mark.slow
def test_a_server_that_the_system_stops_lets_its_jobs_end(tmp_path):
    served = Served(tmp_path / "instance")
    ada = Researcher(served)
    study = ada.make_study()
    job = ada.start_import(study, "chair.ndjson", drawings(DRAWINGS), set_name="chair")
    ada.wait_for(job, lambda seen: seen["done"] > 5)
    served.process.send_signal(signal.SIGTERM)
    assert served.process.communicate(timeout=60)[0].endswith("Stopped.\n")
    assert served.process.returncode == 0
    served.start()
    assert ada.get_json(job)["state"] == "done"
    served.kill()
    ada.close()
