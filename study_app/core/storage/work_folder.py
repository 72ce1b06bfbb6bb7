"""Temporary folders in the instance folder; those of killed processes are deleted later."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from study_app.core.config import Settings
from study_app.core.database import instance_lock

FOLDER, HELD = "work", ".held"


@contextmanager
def work_folder(settings: Settings) -> Iterator[Path]:
    """A temporary folder, deleted at the end; its files can be moved into a store."""
    place = Path(settings.instance) / FOLDER
    place.mkdir(parents=True, exist_ok=True)
    room = Path(tempfile.mkdtemp(dir=place))
    try:
        with (room / HELD).open("ab") as file:
            instance_lock.claim(file)
            inside = room / "made"
            inside.mkdir()
            yield inside
    finally:
        shutil.rmtree(room, ignore_errors=True)


def clear(settings: Settings) -> None:
    """Delete the folders of ended processes; running ones hold a lock."""
    for room in (Path(settings.instance) / FOLDER).glob("*"):
        with (room / HELD).open("ab") as file:
            ended = instance_lock.claim(file)
        if ended:
            shutil.rmtree(room, ignore_errors=True)
