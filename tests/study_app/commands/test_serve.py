"""`sketch-study serve` prints an address that a browser can open, and starts quickly."""

import subprocess
import sys
from dataclasses import replace
from wsgiref.util import setup_testing_defaults
from wsgiref.validate import validator

import pytest

from study_app import create_app
from study_app.cli import main
from study_app.commands.serve import _addresses
from study_app.core.config import Settings
from study_app.core.database import close, opened, writing
from study_app.models import Job
from study_app.studies import studies


@pytest.mark.parametrize(
    ("host", "https", "address"),
    [
        ("127.0.0.1", False, "http://127.0.0.1:8000"),
        ("::1", False, "http://[::1]:8000"),
        ("lab.example", True, "https://lab.example:8000"),
    ],
)
def test_the_printed_address_can_be_opened(host, https, address):
    assert _addresses(Settings.of(https=https), host, 8000) == [address]


def test_behind_a_proxy_the_printed_address_is_the_sites():
    settings = replace(Settings.of(), proxies=1, trusted_hosts=("study.example.org",))
    assert _addresses(settings, "0.0.0.0", 8000) == ["https://study.example.org"]


@pytest.mark.slow
def test_the_photo_reader_and_printing_are_imported_on_demand():
    late = "{'scipy', 'zxingcpp', 'matplotlib', 'polars', 'fontTools.subset', 'fontTools.svgLib'}"
    code = f"import study_app.web.application, sys; print(sorted({late} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.fixture
def kept(tmp_path):
    """The database file of an installation with a thousand jobs, no server on it."""
    app = create_app(Settings.of(tmp_path / "kept"))
    with opened(app), writing() as session:
        study_id = studies.make(session, "Chairs").id
        session.add_all(
            Job(study_id=study_id, kind="import", message="x" * 300) for _ in range(1000)
        )
    return tmp_path / "kept" / "study.sqlite3"


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["serve", "backup"])
@pytest.mark.parametrize("damage", ["torn", "cut", "no database"])
def test_a_damaged_database_is_reported_in_one_line(kept, tmp_path, capsys, verb, damage):
    """A torn copy has pages of different states, a truncated one lacks its end."""
    content = bytearray(kept.read_bytes())
    if damage == "torn":
        for page in range(20 * 4096, len(content) - 4096, 4096):
            content[page : page + 4096] = content[page + 4096 : page + 8192]
    elif damage == "cut":
        del content[len(content) // 2 :]
    else:
        content[:4096] = b"x" * 4096
    kept.write_bytes(bytes(content))
    words = {"serve": ["serve", "--port", "0"], "backup": ["backup", str(tmp_path / "b.zip")]}[verb]
    with pytest.raises(SystemExit) as left:
        main([*words, "--instance", str(kept.parent)])
    output = capsys.readouterr().err
    assert left.value.code == 1 and output.count("\n") == 1
    assert "damaged" in output and "sketch-study restore" in output
    assert not (tmp_path / "b.zip").exists()


def test_another_wsgi_server_can_serve_it(tmp_path, monkeypatch):
    monkeypatch.setenv("SKETCH_STUDY_INSTANCE", str(tmp_path / "instance"))
    monkeypatch.delenv("SKETCH_STUDY_DATABASE", raising=False)
    output = []
    environ = {"SCRIPT_NAME": "", "PATH_INFO": "/healthz", "QUERY_STRING": ""}
    setup_testing_defaults(environ)
    app = create_app()
    answer = validator(app)(environ, lambda status, headers, _=None: output.append(status))
    try:
        assert output == ["200 OK"] and b"".join(answer) == b"alive\n"
    finally:
        answer.close()
        close(app)
