"""Several processes on one port: one can be killed unnoticed."""

import json
import os
import re
import signal
import sys
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import pytest

from study_app.cli import main
from tests.served import Researcher, Served
from tests.study_app.operations.test_killed import drawings
from tests.waiting import until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="finds the processes in /proc"),
]


@pytest.fixture
def served(postgres_url, tmp_path):
    """Two web processes and one for jobs."""
    options = ["--database", postgres_url, "--workers", "2", "--log-json"]
    server = Served(tmp_path / "instance", options=options)
    yield server
    server.process.send_signal(signal.SIGTERM)
    output = server.process.communicate(timeout=60)[0]
    assert output.endswith("Stopped.\n")
    server.log = [json.loads(line) for line in output.splitlines() if line.startswith("{")]


def processes(server, module):
    """The processes of a server that run a module."""
    found = []
    for pid in server.children():
        # A process that has ended has no command.
        with suppress(FileNotFoundError, ProcessLookupError):
            if module in Path(f"/proc/{pid}/cmdline").read_text():
                found.append(pid)
    return found


def test_a_killed_process_is_replaced_and_sessions_stay_valid(served):
    ada = Researcher(served)
    study = ada.make_study()
    job = ada.start_import(study, "chair.ndjson", drawings(5), set_name="chair")
    assert ada.wait_for(job, lambda seen: seen["state"] != "running")["state"] == "done"
    before, jobs = processes(served, "spawn_main"), processes(served, "job_process")
    assert len(before) == 2 and len(jobs) == 1
    os.kill(before[0], signal.SIGKILL)
    os.kill(*jobs, signal.SIGKILL)
    for _ in range(20):
        ada.close()
        assert b"chair" in ada.get(f"{study}/sketches/")
    until(lambda: len(processes(served, "spawn_main")) == 2)
    until(lambda: set(processes(served, "job_process")) - set(jobs))
    with urlopen(f"{served.address}/metrics") as answer:
        metrics = answer.read().decode()
    page = re.escape('method="GET",route="/studies/<int:study_id>/sketches/",status="200"')
    # Metrics are summed over all processes, including the killed one.
    assert int(float(re.search(rf"_count\{{{page}\}} (\S+)", metrics)[1])) >= 20
    ada.close()


def test_sqlite_is_served_by_one_process(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["serve", "--workers", "2", "--instance", str(tmp_path / "instance")])
    assert "SQLite has one writer" in capsys.readouterr().err
