"""Copies of the database in the instance folder that still contain data deleted since.

An upgrade leaves a copy of the earlier database; a restore leaves a backup of what it replaced.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

PATTERNS = ("*.before-*.sqlite3*", "*.before-*.zip", "replaced*.zip")


class OlderCopy(NamedTuple):
    """A copy in the instance folder."""

    name: str
    written_at: datetime


def older_copies(instance: Path) -> list[OlderCopy]:
    """Copies of earlier states, the oldest first."""
    paths = [path for pattern in PATTERNS for path in Path(instance).glob(pattern)]
    found = [OlderCopy(p.name, datetime.fromtimestamp(p.stat().st_mtime, UTC)) for p in paths]
    return sorted(found, key=lambda copy: copy.written_at)


def delete_older_copies(instance: Path) -> int:
    """Delete them all; how many there were."""
    found = older_copies(instance)
    for copy in found:
        (Path(instance) / copy.name).unlink(missing_ok=True)
    return len(found)
