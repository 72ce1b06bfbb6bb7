"""Start-up cleanup: removal of what a killed server left unfinished."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

from study_app.core import database
from study_app.core.background import jobs, workers
from study_app.core.config import Settings
from study_app.core.storage import work_folder
from study_app.core.storage.whole_files import PARTIAL
from study_app.operations.backup import KEPT_KINDS
from study_app.stimuli.importing import unfinished, uploads

# Longer than another process, such as an import at a terminal, needs to write a file.
OLD_SECONDS = 3600
HALF_WRITTEN = (PARTIAL, "secret_key-")


def clear(settings: Settings, *, alone: bool) -> None:
    """Remove unfinished files, and mark jobs as interrupted.

    Complete pictures, photos and rows are never touched, whether a row names them or not.

    Parameters
    ----------
    settings : study_app.core.config.Settings
    alone : bool
        Whether no other server of the installation runs. Otherwise jobs may be running elsewhere.
    """
    if alone:
        # A server that was killed after a withdrawal may have left deleted rows.
        database.scrub()
        workers.mark_interrupted()
    clear_after_jobs(settings, alone=alone)
    for path in _half_written(Path(settings.instance)):
        if path.stat().st_mtime < time.time() - OLD_SECONDS:
            path.unlink(missing_ok=True)


def clear_after_jobs(settings: Settings, *, alone: bool) -> None:
    """Remove the unfinished files of jobs whose process ended; those of other jobs stay.

    Parameters
    ----------
    settings : study_app.core.config.Settings
    alone : bool
        Whether no other process runs jobs of the installation.
    """
    # A job repeats the import of a host that died: what that host noted may be stored again now.
    if alone or not jobs.are_running():
        unfinished.clear(settings)
    work_folder.clear(settings)
    uploads.discard_ended(settings)


def _half_written(instance: Path) -> Iterator[Path]:
    folders = [instance, *(place for kind in KEPT_KINDS for place in instance.glob(f"{kind}/*/"))]
    for folder in folders:
        with os.scandir(folder) as entries:
            # A folder may contain 100,000 files; only half-written ones become paths.
            yield from [Path(e.path) for e in entries if e.name.startswith(HALF_WRITTEN)]
