"""Atomic output: results are written to a temporary path and renamed when complete."""

import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from basics.errors import OutputError
from basics.system_messages import system_reason
from basics.wordings import Wording

UNFINISHED = ".sketch-study-unfinished-"
# Seconds; no command writes this long without touching a file.
ABANDONED_SECONDS = 24 * 3600


@contextmanager
def output_file(path: str | Path, force: bool = False) -> Iterator[Path]:
    """Yield a temporary path; on success it becomes `path`, on an error it is deleted.

    Parameters
    ----------
    path : str or Path
    force : bool
        Overwrite an existing file.

    Yields
    ------
    Path
        In a folder beside `path`, under the same name.

    Raises
    ------
    OutputError
        If `path` is a folder, or exists and `force` is false.
    """
    target = Path(path)
    if target.is_dir():
        raise OutputError("is a folder; name a file", target)
    refuse_existing([target], force)
    with _folder_beside(target.parent) as folder:
        written = folder / target.name
        yield written
        written.replace(target)


@contextmanager
def output_folder(path: str | Path, force: bool = False) -> Iterator[Path]:
    """Yield a temporary folder; its files move into `path` on success only.

    Parameters
    ----------
    path : str or Path
        Created if it does not exist; other files in it are kept.
    force : bool
        Overwrite existing files.

    Yields
    ------
    Path
        A folder beside `path`, empty.

    Raises
    ------
    OutputError
        If `path` already has a file of that name and `force` is false.
    """
    target = Path(path)
    if target.exists() and not target.is_dir():
        raise OutputError("is a file; name a folder", target)
    with _folder_beside(target.parent) as folder:
        yield folder
        files = sorted(p.relative_to(folder) for p in folder.rglob("*") if p.is_file())
        refuse_existing([target / name for name in files], force)
        for name in files:
            with _refuse_unwritable(target / name):
                (target / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).replace(target / name)


def refuse_existing(paths: Iterable[Path], force: bool) -> None:
    """Check that files may be written; called before long work with the paths that it will write.

    Parameters
    ----------
    paths : iterable of Path
    force : bool
        Allow existing files.

    Raises
    ------
    OutputError
        If one of the paths exists and `force` is false.
    """
    existing = [p for p in paths if p.exists()]
    if existing and not force:
        raise OutputError("already exists; choose another path or give --force", existing[0])


@contextmanager
def _folder_beside(parent: Path) -> Iterator[Path]:
    """A temporary folder on the same disk, deleted afterwards."""
    with _refuse_unwritable(parent):
        parent.mkdir(parents=True, exist_ok=True)
        # First, since what killed processes left may be why the disk is full.
        _clear_abandoned(parent)
        folder = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _refuse_unwritable(path: Path) -> Iterator[None]:
    """Name this path, not a temporary one, if it cannot be written to."""
    try:
        yield
    except OSError as reason:
        finding = Wording(
            "cannot be written to (%(reason)s); choose another path", reason=system_reason(reason)
        )
        raise OutputError(finding, path) from reason


def _clear_abandoned(parent: Path) -> None:
    """Delete folders of processes that were killed, which may contain a whole backup."""
    for folder in parent.glob(f"{UNFINISHED}*"):
        with suppress(OSError):
            newest = max(path.stat().st_mtime for path in (folder, *folder.rglob("*")))
            if newest < time.time() - ABANDONED_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)
