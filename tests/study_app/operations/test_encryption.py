"""Encrypted backups: for a key or with a passphrase, opened by nothing else."""

import io
import os
import socket
import subprocess
import sys
import zipfile

import pyrage
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from study_app.commands.backup import backup as backup_verb
from study_app.commands.backup import restore as restore_verb
from study_app.core.database import db
from study_app.core.errors import StudyError
from study_app.core.storage.chosen_store import store_of
from study_app.models import Study
from study_app.operations import backup, encryption
from study_app.operations.encryption import Encryption, KeyRefused

pytestmark = pytest.mark.slow


@pytest.fixture
def verb(runner, app, tmp_path):
    """Runs `backup` of the installation and `restore` into a fresh one."""

    def run(verb, *arguments, elsewhere=False):
        settings = app.config["SETTINGS"]
        place = tmp_path / "fresh" if elsewhere else settings.instance
        url = f"sqlite:///{tmp_path / 'fresh.sqlite3'}" if elsewhere else settings.database_url
        common = ["--instance", str(place), "--database", url]
        return runner.invoke(verb, [*map(str, arguments), *common])

    return run


def test_an_encrypted_backup_is_opened_by_its_key_only(verb, study_id, tmp_path):
    key, path = pyrage.x25519.Identity.generate(), tmp_path / "all.zip.age"
    secret, other = tmp_path / "key.txt", tmp_path / "other.txt"
    secret.write_text(f"# made by age-keygen\n{key}\n", encoding="utf-8")
    other.write_text(str(pyrage.x25519.Identity.generate()), encoding="utf-8")
    done = verb(backup_verb, path, "--recipient", key.to_public())
    assert done.exit_code == 0, done.output
    assert encryption.is_encrypted(path) and not zipfile.is_zipfile(path)
    assert b"Chairs and cars" not in path.read_bytes()
    assert sorted(p.name for p in tmp_path.glob("all*")) == ["all.zip.age"]
    for wrong in ((), ("--identity", other)):
        refused = verb(restore_verb, path, *wrong, elsewhere=True)
        assert isinstance(refused.exception, KeyRefused), refused.output
    done = verb(restore_verb, path, "--identity", secret, elsewhere=True)
    assert done.exit_code == 0, done.output


def test_the_unencrypted_form_of_a_backup_has_no_name(verb, study_id, tmp_path, monkeypatch):
    written, key = [], pyrage.x25519.Identity.generate()
    encrypt = backup.encrypt

    def seen(source, target, chosen):
        written.extend(path for path in tmp_path.rglob("*") if zipfile.is_zipfile(path))
        encrypt(source, target, chosen)

    monkeypatch.setattr(backup, "encrypt", seen)
    path = tmp_path / "elsewhere" / "all.zip.age"
    done = verb(backup_verb, path, "--recipient", key.to_public())
    assert done.exit_code == 0, done.output
    assert written == [] and path.exists()


@pytest.mark.skipif(os.name != "posix", reason="the process is held at a socket, then killed")
@pytest.mark.parametrize("is_new", [True, False])
def test_a_killed_restore_leaves_nothing_decrypted(verb, study_id, tmp_path, is_new):
    key, path = pyrage.x25519.Identity.generate(), tmp_path / "all.zip.age"
    (tmp_path / "key.txt").write_text(str(key), encoding="utf-8")
    assert verb(backup_verb, path, "--recipient", key.to_public()).exit_code == 0
    place, temporary = tmp_path / "restored", tmp_path / "temporary"
    for folder in (temporary,) if is_new else (temporary, place):
        folder.mkdir()
    # A database server that never answers: the restore waits there with what it has decrypted.
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"postgresql://study@127.0.0.1:{silent.getsockname()[1]}/study"
        command = [sys.executable, "-m", "study_app", "restore", str(path)]
        command += ["--identity", str(tmp_path / "key.txt"), "--instance", str(place)]
        command += ["--database", address]
        restoring = subprocess.Popen(command, env={**os.environ, "TMPDIR": str(temporary)})
        silent.settimeout(120)
        connection, _ = silent.accept()
        restoring.kill()
        restoring.wait()
        connection.close()
    assert list(temporary.iterdir()) == []
    assert [one for one in tmp_path.rglob("*") if zipfile.is_zipfile(one)] == []


def test_a_backup_with_a_passphrase(app, verb, study_id, tmp_path):
    path, words = tmp_path / "all.zip.age", tmp_path / "words"
    words.write_text("correct horse battery staple\n", encoding="utf-8")
    assert verb(backup_verb, path, "--passphrase-file", words).exit_code == 0
    wrong = tmp_path / "wrong"
    wrong.write_text("another", encoding="utf-8")
    refused = verb(restore_verb, path, "--passphrase-file", wrong, elsewhere=True)
    assert isinstance(refused.exception, KeyRefused)
    done = verb(restore_verb, path, "--passphrase-file", words, "--force")
    assert done.exit_code == 0, done.output
    with app.app_context():
        assert db.session.query(Study).one().name == "Chairs and cars"


def test_invalid_keys_are_refused(tmp_path):
    plain = tmp_path / "plain"
    plain.write_bytes(b"x")
    # At once, not after a whole backup was written.
    with pytest.raises(KeyRefused, match="not an age or SSH public key"):
        Encryption(("age1nonsense",))
    with pytest.raises(KeyRefused, match="contains no age secret key"):
        encryption.decrypt(plain, io.BytesIO(), plain, "")


def test_a_file_that_demands_much_memory_for_its_passphrase_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "small.age"
    header, _, rest = pyrage.passphrase.encrypt(b"backup", "words").partition(b"\n--- ")
    start, _, key = header.rpartition(b"\n")
    for factor, is_tried in (("23", False), ("999", False), ("22", True)):
        demanding = start.rpartition(b" ")[0] + b" " + factor.encode()
        path.write_bytes(demanding + b"\n" + key + b"\n--- " + rest)
        tried = []
        monkeypatch.setattr(pyrage.passphrase, "decrypt", lambda *_, t=tried: t.append(1) or b"")
        if is_tried:
            encryption.decrypt(path, io.BytesIO(), None, "words")
        else:
            with pytest.raises(KeyRefused, match=rf"demands 2\^{factor} KB of memory"):
                encryption.decrypt(path, io.BytesIO(), None, "words")
        assert bool(tried) is is_tried


@pytest.mark.parametrize(
    "change", [lambda c: c[:-1], lambda c: c + b"x", lambda c: c[:-9] + b"x" * 9]
)
def test_a_damaged_encrypted_backup_is_refused(tmp_path, change):
    key, plain, sealed = pyrage.x25519.Identity.generate(), b"x" * 100_000, tmp_path / "sealed"
    (tmp_path / "key").write_text(str(key), encoding="utf-8")
    encryption.encrypt(io.BytesIO(plain), sealed, Encryption((str(key.to_public()),)))
    sealed.write_bytes(change(sealed.read_bytes()))
    with pytest.raises(KeyRefused, match="is damaged or cut off; use another copy"):
        encryption.decrypt(sealed, io.BytesIO(), tmp_path / "key", "")


def test_too_large_a_backup_is_refused_before_it_is_written(app, verb, tmp_path, monkeypatch):
    words = tmp_path / "words"
    words.write_text("correct horse", encoding="utf-8")
    name = f"photos/ab/{'ab' * 32}"
    store_of(app.config["SETTINGS"]).put(name, b"x" * 2000)
    monkeypatch.setattr(encryption, "MOST_BYTES", 1999)
    monkeypatch.setattr(backup, "write", None)
    refused = verb(backup_verb, tmp_path / "b.age", "--passphrase-file", words)
    assert isinstance(refused.exception, KeyRefused) and "--recipient" in str(refused.exception)
    assert not (tmp_path / "b.age").exists()


@pytest.mark.parametrize("content", [b"", b"not a backup", b"age-encryption.org/v1\nx"])
def test_a_refused_restore_leaves_no_folder(verb, tmp_path, content):
    path, words = tmp_path / "odd.zip", tmp_path / "words"
    path.write_bytes(content)
    words.write_text("correct horse", encoding="utf-8")
    for file in (path, tmp_path / "none.zip"):
        refused = verb(restore_verb, file, "--passphrase-file", words, elsewhere=True)
        assert isinstance(refused.exception, StudyError), refused.output
    assert not (tmp_path / "fresh").exists()
    assert not (tmp_path / "fresh.sqlite3").exists()


@pytest.mark.parametrize(
    "content, message", [(b"", "is empty"), (b" \n", "is empty"), (b"\xff", "UTF-8")]
)
def test_a_passphrase_file_without_a_passphrase_leaves_no_backup(verb, tmp_path, content, message):
    path, words = tmp_path / "all.zip.age", tmp_path / "words"
    words.write_bytes(content)
    for command in (backup_verb, restore_verb):
        refused = verb(command, path, "--passphrase-file", words)
        assert isinstance(refused.exception, KeyRefused) and message in str(refused.exception)
    assert not path.exists()


def test_a_backup_for_an_ssh_key_is_restored_with_it(verb, study_id, tmp_path):
    made = Ed25519PrivateKey.generate()
    form = Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()
    (tmp_path / "id_ed25519").write_bytes(made.private_bytes(*form))
    public = made.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
    done = verb(backup_verb, tmp_path / "all.zip.age", "--recipient", public)
    assert done.exit_code == 0, done.output
    arguments = tmp_path / "all.zip.age", "--identity", tmp_path / "id_ed25519"
    done = verb(restore_verb, *arguments, elsewhere=True)
    assert done.exit_code == 0, done.output


def test_keys_and_a_passphrase_are_not_mixed(verb, tmp_path):
    words = tmp_path / "words"
    words.write_text("correct horse", encoding="utf-8")
    key = pyrage.x25519.Identity.generate().to_public()
    refused = verb(backup_verb, tmp_path / "b", "--recipient", key, "--passphrase-file", words)
    assert isinstance(refused.exception, KeyRefused) and "not both" in str(refused.exception)
