"""Hosts of one installation: each request on any of them, and one that dies."""

import os
import signal
import sys
from urllib.parse import urlsplit

import psycopg
import pytest

from tests import s3_server
from tests.bench import bench_hosts
from tests.bench.ranking_clients import compare
from tests.served import Researcher, Served
from tests.study_app.core.database.test_instance_lock import HOLDERS
from tests.study_app.operations.test_killed import drawings

pytestmark = pytest.mark.slow

KEY = {"SKETCH_STUDY_SECRET_KEY": "the same on every host, and 32 or longer"}
DRAWINGS = 60


@pytest.fixture
def hosts(postgres_url, tmp_path, s3_environment):
    """Three servers with a database and an object store in common; the first runs no jobs."""
    files = f"s3://{s3_server.BUCKET}/{postgres_url.rpartition('/')[2]}"
    options, environment = ["--database", postgres_url, "--files", files], KEY | s3_environment
    apart = Served(tmp_path / "a", environment, [*options, "--no-jobs"], is_forked=True)
    with_jobs = [Served(tmp_path / name, environment, options, is_forked=True) for name in "bc"]
    yield apart, *with_jobs
    for server in (apart, *with_jobs):
        server.kill()


def go_to(person, server):
    """Send a client's next requests to this server."""
    person.close()
    person.parts = urlsplit(server.address)


@pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")
def test_an_import_of_a_host_that_dies_is_taken_over_and_ends_once(hosts):
    first, second, third = hosts
    ada = Researcher(first)
    go_to(ada, second)
    study = ada.make_study()
    room = ada.post_json(f"{study}/sketches/uploads", {})
    content = drawings(DRAWINGS)
    half = len(content) // 2
    for server, offset, piece in ((first, 0, content[:half]), (second, half, content[half:])):
        go_to(ada, server)
        ada.send_piece(room, 0, "chair.ndjson", piece, offset)
    go_to(ada, first)
    # Until the second host has begun the import, the third one does nothing.
    processes = [third.process.pid, *third.children()]
    for pid in processes:
        os.kill(pid, signal.SIGSTOP)
    page = ada.post_json(room["finish"], {"set_name": "chair"})["page"]
    job = f"{study}/jobs/{page.rsplit('/', 1)[1]}"
    ada.wait_for(job, lambda seen: seen["done"] > 5)
    second.kill()
    for pid in processes:
        os.kill(pid, signal.SIGCONT)
    assert ada.get_json(job)["state"] == "running"
    done = ada.wait_for(job, lambda seen: seen["state"] != "running")
    assert done["state"] == "done" and done["result"]["sets"] == {"chair": DRAWINGS}
    assert done["result"]["skipped"] == []
    for server in (first, third):
        go_to(ada, server)
        page = ada.get(f"{study}/sketches/").decode()
        thumbnail = page.partition("/thumbnails/")[2].partition('"')[0]
        assert ada.get(f"{study}/sketches/thumbnails/{thumbnail}").startswith(b"RIFF")
    ada.close()


def test_no_acknowledged_score_is_lost_when_one_of_two_hosts_is_killed(
    postgres_url, tmp_path, monkeypatch
):
    monkeypatch.setenv(*next(iter(KEY.items())))
    hosts = bench_hosts.Hosts(tmp_path, postgres_url, 2, images=5)
    try:
        ada = bench_hosts.sign_in(hosts)
        clients = [bench_hosts.Participant(hosts) for _ in range(8)]
        bench_hosts.run(hosts, clients, killed=True)
        assert [client.failure for client in clients if client.failure] == []
        assert bench_hosts.count_signed_out(ada, hosts) == 0 and len(hosts.addresses) == 1
        counts = compare(hosts.served[0].settings, clients)
        assert counts.pop("scores") == 8 * 5 and counts.pop("entries") >= 8 * 5
        assert set(counts.values()) == {0}
        ada.close()
    finally:
        hosts.end()


def test_a_host_that_was_cut_off_during_an_upgrade_ends(postgres_url, tmp_path):
    """It would go on with rows that it does not know."""
    server = Served(tmp_path, KEY, ["--database", postgres_url, "--no-jobs"], is_forked=True)
    try:
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute("update alembic_version set version_num = '9999'")
            (lock,) = connection.execute(HOLDERS.text).fetchone()
            connection.execute("select pg_terminate_backend(%s)", [lock])
        said = server.process.stdout.read()
        server.process.wait()
        server.process.stdout.close()
        assert "The database is at revision 9999" in said
        with pytest.raises(AssertionError, match="install the version that made it, or newer"):
            server.start()
    finally:
        server.kill()
