"""Cache of slow results that jobs compute, in the file store, for the web processes of all hosts.

Results are pickles, signed with the secret key, so that write access to the store alone does not
make a server run code. On SQLite, the same process computes and shows them, so they are not stored
here; large files for download are stored with every database.
"""

import hashlib
import hmac
import logging
import pickle
import zlib
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from flask import current_app

from study_app.core.config import Settings
from study_app.core.database import is_sqlite
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.stores import FileMissing

log = logging.getLogger(__name__)

FOLDER = "results"
MARK_BYTES = 32


def fetch(about: tuple[str, int], mark: object) -> Any:
    """The result of a set or task at a fingerprint, or None.

    Parameters
    ----------
    about : (str, int)
        Kind of result, and id of the set or task.
    mark : object
        Fingerprint of the judgments behind it.
    """
    settings = _settings()
    if is_sqlite(settings.database_url):
        return None
    name = _name(about, mark)
    try:
        stored = store_of(settings).get(name)
    except FileMissing:
        return None
    signature, content = stored[:MARK_BYTES], stored[MARK_BYTES:]
    if not hmac.compare_digest(signature, _signature(name, content)):
        log.error("a stored result is not signed with this server's secret key: %s", name)
        return None
    return pickle.loads(zlib.decompress(content))


def put(
    about: tuple[str, int], mark: object, result: object, is_current: Callable[[], bool]
) -> None:
    """Store a result, and delete older ones of the same set or task.

    Parameters
    ----------
    about, mark
        As for `fetch`.
    result : object
    holds : callable
        Whether the judgments are still the same. If not, for example because somebody withdrew
        while it was written, the result is deleted again.
    """
    settings = _settings()
    if is_sqlite(settings.database_url):
        return
    store, name = store_of(settings), _name(about, mark)
    older = [one for one in store.names(_folder(about)) if one != name]
    content = zlib.compress(pickle.dumps(result), 1)
    store.put(name, _signature(name, content) + content, durable=False)
    for outdated in older if is_current() else [*older, name]:
        store.delete(outdated)


def file_name(about: tuple[str, int], mark: object, name: str) -> str:
    """The name in the store of a file of a set or task at a fingerprint."""
    return f"{_name(_files(about), mark)}/{name}"


def has_files(about: tuple[str, int], mark: object, names: Collection[str]) -> bool:
    """Whether all of these files are stored."""
    wanted = [file_name(about, mark, name) for name in names]
    return not store_of(_settings()).absent(wanted)


def put_files(
    about: tuple[str, int], mark: object, folder: Path, is_current: Callable[[], bool]
) -> None:
    """Move the files of a folder into the store, and delete older ones of the same set or task.

    Parameters
    ----------
    about, mark, holds
        As for `put`.
    folder : Path
        In the instance folder, such as `study_app.core.storage.work_folder` makes.
    """
    store = store_of(_settings())
    older = list(store.names(_folder(_files(about))))
    new = {file_name(about, mark, path.name): path for path in sorted(folder.iterdir())}
    for name, path in new.items():
        store.move_in(name, path)
    for outdated in set(older) - new.keys() if is_current() else {*older, *new}:
        store.delete(outdated)


def delete_all(settings: Settings) -> None:
    """Delete every result and the files written from it.

    Called after a withdrawal, and before another version of the program may start.
    """
    store = store_of(settings)
    for name in list(store.names(FOLDER)):
        store.delete(name)


def _settings() -> Settings:
    settings: Settings = current_app.config["SETTINGS"]
    return settings


def _folder(about: tuple[str, int]) -> str:
    return f"{FOLDER}/{about[0]}-{about[1]}"


def _files(about: tuple[str, int]) -> tuple[str, int]:
    return f"files-{about[0]}", about[1]


def _name(about: tuple[str, int], mark: object) -> str:
    return f"{_folder(about)}/{hashlib.sha256(repr(mark).encode()).hexdigest()}"


def _signature(name: str, content: bytes) -> bytes:
    key = b"results" + current_app.config["SECRET_KEY"]
    return hmac.digest(key, name.encode() + b"\0" + content, "sha256")
