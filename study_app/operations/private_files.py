"""File permissions: only the owner may read an instance folder and its backups."""

import os
from pathlib import Path

FOLDER, FILE = 0o700, 0o600
OTHERS_NOTHING = 0o077


def begin() -> None:
    """Make new files of this process readable by their owner only; without effect on Windows."""
    os.umask(OTHERS_NOTHING)


def protect(instance: Path) -> int:
    """Make an existing installation readable by its owner only.

    Parameters
    ----------
    instance : Path

    Returns
    -------
    int
        How many files and folders were changed.
    """
    if os.name != "posix":
        return 0
    changed = int(_set(instance, FOLDER))
    for folder, folders, files in os.walk(instance):
        changed += sum(_set(Path(folder) / name, FOLDER) for name in folders)
        changed += sum(_set(Path(folder) / name, FILE) for name in files)
    return changed


def _set(path: Path, mode: int) -> bool:
    try:
        if path.is_symlink() or path.stat().st_mode & 0o777 == mode:
            return False
        path.chmod(mode)
    except FileNotFoundError:
        # A running import may have renamed it.
        return False
    return True
