"""System errors are one sentence on standard error, with exit status 1."""

import errno
import os
import socket
import subprocess
import sys

import pytest

from basics.errors import Refusal
from basics.system_messages import system_reason
from study_app import cli
from study_app.core.errors import StudyError


def refused(capsys, *arguments):
    """The one line that a refused command prints."""
    with pytest.raises(SystemExit) as ended:
        cli.main([str(argument) for argument in arguments])
    message = capsys.readouterr().err.strip()
    assert ended.value.code == 1 and "\n" not in message and "Traceback" not in message
    return message.removeprefix("sketch-study: ")


@pytest.mark.slow
def test_a_port_in_use(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        # A process of its own: cheroot forgets to close the socket that it could not bind.
        command = [sys.executable, "-m", "study_app", "serve", "--port", port]
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 1 and not ended.stdout
    assert ended.stderr.startswith(f"sketch-study: Cannot serve on port {port} of 127.0.0.1 (")
    assert ended.stderr.count("\n") == 1 and "Choose another port with --port" in ended.stderr


def test_a_file_where_the_installation_should_be(capsys, tmp_path):
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    message = refused(capsys, "sign-in-link", "--instance", tmp_path / "notes.txt")
    assert "notes.txt" in message


def test_a_line_break_in_a_name_does_not_break_the_line(capsys, tmp_path):
    message = refused(capsys, "read", tmp_path / "a\nb\x1b.jpg", "--out", tmp_path / "c.csv")
    assert "a\\nb\\x1b.jpg: cannot be opened (no such file or folder)" in message


@pytest.mark.parametrize(
    "error, line",
    [
        (Refusal("no card was read; go closer"), "No card was read; go closer."),
        (Refusal("is empty", "the cards.csv", 3), "the cards.csv:3: is empty."),
        (StudyError("Which study? Give --study."), "Which study? Give --study."),
        (StudyError("in use: what is it?"), "in use: what is it?"),
    ],
)
def test_every_refusal_is_a_sentence(capsys, monkeypatch, error, line):
    def refuse(**_arguments):
        raise error

    monkeypatch.setattr(cli.cli, "main", refuse)
    assert refused(capsys, "read") == line


@pytest.mark.parametrize("content", [b"none" * 99, b"SQLite format 3\0" + bytes(5000)])
def test_a_damaged_database(capsys, tmp_path, content):
    (tmp_path / "study.sqlite3").write_bytes(content)
    message = refused(capsys, "sign-in-link", "--instance", tmp_path)
    assert message.startswith("Database error: ") and "sketch-study restore" in message


def test_an_unreachable_database(capsys, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"postgresql://ada:secret@127.0.0.1:{port}/study"
    message = refused(capsys, "sign-in-link", "--instance", tmp_path, "--database", address)
    assert message.startswith("Database error: ") and "secret" not in message


@pytest.mark.parametrize("address", ["study", "mysql://ada:secret@localhost/study"])
def test_an_unsupported_database_address(capsys, tmp_path, address):
    message = refused(capsys, "sign-in-link", "--instance", tmp_path, "--database", address)
    assert "postgresql://" in message and "secret" not in message


@pytest.mark.slow
@pytest.mark.parametrize(
    "fault",
    [
        OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
        PermissionError(errno.EACCES, os.strerror(errno.EACCES), "cards.pdf"),
    ],
)
def test_disk_errors(capsys, monkeypatch, tmp_path, fault):
    def refuse(*_args, **_kwargs):
        raise fault

    monkeypatch.setattr("study_app.accounts.researchers.make_link", refuse)
    message = refused(capsys, "sign-in-link", "--instance", tmp_path)
    assert system_reason(fault) in message and message.endswith(".")


def test_a_bug_is_not_hidden(monkeypatch, tmp_path):
    def fail(*_args, **_kwargs):
        raise KeyError("a fault")

    monkeypatch.setattr("study_app.accounts.researchers.make_link", fail)
    with pytest.raises(KeyError):
        cli.main(["sign-in-link", "--instance", str(tmp_path)])


def test_a_command_without_pages_loads_none(tmp_path):
    code = (
        "import sys; from study_app.cli import cli; "
        "cli.main(['sign-in-link', '--instance', sys.argv[1]], standalone_mode=False); "
        "print('study_app.web.application' in sys.modules)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "new")]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed.splitlines()[1] == "False"
