"""A database session that keeps its objects alive while it detaches them, and can read alone.

CPython 3.11 may collect garbage while it creates an object's attribute dictionary. If the
collection removes the object whose weak reference calls back into that object, the object gets two
dictionaries of the same values, and the process crashes. SQLAlchemy's state of an instance is such
an object, and detaching it writes such an attribute: `Session.expunge_all`, which `Session.close`
calls, crashes with objects that refer only to each other. A page with a Jinja macro and a thousand
rows is enough. (Seen with SQLAlchemy 2.1.9 on CPython 3.11.7, and without SQLAlchemy in twenty
lines: see the test.) Python 3.12 and later collect only between bytecode instructions.
"""

import sys
from functools import lru_cache
from typing import Any

from flask_sqlalchemy.session import Session
from sqlalchemy import Connection, Engine

_COLLECTS_AMID = sys.version_info < (3, 12)
_ALONE = "reads_alone"


class CarefulSession(Session):
    """A session whose objects do not become garbage while they are detached."""

    def read_alone(self) -> None:
        """Only read from now on: each statement by itself, without a transaction around them."""
        self.info[_ALONE] = _without_transactions(self._db.engine)

    def read_together(self) -> None:
        """Have transactions again, from the next one on."""
        self.info.pop(_ALONE, None)

    def get_bind(self, *args: Any, **kwargs: Any) -> Engine | Connection:
        """The engine of the next statement."""
        return self.info.get(_ALONE) or super().get_bind(*args, **kwargs)

    if _COLLECTS_AMID:

        def expunge_all(self) -> None:
            """Detach all objects, keeping each alive until the last is detached."""
            objects = list(self.identity_map.values())
            super().expunge_all()
            objects.clear()


# Each request asks for it, and it is always the same.
@lru_cache(maxsize=1)
def _without_transactions(engine: Engine) -> Engine:
    return engine.execution_options(isolation_level="AUTOCOMMIT")
