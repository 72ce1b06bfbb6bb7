"""Pictures of an import that are on disk while their rows are not written yet.

An import writes each file when it is made and all rows at its end. What a fault or a killed server
leaves between the two is noted here, picture by picture, so that it can be cleared: by the import
itself, or else when a server starts. Only files that were noted are ever deleted.
"""

import contextlib
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from study_app.core.background.jobs import TakenOver
from study_app.core.config import Settings
from study_app.core.database import instance_lock
from study_app.stimuli import stimuli


@contextmanager
def noted(settings: Settings) -> Iterator[Callable[[str], None]]:
    """Yields a function that notes the SHA-256 of a picture before its files are written."""
    folder = _folder(settings)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / secrets.token_hex(8)
    with path.open("ab") as file:
        instance_lock.claim(file)

        def note(sha256: str) -> None:
            file.write(sha256.encode() + b"\n")
            file.flush()

        try:
            yield note
        except TakenOver:
            # They are now of another worker; the start of a server clears what it does not use.
            raise
        except BaseException:
            # No database, or a full disk: the next start of a server clears them.
            with contextlib.suppress(Exception):
                _forget(settings, path)
                file.truncate(0)
            raise
    path.unlink(missing_ok=True)


def clear(settings: Settings) -> None:
    """Delete what ended imports left; running imports lock their notes."""
    for path in _folder(settings).glob("*"):
        with path.open("ab") as file:
            ended = instance_lock.claim(file)
            if ended:
                _forget(settings, path)
        if ended:
            path.unlink(missing_ok=True)


def _forget(settings: Settings, path: Path) -> None:
    noted_before = path.read_text(encoding="utf-8").split()
    # The last line may be cut off.
    whole = {sha256 for sha256 in noted_before if len(sha256) == 64}
    stimuli.forget_pictures(settings, whole)


def _folder(settings: Settings) -> Path:
    return Path(settings.instance) / "unfinished"
