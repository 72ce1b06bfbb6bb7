"""Errors of the program and of the system, as pages and the log tell them."""

import errno
import os

from study_app.studies import studies


def test_an_outage_does_not_fill_the_log_with_traces(client, monkeypatch, caplog):
    """A disk that is full refuses each of many requests."""

    def refuse(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(studies, "make", refuse)
    for _ in range(3):
        assert client.post("/studies", {"name": "Chairs"}).status_code == 507
    faults = [one for one in caplog.records if "unexpected fault" in one.getMessage()]
    assert [bool(one.exc_info) for one in faults] == [True, False, False]
    assert "/studies: [Errno" in faults[-1].getMessage()
    monkeypatch.setattr(studies, "make", lambda *_: 1 / 0)
    for _ in range(2):
        assert client.post("/studies", {"name": "Chairs"}).status_code == 500
    assert all(one.exc_info for one in caplog.records if one not in faults and one.levelno >= 40)
