"""A backup that was damaged, or made to do damage, is refused in one sentence."""

import hashlib
import io
import json
import tracemalloc
import zipfile
import zlib
from copy import copy

import numpy as np
import pytest
from sqlalchemy import create_engine

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import close, db, writing
from study_app.core.errors import StudyError
from study_app.core.storage.chosen_store import store_of
from study_app.operations import backup, backup_check, restore
from study_app.studies import studies

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A good backup, as bytes."""
    folder = tmp_path_factory.mktemp("whole")
    settings = Settings.of(folder / "instance")
    app = create_app(settings)
    with app.app_context():
        with writing() as session:
            studies.make(session, "Chairs and cars")
        backup.write(db.engine, store_of(settings), folder / "whole.zip")
    close(app)
    return (folder / "whole.zip").read_bytes()


@pytest.fixture
def bring_back(tmp_path):
    """Restore bytes into a fresh database; gives the sentence of a refusal, or None."""
    engine = create_engine(f"sqlite:///{tmp_path / 'fresh.sqlite3'}")

    def bring(content):
        path = tmp_path / "odd.zip"
        path.write_bytes(content)
        try:
            restore.restore(engine, Settings.of(tmp_path / "fresh"), path, force=True)
        except StudyError as refusal:
            assert "\n" not in str(refusal)
            return str(refusal)
        return None

    yield bring
    engine.dispose()


def changed(content, **members):
    """A backup with other members of these names, whose checksums are right."""
    written = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(written, "w") as new,
    ):
        sums = json.loads(old.read(backup.SUMS))
        sums |= {
            n: hashlib.sha256(member).hexdigest() for n, member in members.items() if n in sums
        }
        members = {backup.SUMS: json.dumps(sums), **members}
        for name in old.namelist():
            if name not in members:
                new.writestr(name, old.read(name))
        for name, member in members.items():
            new.writestr(name, member)
    return written.getvalue()


ROWS = {
    "a list": b"[1, 2]\n",
    "a text": b'"abc"\n',
    "nested too deeply": b"[" * 100_000 + b"\n",
    "another column": b'{"id": 1, "colour": 3}\n',
    "a number beyond all": b'{"id": 1e400, "name": "x"}\n',
    "a number of many digits": b'{"id": ' + b"9" * 5000 + b"}\n",
    "a number of no column": b'{"id": 99999999999999999999, "name": "x"}\n',
    "a list in a column": b'{"id": 1, "name": ["x"]}\n',
    "an invalid date": b'{"id": 1, "name": "x", "created_at": "yesterday"}\n',
    "no text": b"\xff\xfe\n",
}


@pytest.mark.parametrize("what", ROWS)
def test_invalid_rows(whole, bring_back, what):
    message = bring_back(changed(whole, **{"tables/study.jsonl": ROWS[what]}))
    assert message and "could not be restored" in message


@pytest.mark.parametrize(
    "about",
    [b"", b"[]", b"null", b'{"format": []}', b'{"format": 1, "revision": ["x"]}', b"[" * 100_000],
)
def test_invalid_descriptions(whole, bring_back, about):
    assert bring_back(changed(whole, **{"about.json": about}))


@pytest.mark.parametrize("name", ["tables/attempt.jsonl.x", f"files/photos/ab/{'ab' * 32}"])
def test_a_file_that_was_added_is_named(whole, bring_back, name):
    assert f"{name!r} in it is damaged, or was added later" in bring_back(
        changed(whole, **{name: b"abc"})
    )


def test_an_empty_file_name_is_refused(whole, bring_back):
    content = changed(whole, x=b"abc").replace(b"x", b"\0", 1)
    assert bring_back(content)


def test_a_file_that_cannot_be_unpacked_is_named(whole, bring_back):
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("about.json", json.dumps({"format": 1, "revision": "0001"}))
        archive.writestr("tables/study.jsonl", b"abc" * 1000)
    squeezed = zlib.compressobj(wbits=-15)
    good = squeezed.compress(b"abc" * 1000) + squeezed.flush()
    assert good in written.getvalue()
    content = written.getvalue().replace(good, b"\xff" * len(good))
    assert "'tables/study.jsonl' in it is damaged" in bring_back(content)


def test_a_list_of_countless_files_is_refused(whole, bring_back, monkeypatch):
    monkeypatch.setattr(backup_check, "LIST_BYTES", 100_000)
    assert bring_back(whole) is None
    many = {f"tables/{number:090}": b"" for number in range(1000)}
    assert "it lists more than a million files" in bring_back(changed(whole, **many))


def packed(content, members):
    """A backup with these compressed members, whose checksums are right."""
    written = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        sums = json.loads(old.read(backup.SUMS))
        sums |= {name: hashlib.sha256(member).hexdigest() for name, member in members.items()}
        for name in old.namelist():
            if name not in {*members, backup.SUMS}:
                new.writestr(name, old.read(name))
        for name, member in members.items():
            new.writestr(name, member)
        if backup.SUMS not in members:
            new.writestr(backup.SUMS, json.dumps(sums))
    return written.getvalue()


@pytest.mark.parametrize("name", ["about.json", "checksums.json", "tables/study.jsonl"])
def test_a_small_file_that_unpacks_to_a_large_one_takes_no_memory(whole, bring_back, name):
    content = packed(whole, {name: b" " * 300_000_000})
    assert len(content) < 1_000_000
    tracemalloc.start()
    assert bring_back(content)
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 250_000_000


def test_a_compressed_file_is_no_file_of_a_backup(whole, bring_back):
    """Others would be unpacked until the disk is full."""
    name = f"files/photos/ab/{'ab' * 32}"
    assert f"{name!r} in it is damaged" in bring_back(packed(whole, {name: bytes(10_000)}))


def test_files_that_overlap_are_refused(whole, bring_back):
    """Thousands of names for the same bytes of a file."""
    name, written = f"files/photos/ab/{'ab' * 32}", io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("about.json", json.dumps({"format": 1, "revision": "0001"}))
        archive.writestr(name, bytes(100_000))
        first = archive.getinfo(name)
        for number in range(100):
            other = copy(first)
            other.filename = f"files/photos/ab/{number:064x}"
            archive.filelist.append(other)
            archive.NameToInfo[other.filename] = other
    assert "overlap" in bring_back(written.getvalue())


@pytest.mark.parametrize("seed", range(12))
def test_randomly_changed_bytes_are_refused_or_harmless(whole, bring_back, seed):
    rng = np.random.default_rng(seed)
    content = bytearray(whole)
    for place in rng.integers(0, len(content), 6):
        content[place] = rng.integers(256)
    bring_back(bytes(content))
