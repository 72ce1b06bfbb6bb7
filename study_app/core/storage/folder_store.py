"""Files in the instance folder; a file's name is its path."""

import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from study_app.core.storage.stores import FileMissing, Opened, checked, is_name
from study_app.core.storage.whole_files import write_whole

SHORT_LIVED = ("uploads/", "prints/", "results/")


class FolderStore:
    """A store in a folder.

    Parameters
    ----------
    root : Path
        The instance folder.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def check(self) -> None:
        pass

    def put(self, name: str, content: bytes, durable: bool = True) -> None:
        write_whole(self._path(name), content, durable)

    def move_in(self, name: str, path: Path) -> None:
        target = self._path(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        path.replace(target)

    def get(self, name: str) -> bytes:
        try:
            return self._path(name).read_bytes()
        except FileNotFoundError:
            raise FileMissing(name) from None

    def opened(self, name: str) -> Opened:
        try:
            file = self._path(name).open("rb")
        except FileNotFoundError:
            raise FileMissing(name) from None
        about = os.fstat(file.fileno())
        return Opened(file, about.st_size, f"{about.st_mtime_ns:x}-{about.st_size:x}")

    def local(self, name: str, folder: Path) -> Path:
        path = self._path(name)
        if not path.is_file():
            raise FileMissing(name)
        return path

    def rename(self, name: str, new_name: str) -> None:
        target = self._path(new_name)
        target.parent.mkdir(parents=True, exist_ok=True)
        if (path := self._path(name)).is_file():
            path.replace(target)

    def delete(self, name: str) -> None:
        path = self._path(name)
        path.unlink(missing_ok=True)
        # Delete the empty folders of short-lived files; those of pictures are used again.
        if name.startswith(SHORT_LIVED):
            with suppress(OSError):
                path.parent.rmdir()

    def exists(self, name: str) -> bool:
        return self._path(name).is_file()

    def absent(self, names: Collection[str]) -> list[str]:
        return [name for name in names if not self.exists(name)]

    def bytes_in(self, prefix: str) -> int:
        return sum(self._path(name).stat().st_size for name in self.names(prefix))

    def names(self, prefix: str) -> Iterator[str]:
        for folder, _folders, files in os.walk(self._path(f"{prefix}/all").parent):
            place = Path(folder).relative_to(self._root).as_posix()
            yield from (name for file in files if is_name(name := f"{place}/{file}"))

    def _path(self, name: str) -> Path:
        return self._root / checked(name)
