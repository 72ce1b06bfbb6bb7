"""Cache of slow results that jobs compute, in the file store: for all hosts, and after a restart.

Results are compressed pickles, signed with the secret key, so that write access to the store alone
does not make a server run code. Their names depend on the program, so that a result of another
version is never read; they are deleted before other rows are restored.
"""

import gzip
import hashlib
import hmac
import logging
import pickle
from collections.abc import Callable, Collection
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from flask import current_app

from study_app.core.config import Settings
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.stores import FileMissing
from study_app.core.storage.work_folder import work_folder

log = logging.getLogger(__name__)

FOLDER = "results"
SIGNATURE_BYTES = 32
# Packages whose code decides what a result is.
PACKAGES = ("analysis", "basics", "study_app")


def fetch(about: tuple[str, int], mark: object) -> Any:
    """The result of a set or task at a fingerprint, or None.

    Parameters
    ----------
    about : (str, int)
        Kind of result, and id of the set or task.
    mark : object
        Fingerprint of the judgments behind it.
    """
    name = _name(about, mark)
    try:
        stored = memoryview(store_of(_settings()).get(name))
    except FileMissing:
        return None
    content, signature = stored[:-SIGNATURE_BYTES], stored[-SIGNATURE_BYTES:]
    if not hmac.compare_digest(signature, _signature(name, content)):
        log.error("a stored result is not signed with this server's secret key: %s", name)
        return None
    with gzip.open(BytesIO(content)) as pickled:
        return pickle.load(pickled)


def put(
    about: tuple[str, int], mark: object, result: object, is_current: Callable[[], bool]
) -> None:
    """Store a result, and delete older ones of the same set or task.

    Parameters
    ----------
    about, mark
        As for `fetch`.
    result : object
    is_current : callable
        Whether the judgments are still the same. If not, for example because somebody withdrew
        while it was written, the result is deleted again.
    """
    settings = _settings()
    store, name = store_of(settings), _name(about, mark)
    older = [one for one in store.names(_folder(about)) if one != name]
    with work_folder(settings) as folder:
        # A large result is in memory once, without a pickle beside it.
        path = folder / "result"
        with gzip.open(path, "wb", compresslevel=1) as pickled:
            pickle.dump(result, pickled, protocol=pickle.HIGHEST_PROTOCOL)
        signature = _signature(name, path.read_bytes())
        with path.open("ab") as file:
            file.write(signature)
        store.move_in(name, path)
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
    about, mark, is_current
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

    Called after a withdrawal, before other rows are restored or a new database is created, and
    before other servers of an installation may start.
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
    of_input = hashlib.sha256(repr((program(), mark)).encode())
    return f"{_folder(about)}/{of_input.hexdigest()}"


@cache
def program() -> str:
    """A hash of the code that computes results."""
    root, code = Path(__file__).parents[3], hashlib.sha256()
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            code.update(path.read_bytes())
    return code.hexdigest()


def _signature(name: str, content: bytes | memoryview) -> bytes:
    key = b"results" + current_app.config["SECRET_KEY"]
    signed = hmac.new(key, name.encode() + b"\0", "sha256")
    signed.update(content)
    return signed.digest()
