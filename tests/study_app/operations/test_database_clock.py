"""A host whose clock differs from the database server's is told so."""

from datetime import datetime, timedelta

import pytest

from study_app import create_app
from study_app.commands.serve import prepared
from study_app.core.config import Settings
from study_app.core.database import opened
from study_app.models import base

pytestmark = pytest.mark.postgres


@pytest.mark.parametrize(
    ("off", "told"),
    [
        (timedelta(), ""),
        (timedelta(hours=3), "10800 seconds ahead of that of the database server"),
        (-timedelta(minutes=2), "120 seconds behind that of the database server"),
    ],
)
def test_a_wrong_clock_is_logged_when_a_server_starts(
    upgraded_url, tmp_path, monkeypatch, caplog, off, told
):
    class Moved(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + off

    monkeypatch.setattr(base, "datetime", Moved)
    app = create_app(Settings.of(tmp_path / "instance", upgraded_url))
    with opened(app), prepared(app):
        said = [one.getMessage() for one in caplog.records if "the clock of" in one.getMessage()]
    assert len(said) == bool(told) and told in "".join(said)
