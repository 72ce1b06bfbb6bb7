"""Messages for real errors of the operating system and of Python's CSV reader."""

import csv
import errno
import os
import socket
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import pytest

from basics.system_messages import csv_reason, system_reason
from basics.wordings import Wording

NOBODY = 65534


@contextmanager
def as_nobody():
    """Without root's permission to read and write everywhere."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(before)


def _open_a_socket(_folder):
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = free.getsockname()
    socket.create_connection(address)


def _write_to_a_full_disk(_folder):
    with Path("/dev/full").open("wb", buffering=0) as full:
        full.write(b"x")


def _follow_a_loop(folder):
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "loop").read_bytes()


def _write_without_permission(folder):
    (folder / "closed").mkdir(mode=0o555)
    with as_nobody():
        (folder / "closed" / "notes").write_bytes(b"x")


def _read_below_a_file(folder):
    (folder / "notes").write_bytes(b"x")
    (folder / "notes" / "more").read_bytes()


CAUSES = [
    (lambda folder: (folder / "none").read_bytes(), "no such file or folder"),
    (lambda folder: folder.read_bytes(), "it is a folder"),
    (lambda folder: folder.mkdir(), "the name is already taken"),
    (lambda folder: (folder / ("a" * 300)).read_bytes(), "the name is too long"),
    (_read_below_a_file, "part of the path is a file"),
    (_follow_a_loop, "the link leads to itself"),
    (_write_to_a_full_disk, "the disk is full"),
    (_write_without_permission, "no permission"),
    (_open_a_socket, "the connection was refused"),
]


@pytest.mark.skipif(os.name != "posix", reason="files and rights of Linux")
@pytest.mark.parametrize(("cause", "message"), CAUSES, ids=[message for _, message in CAUSES])
def test_errors_of_the_system(tmp_path, cause, message):
    with pytest.raises(OSError, match=r".") as caught:
        cause(tmp_path)
    found = system_reason(caught.value)
    assert found == message and isinstance(found, Wording)


def test_an_unknown_message_is_quoted():
    assert system_reason(OSError(errno.EXDEV, "Odd words")) == "the system says “Odd words”"


ROWS = {
    'a,"b\n': "a quotation mark is not closed",
    'a,"b"c\n': "there is text after a closing quotation mark",
    "a" * 140_000: "a field has more than 131,072 characters, perhaps because a quotation mark "
    "is not closed",
    "a\rb": "a line has an unusual end",
}


@pytest.mark.parametrize(("text", "message"), ROWS.items(), ids=ROWS.values())
def test_errors_in_csv(text, message):
    with pytest.raises(csv.Error) as caught:
        list(csv.reader([text] if "\r" in text else StringIO(text), strict=True))
    found = csv_reason(caught.value)
    assert found == message and isinstance(found, Wording)
