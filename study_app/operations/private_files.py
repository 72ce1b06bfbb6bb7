"""Files that only their owner may read: the folder of an installation, and what is backed up."""

import os
from pathlib import Path

FOLDER, FILE = 0o700, 0o600
OTHERS_NOTHING = 0o077


def begin() -> None:
    """Let every file that this process makes be its owner's alone; Windows has no such bits."""
    os.umask(OTHERS_NOTHING)


def protect(instance: Path) -> int:
    """Take what others may read of an installation from them, also where it was there before.

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
        # An import beside it may have renamed it.
        return False
    return True
