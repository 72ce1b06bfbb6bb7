"""Opening a .zip whose list of files may be hostile: it is refused before it is in memory."""

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


class ListTooLong(Exception):
    """The list of files in a .zip is longer than allowed."""


class _Bounded(io.FileIO):
    """A file that gives no more than so many bytes at once while `most` is set."""

    most: int | None = None

    def read(self, size: int | None = -1, /) -> bytes:
        """Read, as any file; `zipfile` reads the list of an archive at once."""
        if self.most is not None and size is not None and size > self.most:
            raise ListTooLong
        return super().read(size) or b""


@contextmanager
def opened(source: Path | IO[bytes], most_bytes: int) -> Iterator[zipfile.ZipFile]:
    """An open archive.

    The length of the list is not looked up beforehand: an archive can declare several.

    Parameters
    ----------
    source : Path or open file
    most_bytes : int
        Longest accepted list; each file takes 46 bytes and its name in it, and ten times as much in
        memory. At least the 65 KB of the record at the end of a .zip.

    Raises
    ------
    ListTooLong
    Exception
        For a hostile file, `zipfile` raises many kinds.
    """
    place = source if isinstance(source, Path) else source.fileno()
    with _Bounded(place, closefd=isinstance(source, Path)) as file:
        file.most = most_bytes
        with zipfile.ZipFile(file) as archive:
            file.most = None
            yield archive
