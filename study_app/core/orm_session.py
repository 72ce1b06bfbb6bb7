"""A database session whose objects outlive the moment in which it lets go of them.

CPython 3.11 may collect garbage in the midst of giving an object its attribute dictionary. Where
the collection takes away the very thing whose weak reference calls back into that object, the
object gets two dictionaries of the same values, and the process dies. SQLAlchemy's state of an
instance is such an object, and detaching it writes such an attribute: `Session.expunge_all`, which
`Session.close` calls, dies with any objects that refer to each other and to nothing else. A page
with a Jinja macro and a thousand rows is enough. (Seen with SQLAlchemy 2.1.9 on CPython 3.11.7, and
without SQLAlchemy in twenty lines: see the test.) Python 3.12 and later collect between two steps
of a program only.
"""

import sys

from flask_sqlalchemy.session import Session

_COLLECTS_AMID = sys.version_info < (3, 12)


class CarefulSession(Session):
    """No object of the session becomes garbage while the session detaches it."""

    if _COLLECTS_AMID:

        def expunge_all(self) -> None:
            """Let go of every object, none of which goes before the last is detached."""
            objects = list(self.identity_map.values())
            super().expunge_all()
            objects.clear()
