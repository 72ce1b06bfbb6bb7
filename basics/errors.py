"""The base class of all errors about input."""

from pathlib import Path
from typing import Self


class Refusal(ValueError):
    """Input that cannot be used; `str()` says where, what is wrong, and what to do.

    Parameters
    ----------
    finding : str
        What is wrong and what to do, without the place.
    file : path, optional
        The file it was found in. `str()` then begins with ``file:line:``, which editors turn into a
        link.
    line : int, optional
        Line in the file, from 1.
    """

    def __init__(self, finding: str, file: str | Path | None = None, line: int | None = None):
        super().__init__(finding, file, line)
        self.finding, self.file, self.line = finding, file, line

    def __str__(self) -> str:
        place = [str(part) for part in (self.file, self.line) if part is not None]
        return ": ".join([":".join(place), self.finding]) if place else self.finding

    def in_file(self, name: str) -> Self:
        """The same error, reported under another file name, such as that of an upload."""
        # The attributes of subclasses are kept as well.
        renamed = type(self).__new__(type(self), self.finding, name, self.line)
        renamed.__dict__.update(self.__dict__, file=name)
        return renamed


class OutputError(Refusal):
    """A path that cannot be written to."""
