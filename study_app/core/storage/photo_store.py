"""Where photos of tables are stored: the original under its SHA-256, and a copy for the screen."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from study_app.core.config import Settings
from study_app.core.storage.whole_files import write_whole


def keep(settings: Settings, content: bytes) -> str:
    """Write the original into the instance folder under its SHA-256; return that name."""
    sha256 = hashlib.sha256(content).hexdigest()
    path = original_path(settings, sha256)
    if not path.exists():
        write_whole(path, content)
    return sha256


def forget(settings: Settings, photos: Iterable[str]) -> None:
    """Delete the files of photos, by SHA-256, that no row refers to."""
    for sha256 in photos:
        original_path(settings, sha256).unlink(missing_ok=True)
        screen_path(settings, sha256).unlink(missing_ok=True)


def original_path(settings: Settings, sha256: str) -> Path:
    """The original file with the camera's metadata: never served, never exported."""
    return _place(settings, sha256, "")


def screen_path(settings: Settings, sha256: str) -> Path:
    """The copy for the screen, re-encoded from the pixels."""
    return _place(settings, sha256, ".jpg")


def _place(settings: Settings, sha256: str, ending: str) -> Path:
    return Path(settings.instance) / "photos" / sha256[:2] / (sha256 + ending)
