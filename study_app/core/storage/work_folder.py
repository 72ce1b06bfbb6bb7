"""Temporary folders in the instance folder; those of killed processes are deleted later."""

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from study_app.core.config import Settings
from study_app.core.database import instance_lock

FOLDER, HELD, MADE = "work", ".held", "made"
# Longer than a process needs to lock a folder that it has created.
OLD_SECONDS = 60


@contextmanager
def work_folder(settings: Settings) -> Iterator[Path]:
    """A temporary folder, deleted at the end; its files can be moved into a store."""
    place = Path(settings.instance) / FOLDER
    place.mkdir(parents=True, exist_ok=True)
    room = Path(tempfile.mkdtemp(dir=place))
    try:
        with (room / HELD).open("ab") as file:
            instance_lock.claim(file)
            inside = room / MADE
            inside.mkdir()
            yield inside
    finally:
        shutil.rmtree(room, ignore_errors=True)


def clear(settings: Settings) -> None:
    """Delete the folders of ended processes; running ones hold a lock."""
    for room in (Path(settings.instance) / FOLDER).glob("*"):
        # Its process may delete it at the same time.
        with suppress(FileNotFoundError):
            if not _is_used(room):
                shutil.rmtree(room, ignore_errors=True)


def _is_used(room: Path) -> bool:
    if not (room / MADE).exists() and room.stat().st_mtime > time.time() - OLD_SECONDS:
        # It is so new that its process may not have locked it yet.
        return True
    with (room / HELD).open("ab") as file:
        return not instance_lock.claim(file)
