"""Responses to load balancers and monitors."""

import threading

import pytest
from sqlalchemy import text

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import db, opened
from study_app.core.storage.folder_store import FolderStore
from study_app.core.storage.stores import StoreUnavailable
from study_app.web.operations import health
from tests.app_fixtures import Browser
from tests.waiting import until

TOKEN = "of the one who reads the metrics, 40 long"
FROM_AFAR = {"REMOTE_ADDR": "203.0.113.7"}


def test_liveness_does_not_depend_on_the_database(stranger, monkeypatch):
    monkeypatch.setattr(db.session, "scalar", lambda *_: 1 / 0)
    assert stranger.get("/healthz").get_data(as_text=True) == "alive\n"


def test_readiness_means_that_rows_can_be_written_and_tells_whether_files_can(
    app, stranger, monkeypatch
):
    monkeypatch.setattr(health, "CHECK_SECONDS", -1)
    answer = stranger.get("/readyz")
    assert answer.json == {"database": True, "version": True, "files": True}
    assert answer.status_code == 200

    def unavailable(*_args, **_more):
        raise StoreUnavailable("s3://b", "it is away")

    monkeypatch.setattr(FolderStore, "put", unavailable)
    answer = stranger.get("/readyz")
    assert answer.json == {"database": True, "version": True, "files": False}
    assert answer.status_code == 200
    monkeypatch.setattr(health, "is_current", lambda _engine: False)
    answer = stranger.get("/readyz")
    assert answer.json == {"database": True, "version": False, "files": False}
    assert answer.status_code == 503


def test_frequent_readiness_requests_share_one_check(stranger, monkeypatch):
    asked = []
    monkeypatch.setattr(health, "is_current", lambda _engine: asked.append(1) or True)
    assert {stranger.get("/readyz").status_code for _ in range(5)} == {200} and asked == [1]


def test_probes_are_answered_while_a_check_waits_for_the_database(stranger, monkeypatch):
    monkeypatch.setattr(health, "ANSWER_SECONDS", 0.1)
    asked, begun, answers = [], threading.Event(), threading.Event()

    def hangs(_engine):
        asked.append(1)
        begun.set()
        return answers.wait(60)

    monkeypatch.setattr(health, "is_current", hangs)
    assert stranger.get("/readyz").status_code == 503
    assert begun.wait(60)
    for _ in range(3):
        probe = stranger.get("/readyz")
        assert probe.status_code == 503
        assert probe.json == {"database": True, "version": False, "files": False}
    answers.set()
    until(lambda: stranger.get("/readyz").status_code == 200)
    assert asked == [1]


@pytest.mark.postgres
def test_a_host_whose_database_accepts_no_changes_is_not_ready(upgraded_url, tmp_path, monkeypatch):
    monkeypatch.setattr(health, "CHECK_SECONDS", -1)
    app = create_app(Settings.of(tmp_path / "instance", upgraded_url))
    with opened(app):
        assert Browser(app).get("/readyz").status_code == 200
        with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            name = connection.scalar(text("SELECT quote_ident(current_database())"))
            connection.execute(
                text(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
            )
        db.engine.dispose()
        answer = Browser(app).get("/readyz")
    assert answer.status_code == 503
    assert answer.json == {"database": False, "version": True, "files": True}


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({}, 200),
        ({"headers": {"X-Forwarded-For": "203.0.113.7"}}, 404),
        ({"headers": {"X-Real-IP": "203.0.113.7"}}, 404),
        ({"headers": {"X-Forwarded-Proto": "https"}}, 404),
        ({"environ_base": FROM_AFAR}, 404),
        ({"environ_base": FROM_AFAR, "headers": {"Authorization": "Bearer wrong"}}, 404),
        ({"environ_base": FROM_AFAR, "headers": {"Authorization": f"Bearer {TOKEN}"}}, 200),
    ],
)
def test_metrics_need_localhost_or_the_token(stranger, monkeypatch, asked, status):
    monkeypatch.setenv("SKETCH_STUDY_METRICS_TOKEN", TOKEN)
    assert stranger.get("/metrics", **asked).status_code == status


def test_without_a_token_metrics_are_local_only(stranger):
    headers = {"Authorization": "Bearer "}
    assert stranger.get("/metrics", environ_base=FROM_AFAR, headers=headers).status_code == 404
