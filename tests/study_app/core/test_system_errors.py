"""Errors of the disk and of the database, in words of ours and with advice."""

import errno
import socket
import sqlite3
from contextlib import closing

import pytest
import sqlalchemy
from sqlalchemy.exc import DatabaseError, InternalError, OperationalError

from basics.wordings import Wording
from study_app.core.system_errors import is_full, is_of_database, sentence


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
    ],
)
def test_errors_of_a_full_disk(fault):
    assert is_full(fault)
    assert "free some space" in (sentence(fault) or "")


@pytest.mark.parametrize(
    "fault",
    [
        OSError(errno.EACCES, "Permission denied"),
        _of(_Coded("database or disk is full", sqlite_errorcode=sqlite3.SQLITE_BUSY)),
        ValueError("free some space and try again; no partial files were left."),
    ],
)
def test_errors_that_are_not_a_full_disk(fault):
    assert not is_full(fault)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (sqlite3.SQLITE_CORRUPT_INDEX, "its file is damaged"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, "another program is using it"),
        (sqlite3.SQLITE_READONLY_DBMOVED, "it cannot be written to"),
        (sqlite3.SQLITE_IOERR_FSYNC, "the disk failed"),
    ],
)
def test_sqlite_errors_are_recognised_by_their_codes(code, message):
    assert message in sentence(_of(_Coded("odd words", sqlite_errorcode=code)))


@pytest.mark.parametrize("code", ["25006", "25P03"])
def test_changes_that_a_postgresql_server_does_not_accept(code):
    """From a standby, or in a transaction that the server ended; drivers call them internal."""
    fault = InternalError("INSERT", {}, _Coded("odd words", sqlstate=code))
    assert is_of_database(fault)
    standby = "it accepts no changes; connect to the primary server"
    assert (standby in sentence(fault)) == (code == "25006")
    assert not is_of_database(InternalError("INSERT", {}, _Coded("odd words", sqlstate="25P02")))


def _message(address, statement="CREATE TABLE a (b)"):
    engine = sqlalchemy.create_engine(address, poolclass=sqlalchemy.NullPool)
    with pytest.raises(DatabaseError) as caught, engine.begin() as connection:
        connection.execute(sqlalchemy.text(statement))
    message = sentence(caught.value)
    assert isinstance(message, Wording) and message.startswith("Database error: ")
    return message.removeprefix("Database error: ")


def test_a_database_that_another_program_uses(tmp_path):
    with closing(sqlite3.connect(tmp_path / "a")) as other:
        other.execute("BEGIN EXCLUSIVE")
        message = _message(f"sqlite:///{tmp_path}/a?timeout=0")
    assert message == "another program is using it; close that and try again."


@pytest.mark.parametrize("content", [b"none" * 99, b"SQLite format 3\0" + bytes(5000)])
def test_a_damaged_database(tmp_path, content):
    (tmp_path / "a").write_bytes(content)
    message = _message(f"sqlite:///{tmp_path}/a", "SELECT * FROM sqlite_master")
    assert message.startswith("its file is damaged; move it away and restore a backup with sketch")


def test_a_database_that_cannot_be_opened_or_written(tmp_path):
    closed = "; choose a place you can write to."
    assert _message(f"sqlite:///{tmp_path}/none/a") == "its file cannot be opened" + closed
    sqlite3.connect(tmp_path / "a").close()
    read_only = f"sqlite:///file:{tmp_path}/a?mode=ro&uri=true"
    assert _message(read_only) == "it cannot be written to" + closed


def test_a_database_that_is_full(tmp_path):
    address = f"sqlite:///{tmp_path}/a"
    engine = sqlalchemy.create_engine(address, poolclass=sqlalchemy.NullPool)
    with pytest.raises(OperationalError) as caught, engine.connect() as connection:
        connection.execute(sqlalchemy.text("PRAGMA max_page_count = 2"))
        connection.execute(sqlalchemy.text("CREATE TABLE a AS SELECT zeroblob(90000)"))
    assert sentence(caught.value).startswith("Database error: the disk is full; free some space")


def test_a_postgresql_server_that_does_not_answer():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    message = _message(f"postgresql+psycopg://ada:secret@127.0.0.1:{port}/study")
    assert message == "it does not answer; check its address and that it is running."


@pytest.mark.postgres
def test_a_postgresql_server_without_that_user_or_database(postgres_server):
    server = postgres_server.replace("postgresql:", "postgresql+psycopg:")
    unknown = "the server has no database or user of that name; create it, or check the address."
    assert _message(server.replace("study@", "nobody@")) == unknown
    assert _message(server.replace("/postgres", "/none")) == unknown


def test_an_unknown_message_of_the_database_is_quoted():
    message = sentence(_of(_Coded("odd words\nSELECT 1")))
    assert message.endswith("check its address and that it is running. It says “odd words”.")
