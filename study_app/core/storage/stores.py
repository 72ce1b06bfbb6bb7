"""Storage of an installation's files: the instance folder, or an S3-compatible object store.

Names such as "photos/ab/abcd…" are made by this program, never taken from outside.
"""

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO, NamedTuple, Protocol, Self

from study_app.core.errors import StudyError
from study_app.core.text.languages import gettext, rgettext, translatable

_NAME = re.compile(r"[a-z]+(/[a-z0-9][a-z0-9._-]*)+")


class FileMissing(StudyError):
    """A stored file is missing."""

    status = 404

    def __init__(self, name: str) -> None:
        super().__init__(
            gettext(
                "A stored file is missing (%(name)s); import the same sketches again, or "
                "restore a backup.",
                name=name,
            )
        )
        self.name = name


class FileDamaged(StudyError):
    """A stored file is damaged."""

    status = 404

    def __init__(self, name: str) -> None:
        super().__init__(
            gettext(
                "A stored file is damaged and was set aside (%(name)s); import the same "
                "sketches again, or restore a backup.",
                name=name,
            )
        )
        self.name = name


class StoreUnavailable(StudyError):
    """The object store refused a request or did not answer.

    Its message is for commands and the log; pages show `ON_PAGES`.
    """

    status = 503
    ON_PAGES = translatable(
        "The files are not available now; nothing was half-saved. Try again soon."
    )

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(
            rgettext(
                "The object store %(address)s did not complete a request. Check its address, "
                "the bucket and the AWS_… settings, then try again. It says “%(reason)s”.",
                address=address,
                reason=reason,
            )
        )


class Opened(NamedTuple):
    """An open file, seekable; its size in bytes, and a tag that changes with its content."""

    file: IO[bytes]
    size: int
    tag: str

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *fault: object) -> None:
        self.file.close()


class Store(Protocol):
    """Files by name; each is written completely or not at all."""

    def __hash__(self) -> int: ...

    def check(self) -> None:
        """Refuse a store that does not answer. Raises `StoreUnavailable`."""

    def put(self, name: str, content: bytes, durable: bool = True) -> None:
        """Write a file; with `durable`, wait until it survives a power cut."""

    def move_in(self, name: str, path: Path) -> None:
        """Move a finished file from the instance folder into the store."""

    def get(self, name: str) -> bytes:
        """The content. Raises `FileMissing`."""

    def opened(self, name: str) -> Opened:
        """An open file, to be closed by the caller. Raises `FileMissing`."""

    def local(self, name: str, folder: Path) -> Path:
        """A path to read the file at: its own, or that of a copy in `folder`."""

    def rename(self, name: str, new_name: str) -> None:
        """Give a file another name; nothing happens if it is missing."""

    def delete(self, name: str) -> None:
        """Delete a file; nothing happens if it is missing."""

    def exists(self, name: str) -> bool:
        """Whether the file exists."""

    def absent(self, names: Collection[str]) -> list[str]:
        """Those of the files that are missing, in the given order."""

    def bytes_in(self, prefix: str) -> int:
        """Total size in bytes of the files that `names` lists."""

    def names(self, prefix: str) -> Iterator[str]:
        """The files of a folder such as "photos" and of the folders in it, in any order.

        Files that this program does not make (`.DS_Store`, someone's pictures) are left out.
        """


def checked(name: str) -> str:
    """The name, if it is one that this program makes.

    Raises
    ------
    ValueError
        If the name is not one of this program's.
    """
    if not is_name(name):
        raise ValueError(f"{name[:80]!r} is not the name of a stored file")
    return name


def is_name(name: str) -> bool:
    """Whether this program makes such names."""
    return bool(_NAME.fullmatch(name))
