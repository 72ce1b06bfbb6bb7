"""The one kind of error with which the libraries refuse what they are given."""

from pathlib import Path
from typing import Self


class Refusal(ValueError):
    """Something that cannot be used; `str()` says where, what, and what to do.

    Parameters
    ----------
    finding : str
        What is wrong and what to do, without its place.
    file : path, optional
        The file that it was found in. `str()` begins with ``file:line:`` then, so that it can be
        clicked in an editor.
    line : int, optional
        Of the file, from 1.
    """

    def __init__(self, finding: str, file: str | Path | None = None, line: int | None = None):
        super().__init__(finding, file, line)
        self.finding, self.file, self.line = finding, file, line

    def __str__(self) -> str:
        place = [str(part) for part in (self.file, self.line) if part is not None]
        return ": ".join([":".join(place), self.finding]) if place else self.finding

    def in_file(self, name: str) -> Self:
        """The same finding in a file that people know by another name, such as an upload."""
        # Whatever a subclass is made with, its facts stay as they are.
        renamed = type(self).__new__(type(self), self.finding, name, self.line)
        renamed.__dict__.update(self.__dict__, file=name)
        return renamed


class OutputError(Refusal):
    """A place that cannot be written to."""
