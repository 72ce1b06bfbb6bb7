"""A full disk is recognised by its error code, whatever the message."""

import errno
import sqlite3

import pytest
from sqlalchemy.exc import OperationalError

from study_app.core.system_errors import is_full, sentence


class _Coded(Exception):
    """As drivers raise it, with the database's code."""

    def __init__(self, words: str, **codes: object) -> None:
        super().__init__(words)
        self.__dict__.update(codes)


def _of(original: Exception) -> OperationalError:
    return OperationalError("INSERT", {}, original)


@pytest.mark.parametrize(
    "fault",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        OSError(errno.EDQUOT, "Disk quota exceeded"),
        _of(_Coded("could not extend file", sqlstate="53100")),
        _of(_Coded("odd words", sqlite_errorcode=sqlite3.SQLITE_FULL)),
        _of(sqlite3.OperationalError("database or disk is full")),
    ],
)
def test_a_full_disk(fault):
    assert is_full(fault)
    assert "free some space" in (sentence(fault) or "")


@pytest.mark.parametrize(
    "fault",
    [
        OSError(errno.EACCES, "Permission denied"),
        _of(sqlite3.OperationalError("database is locked")),
        ValueError("free some space and try again; no partial files were left."),
    ],
)
def test_what_is_no_full_disk(fault):
    assert not is_full(fault)
