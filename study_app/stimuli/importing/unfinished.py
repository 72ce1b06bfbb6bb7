"""Pictures of an import that are on disk while their rows are not written yet.

An import writes each file when it is made and all rows at its end. What a fault or a killed server
leaves between the two is cleared by the import itself, or else when a server starts. Only files
that were noted are ever deleted.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager

from study_app.core.background.jobs import TakenOver
from study_app.core.config import Settings
from study_app.core.storage import noted_files
from study_app.stimuli import stimuli

FOLDER = "unfinished"


def noted(settings: Settings) -> AbstractContextManager[Callable[[str], None]]:
    """Yields a function that notes the SHA-256 of a picture before its files are written."""
    return noted_files.noted(settings, FOLDER, stimuli.forget_pictures, TakenOver)


def clear(settings: Settings) -> None:
    """Delete what ended imports left."""
    noted_files.clear(settings, FOLDER, stimuli.forget_pictures)
