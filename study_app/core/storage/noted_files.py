"""Files in the store while their rows are not written yet, noted so that none is left without one.

They are noted before they are written, so that what a fault or a killed process leaves is deleted:
at once, or later if the database cannot be reached.
"""

import contextlib
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from study_app.core.config import Settings
from study_app.core.database import instance_lock

# Deletes those of the files, by SHA-256, that no row names.
Forget = Callable[[Settings, Iterable[str]], None]


@contextmanager
def noted(
    settings: Settings, kind: str, forget: Forget, handed_over: type[Exception] | tuple[()] = ()
) -> Iterator[Callable[[str], None]]:
    """Yields a function that notes the SHA-256 of a file before it is written.

    Parameters
    ----------
    settings : Settings
    kind : str
        The folder of the notes, in the instance folder.
    forget : callable (settings, names)
    handed_over : exception, optional
        After it the files belong to another process, and only `clear` deletes what is not used.
    """
    folder = _folder(settings, kind)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / secrets.token_hex(8)
    with path.open("ab") as file:
        instance_lock.claim(file)

        def note(sha256: str) -> None:
            file.write(sha256.encode() + b"\n")
            file.flush()

        try:
            yield note
        except handed_over:
            raise
        except BaseException:
            # No database, or a full disk: they are cleared later.
            with contextlib.suppress(Exception):
                forget(settings, _names_in(path))
                file.truncate(0)
            raise
    path.unlink(missing_ok=True)


def clear(settings: Settings, kind: str, forget: Forget) -> None:
    """Delete what ended processes left; running ones lock their notes."""
    for path in _folder(settings, kind).glob("*"):
        with path.open("ab") as file:
            ended = instance_lock.claim(file)
            if ended:
                forget(settings, _names_in(path))
        if ended:
            path.unlink(missing_ok=True)


def _names_in(path: Path) -> set[str]:
    noted_before = path.read_text(encoding="utf-8").split()
    # The last line may be cut off.
    return {sha256 for sha256 in noted_before if len(sha256) == 64}


def _folder(settings: Settings, kind: str) -> Path:
    return Path(settings.instance) / kind
