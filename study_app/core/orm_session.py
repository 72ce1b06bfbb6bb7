"""A database session during whose bookkeeping no garbage is collected.

CPython 3.11 may collect garbage in the midst of giving an object its attribute dictionary. When a
session lets go of all it holds, and just then the very object goes whose state is being written,
SQLAlchemy writes to the same state from within: memory is freed twice and the process dies. A page
with a Jinja macro and a thousand rows is enough. Python 3.12 and later collect between two steps of
a program only, so there nothing has to wait.
"""

import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flask_sqlalchemy.session import Session

_COLLECTS_AMID = sys.version_info < (3, 12)
_lock = threading.RLock()
_holding = 0
_collected = True


@contextmanager
def _no_collecting() -> Iterator[None]:
    """Garbage waits until the last thread that is in here has left."""
    global _holding, _collected
    with _lock:
        if not _holding:
            _collected = gc.isenabled()
            gc.disable()
        _holding += 1
    try:
        yield
    finally:
        with _lock:
            _holding -= 1
            if not _holding and _collected:
                gc.enable()


class CarefulSession(Session):
    """What looks through every object of the session is not disturbed by a collection."""

    if _COLLECTS_AMID:

        def close(self) -> None:
            with _no_collecting():
                super().close()

        def commit(self) -> None:
            with _no_collecting():
                super().commit()

        def rollback(self) -> None:
            with _no_collecting():
                super().rollback()

        def expire_all(self) -> None:
            with _no_collecting():
                super().expire_all()

        def expunge_all(self) -> None:
            with _no_collecting():
                super().expunge_all()
