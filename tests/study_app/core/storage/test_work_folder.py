"""A folder for files that are being made: deleted at its end, cleared if its process was killed."""

import pytest

from study_app.core.config import Settings
from study_app.core.database import instance_lock
from study_app.core.storage.work_folder import FOLDER, clear, work_folder


@pytest.fixture
def settings(tmp_path):
    return Settings.of(tmp_path)


def test_a_work_folder_lasts_as_long_as_it_is_used(settings):
    with pytest.raises(ValueError, match="no"), work_folder(settings) as folder:
        (folder / "half").write_bytes(b"x")
        clear(settings)
        assert (folder / "half").exists()
        raise ValueError("no")
    assert not list((settings.instance / FOLDER).iterdir())


def test_work_folders_of_killed_processes_are_deleted(settings):
    left = settings.instance / FOLDER / "of-a-killed-process" / "made"
    left.mkdir(parents=True)
    clear(settings)
    assert not left.parent.exists()


def test_a_work_folder_that_is_being_created_stays(settings, monkeypatch):
    locked = instance_lock.claim

    def locked_late(file):
        monkeypatch.setattr(instance_lock, "claim", locked)
        clear(settings)
        return locked(file)

    monkeypatch.setattr(instance_lock, "claim", locked_late)
    with work_folder(settings) as folder:
        assert folder.exists()
