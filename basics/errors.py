"""The base class of all errors about input."""

from pathlib import Path
from typing import Self

from basics.wordings import Wording


class Refusal(ValueError):
    """Input that cannot be used; `str()` says where, what is wrong, and what to do.

    Parameters
    ----------
    finding : str
        What is wrong and what to do, without the place; a `Wording` if it contains values, so that
        it can be translated.
    file : path, optional
        The file with the error. `str()` then begins with ``file:line:``, which editors turn into a
        link.
    line : int, optional
        Line in the file, from 1.
    """

    def __init__(self, finding: str, file: str | Path | None = None, line: int | None = None):
        super().__init__(finding, file, line)
        self.finding = finding if isinstance(finding, Wording) else Wording(finding)
        self.file, self.line = file, line

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        if not place:
            return self.finding
        return Wording("%(place)s: %(finding)s", place=place, finding=self.finding)

    def in_file(self, name: str | None) -> Self:
        """The same error with another file name, or none, such as on a page that names the file."""
        # Attributes of subclasses are copied, too.
        renamed = type(self).__new__(type(self), self.finding, name, self.line)
        renamed.__dict__.update(self.__dict__, file=name)
        return renamed


class OutputError(Refusal):
    """A path that cannot be written to."""
