"""Storage of photos: the original under its SHA-256, and a copy for the screen."""

import hashlib
from collections.abc import Iterable

from study_app.core.config import Settings
from study_app.core.storage import content
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.pictures import stored_name


def save(settings: Settings, photo: bytes) -> str:
    """Store the original under its SHA-256; return that name."""
    sha256 = name_of(photo)
    store, name = store_of(settings), original_name(sha256)
    if not store.exists(name):
        store.put(name, photo)
    return sha256


def name_of(photo: bytes) -> str:
    """The SHA-256 under which a photo is stored."""
    return hashlib.sha256(photo).hexdigest()


def original(settings: Settings, sha256: str) -> bytes:
    """The original as it was uploaded.

    Raises
    ------
    study_app.core.storage.stores.FileMissing, FileDamaged
    """
    return content.read(store_of(settings), original_name(sha256))


def delete(settings: Settings, photos: Iterable[str]) -> None:
    """Delete the files of photos, by SHA-256, that no row refers to."""
    store = store_of(settings)
    for sha256 in photos:
        content.delete(store, original_name(sha256))
        content.delete(store, screen_name(sha256))


def original_name(sha256: str) -> str:
    """The original file with the camera's metadata: never served, never exported."""
    return stored_name("photos", sha256)


def screen_name(sha256: str) -> str:
    """The copy for the screen, re-encoded from the pixels."""
    return stored_name("photos", sha256, ".jpg")
