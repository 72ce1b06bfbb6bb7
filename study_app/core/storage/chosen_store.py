"""The store of an installation, according to its settings."""

from functools import lru_cache
from pathlib import Path

from study_app.core.config import Settings
from study_app.core.storage.folder_store import FolderStore
from study_app.core.storage.stores import Store


def store_of(settings: Settings) -> Store:
    """The store of an installation."""
    return _made(settings.instance, settings.files)


@lru_cache(maxsize=8)
def _made(instance: Path, files: str) -> Store:
    if not files:
        return FolderStore(Path(instance))
    # Imported here: most installations need no library for an object store.
    from study_app.core.storage.object_store import ObjectStore

    return ObjectStore(files)
