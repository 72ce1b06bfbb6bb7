"""A database session that keeps its objects alive while it detaches them.

CPython 3.11 may collect garbage while it creates an object's attribute dictionary. If the
collection removes the object whose weak reference calls back into that object, the object gets two
dictionaries of the same values, and the process crashes. SQLAlchemy's state of an instance is such
an object, and detaching it writes such an attribute: `Session.expunge_all`, which `Session.close`
calls, crashes with objects that refer only to each other. A page with a Jinja macro and a thousand
rows is enough. (Seen with SQLAlchemy 2.1.9 on CPython 3.11.7, and without SQLAlchemy in twenty
lines: see the test.) Python 3.12 and later collect only between bytecode instructions.
"""

import sys

from flask_sqlalchemy.session import Session

_COLLECTS_AMID = sys.version_info < (3, 12)


class CarefulSession(Session):
    """A session whose objects do not become garbage while they are detached."""

    if _COLLECTS_AMID:

        def expunge_all(self) -> None:
            """Detach all objects, keeping each alive until the last is detached."""
            objects = list(self.identity_map.values())
            super().expunge_all()
            objects.clear()
