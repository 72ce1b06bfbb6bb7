"""Files on their way from a browser: they arrive in pieces, and lie apart until all are here.

A file is stored under its number; the name that the browser gave is a name and never a path.
"""

import io
import json
import secrets
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from study_app.core.config import Settings
from study_app.core.errors import NotFound, StudyError
from study_app.core.jobs import TakenOver
from study_app.core.names import clean_name
from study_app.stimuli.importing.sources import LONGEST_PATH, Named

STALE_SECONDS = 2 * 24 * 3600
MOST_FILES = 100_000
MOST_BYTES = 20_000_000_000


class PieceRefused(StudyError):
    """A piece that does not continue its file."""


class ImportBegun(StudyError):
    """An upload is imported once."""

    status = 409

    def __init__(self) -> None:
        super().__init__("These files are already being imported; see the report for progress.")


def begin(settings: Settings, study_id: int) -> str:
    """Make room for an upload into a study and return its token; rooms left behind are cleared."""
    folder = _folder(settings)
    folder.mkdir(parents=True, exist_ok=True)
    _discard_stale(folder)
    token = secrets.token_hex(16)
    (folder / token).mkdir()
    (folder / token / "study").write_text(str(study_id), encoding="utf-8")
    return token


def add_piece(room: Path, about: Any, stream: IO[bytes]) -> None:
    """Write one piece of one file; sent twice, it is written once.

    Parameters
    ----------
    room : Path
        As `find` gives it.
    about : dict
        `number` of the file, its `name`, and the `offset` of the piece in bytes.
    stream : file
        The bytes.
    """
    number, offset, name = _checked(about)
    path = room / f"{number}.part"
    size = path.stat().st_size if path.exists() else 0
    if offset > size:
        raise PieceRefused(f"{name}: a piece is missing before byte {offset}; import it again.")
    with path.open("r+b" if size else "wb") as file:
        file.seek(offset)
        file.truncate()
        shutil.copyfileobj(stream, file)
        if file.tell() > MOST_BYTES:
            raise PieceRefused(f"{name}: is larger than {MOST_BYTES // 10**9} GB; split it.")
    (room / f"{number}.name").write_text(json.dumps(name), encoding="utf-8")


def keep(settings: Settings, study_id: int, handed_in: Iterable[tuple[str, bytes]]) -> str:
    """Put whole files into a room of their own, for a job; gives its token."""
    token = begin(settings, study_id)
    room = find(settings, study_id, token)
    for number, (name, content) in enumerate(handed_in):
        add_piece(room, {"number": number, "offset": 0, "name": name}, io.BytesIO(content))
    return token


@contextmanager
def used(room: Path) -> Iterator[list[Named]]:
    """The files of a room for the job that it is for, cleared when this has ended."""
    try:
        yield files(room)
    except TakenOver:
        # They are another worker's now.
        raise
    except BaseException:
        discard(room)
        raise
    discard(room)


def files(room: Path) -> list[Named]:
    """The files that have arrived, as `importing.import_files` takes them."""
    parts = sorted(room.glob("*.part"), key=lambda path: int(path.stem))
    return [Named(part, json.loads(part.with_suffix(".name").read_text("utf-8"))) for part in parts]


def find(settings: Settings, study_id: int, token: str) -> Path:
    """The room of an upload into this study."""
    named = len(token) == 32 and set(token) <= set("0123456789abcdef")
    room = _folder(settings) / token
    if not named or not room.is_dir():
        raise NotFound("upload", token[:40])
    if (room / "study").read_text(encoding="utf-8") != str(study_id):
        raise NotFound("upload", token)
    return room


def take(room: Path) -> None:
    """Close an upload for the one import that it goes into.

    Raises
    ------
    ImportBegun
        If they went into one before.
    """
    try:
        (room / "taken").touch(exist_ok=False)
    except FileExistsError:
        raise ImportBegun() from None


def discard_ended(settings: Settings) -> None:
    """When a server starts: clear the rooms of imports that it will not go on with.

    Rooms that are still being filled stay, since the page goes on sending.
    """
    folder = _folder(settings)
    for room in folder.glob("*/taken"):
        discard(room.parent)
    if folder.is_dir():
        _discard_stale(folder)


def discard(room: Path) -> None:
    """Clear the room of an upload."""
    shutil.rmtree(room, ignore_errors=True)


def discard_all(settings: Settings, study_id: int) -> None:
    """Clear every room of uploads into a study."""
    for named in _folder(settings).glob("*/study"):
        if named.read_text(encoding="utf-8") == str(study_id):
            discard(named.parent)


def _discard_stale(folder: Path) -> None:
    for old in folder.iterdir():
        if time.time() - old.stat().st_mtime > STALE_SECONDS:
            shutil.rmtree(old, ignore_errors=True)


def _folder(settings: Settings) -> Path:
    return Path(settings.instance) / "uploads"


def _checked(about: Any) -> tuple[int, int, str]:
    try:
        number, offset, name = about["number"], about["offset"], about["name"]
    except (TypeError, KeyError):
        raise PieceRefused(
            "Part of the upload lacks its number, offset and name. Upload the files again."
        ) from None
    if type(number) is not int or type(offset) is not int or not isinstance(name, str):
        raise PieceRefused(
            "Part of the upload has an invalid number, offset or name. Upload it again."
        )
    if not 0 <= number < MOST_FILES or not 0 <= offset <= MOST_BYTES:
        raise PieceRefused(f"At most {MOST_FILES:,} files can be imported at once.")
    return number, offset, clean_name(name, LONGEST_PATH)
