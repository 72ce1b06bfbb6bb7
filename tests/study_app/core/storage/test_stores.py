"""A folder and an S3 store behave alike."""

import hashlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, suppress

import pytest

from study_app.core.config import Settings
from study_app.core.storage import content, object_store, photo_store
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.object_store import ObjectStore, StoreAddressUnknown
from study_app.core.storage.stores import FileDamaged, FileMissing, StoreUnavailable
from tests import s3_server

PHOTO = b"\xff\xd8 a photo" * 1000
NAME = f"photos/{hashlib.sha256(PHOTO).hexdigest()[:2]}/{hashlib.sha256(PHOTO).hexdigest()}"

# Stores files until it is killed; prints a line after the first.
PUTTING = """
import sys
from study_app.core.config import Settings
from study_app.core.storage.chosen_store import store_of
store = store_of(Settings.of(sys.argv[1]))
for number in range(10**6):
    store.put("photos/ab/one", bytes([number % 251]) * 200_000)
    if not number: print("putting", flush=True)
"""


@pytest.fixture(params=["folder", "s3"])
def settings(request, tmp_path, monkeypatch):
    """An installation whose files are in a folder, or in a store of the S3 server."""
    if request.param == "s3":
        for name, value in request.getfixturevalue("s3_environment").items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("SKETCH_STUDY_FILES", f"s3://study/{tmp_path.name.lower()}")
    return Settings.of(tmp_path / "instance")


@pytest.fixture
def store(settings):
    """Its store."""
    return store_of(settings)


class TestStores:
    def test_a_file_can_be_read_until_it_is_deleted(self, store):
        assert not store.exists(NAME)
        store.put(NAME, b"first")
        store.put(NAME, PHOTO)
        assert store.exists(NAME) and store.get(NAME) == PHOTO
        store.delete(NAME)
        store.delete(NAME)
        with pytest.raises(FileMissing, match=NAME):
            store.get(NAME)
        with pytest.raises(FileMissing), store.opened(NAME):
            pass

    def test_a_stored_file_can_be_seeked(self, store):
        store.put(NAME, PHOTO)
        with store.opened(NAME) as opened:
            assert opened.size == len(PHOTO)
            assert opened.file.read(5) == PHOTO[:5]
            opened.file.seek(-7, os.SEEK_END)
            assert opened.file.read() == PHOTO[-7:] and opened.file.read() == b""
            tag = opened.tag
        store.put(NAME, PHOTO[::-1])
        with store.opened(NAME) as opened:
            assert opened.tag != tag and opened.file.read() == PHOTO[::-1]

    def test_files_are_listed_by_folder(self, store):
        for name in ("photos/ab/one", "photos/cd/two", "prints/1/cards.pdf", "photosets/x"):
            store.put(name, b"x")
        assert sorted(store.names("photos")) == ["photos/ab/one", "photos/cd/two"]
        assert list(store.names("exports")) == []

    def test_foreign_files_are_not_listed(self, tmp_path):
        store = store_of(Settings.of(tmp_path))
        store.put("photos/ab/one", b"1")
        for name in (".DS_Store", "Thumbs.db", "T001.jpg", "ab/Holiday in Rome.jpg", "ab/.part-x"):
            (tmp_path / "photos" / name).write_bytes(b"theirs")
        assert list(store.names("photos")) == ["photos/ab/one"]
        assert store.absent(["photos/ab/one", "exports/a", "photos/ab/two"]) == [
            "exports/a",
            "photos/ab/two",
        ]

    def test_a_finished_file_moves_in_and_out(self, store, tmp_path):
        (tmp_path / "made").write_bytes(PHOTO)
        store.move_in("prints/1/cards.pdf", tmp_path / "made")
        assert not (tmp_path / "made").exists()
        assert store.local("prints/1/cards.pdf", tmp_path).read_bytes() == PHOTO
        with pytest.raises(FileMissing):
            store.local("prints/2/cards.pdf", tmp_path)

    @pytest.mark.parametrize(
        "name", ["../secret_key", "photos/../../x", "/etc/passwd", "photos", "photos/.part-x", ""]
    )
    def test_names_outside_the_store_are_refused(self, store, name):
        for use in (store.get, store.exists, store.delete, lambda n: store.put(n, b"x")):
            with pytest.raises(ValueError, match="is not the name of a stored file"):
                use(name)

    def test_a_damaged_file_is_refused_and_quarantined(self, settings, store):
        sha256 = photo_store.save(settings, PHOTO)
        assert photo_store.original(settings, sha256) == PHOTO
        store.put(NAME, PHOTO[:-1])
        with pytest.raises(FileDamaged, match=rf"damaged and was set aside \({NAME}\)"):
            photo_store.original(settings, sha256)
        assert store.absent([NAME]) == [NAME]
        assert store.get(content.DAMAGED + NAME) == PHOTO[:-1]
        assert photo_store.save(settings, PHOTO) == sha256
        assert photo_store.original(settings, sha256) == PHOTO
        photo_store.delete(settings, [sha256])
        assert not store.exists(NAME) and not store.exists(content.DAMAGED + NAME)

    def test_a_killed_writer_leaves_the_complete_old_file(self, settings, store):
        command = [sys.executable, "-c", PUTTING, str(settings.instance)]
        writer = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert writer.stdout.readline()
        time.sleep(0.05)
        writer.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
        writer.communicate()
        found = store.get("photos/ab/one")
        assert len(found) == 200_000 and len(set(found)) == 1
        assert list(store.names("photos")) == ["photos/ab/one"]


@pytest.mark.parametrize("address", ["s3://", "/var/files", "gs://bucket"])
def test_unsupported_store_addresses_are_refused(address):
    with pytest.raises(StoreAddressUnknown, match=r"Give s3://bucket/prefix"):
        ObjectStore(address)


def test_a_missing_bucket_is_reported_in_one_sentence(s3_environment, monkeypatch):
    for name, value in s3_environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(StoreUnavailable, match="s3://nobody did not complete") as refusal:
        ObjectStore("s3://nobody").check()
    assert "\n" not in str(refusal.value) and "tests-secret" not in str(refusal.value)


def test_a_store_that_stopped_answering_holds_no_more_than_some_threads(monkeypatch):
    """The others are needed to save scores."""
    with socket.create_server(("127.0.0.1", 0)) as silent, ExitStack() as accepted:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        for name, value in {**s3_server.KEYS, "AWS_ENDPOINT_URL": address}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
        store = ObjectStore("s3://study")

        def wait():
            with suppress(StoreUnavailable):
                store.get(NAME)

        waiting = [threading.Thread(target=wait) for _ in range(object_store.MOST_AT_ONCE)]
        for thread in waiting:
            thread.start()
        for _ in waiting:
            accepted.enter_context(silent.accept()[0])
        for _ in range(20):
            with pytest.raises(StoreUnavailable, match="it does not answer"):
                store.get(NAME)
        assert all(thread.is_alive() for thread in waiting)
        silent.close()
        accepted.close()
        for thread in waiting:
            thread.join()
        with pytest.raises(StoreUnavailable, match="s3://study did not complete"):
            store.get(NAME)
