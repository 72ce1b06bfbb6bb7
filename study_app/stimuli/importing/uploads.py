"""Files uploaded from a browser: they arrive in pieces, which are joined once all are here.

Each piece is a file of the store, since the next one may arrive at another host:
uploads/<token>/study-<id>                       the room of an upload, into this study
uploads/<token>/<number>-<offset>-<length>.part  a piece: the file's name in JSON, then its bytes
Its import has started once a job has its token.
The name given by the browser is never used as a path.
"""

import io
import json
import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import IO, Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from study_app.core.background import jobs
from study_app.core.config import Settings
from study_app.core.database import own_session
from study_app.core.errors import NotFound, StudyError
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.work_folder import work_folder
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.core.text.names import clean_name
from study_app.models import Job, Study
from study_app.stimuli.importing.sources import LONGEST_PATH, Named

STALE_SECONDS = 2 * 24 * 3600
MOST_FILES = 100_000
MOST_BYTES = 20_000_000_000
# The page sends pieces of 8 MB.
MOST_PIECE_BYTES = 100_000_000
FOLDER = "uploads"


class PieceRefused(StudyError):
    """An invalid piece of an upload."""


class ImportBegun(StudyError):
    """The upload is already being imported."""

    status = 409

    def __init__(self) -> None:
        super().__init__(
            rgettext("These files are already being imported; see the report for progress.")
        )


@dataclass(frozen=True)
class Room:
    """The room of one upload into a study."""

    settings: Settings
    token: str

    def name(self, file_name: str) -> str:
        """The name of one of its files in the store."""
        return f"{FOLDER}/{self.token}/{file_name}"


class _Piece(NamedTuple):
    number: int
    offset: int
    length: int

    def file_name(self) -> str:
        return f"{self.number}-{self.offset}-{self.length}.part"


def begin(settings: Settings, study_id: int) -> str:
    """Make room for an upload into a study and return its token; abandoned rooms are deleted."""
    _discard_stale(settings)
    # It starts with the time, by which an abandoned room is recognised.
    token = f"{int(time.time()):08x}" + secrets.token_hex(12)
    store_of(settings).put(Room(settings, token).name(f"study-{int(study_id)}"), b"", durable=False)
    return token


def add_piece(room: Room, about: Any, stream: IO[bytes]) -> None:
    """Write one piece of one file; a repeat changes nothing.

    Parameters
    ----------
    room : Room
        As `find` gives it.
    about : dict
        `number` of the file, its `name`, and the `offset` of the piece in bytes.
    stream : file
        The bytes.
    """
    number, offset, name = _checked(about)
    content = stream.read(MOST_PIECE_BYTES + 1)
    if len(content) > MOST_PIECE_BYTES:
        raise PieceRefused(
            rgettext(
                "%(name)s: a piece is larger than %(size)s MB.",
                name=name,
                size=MOST_PIECE_BYTES // 10**6,
            )
        )
    if offset + len(content) > MOST_BYTES:
        raise PieceRefused(
            rgettext(
                "%(name)s: is larger than %(size)s GB; split it.",
                name=name,
                size=MOST_BYTES // 10**9,
            )
        )
    piece = _Piece(number, offset, len(content))
    headed = json.dumps(name).encode() + b"\n" + content
    store_of(room.settings).put(room.name(piece.file_name()), headed, durable=False)


def save(settings: Settings, study_id: int, uploaded: Iterable[tuple[str, bytes]]) -> str:
    """Store complete files in a new room, for a job; returns its token."""
    token = begin(settings, study_id)
    room = find(settings, study_id, token)
    for number, (name, content) in enumerate(uploaded):
        for offset in range(0, len(content) or 1, MOST_PIECE_BYTES):
            about = {"number": number, "offset": offset, "name": name}
            add_piece(room, about, io.BytesIO(content[offset : offset + MOST_PIECE_BYTES]))
    return token


@contextmanager
def used(room: Room) -> Iterator[list[Named]]:
    """The files of a room, for its job; the room is deleted when the job ends.

    Raises
    ------
    PieceRefused
        If a piece is missing.
    """
    try:
        with work_folder(room.settings) as folder:
            yield files(room, folder)
    except BaseException as fault:
        # Otherwise another worker needs them, or the same one when the files are there again.
        if not isinstance(fault, jobs.TakenOver) and not jobs.is_outage(fault):
            discard(room)
        raise
    discard(room)


def files(room: Room, folder: Path) -> list[Named]:
    """The files that have arrived, joined in a folder for `importing.import_files`."""
    found = []
    for number, pieces in groupby(_pieces(room), key=lambda piece: piece.number):
        path, name = folder / f"{number}.part", ""
        with path.open("wb") as file:
            for piece in pieces:
                headed = store_of(room.settings).get(room.name(piece.file_name()))
                head, _, content = headed.partition(b"\n")
                name = json.loads(head)
                if piece.offset > file.tell():
                    raise PieceRefused(
                        rgettext(
                            "%(name)s: a piece is missing before byte %(offset)s; import it again.",
                            name=name,
                            offset=piece.offset,
                        )
                    )
                file.seek(piece.offset)
                file.write(content)
        found.append(Named(path, name))
    return found


def _pieces(room: Room) -> list[_Piece]:
    names = (name.rpartition("/")[2] for name in store_of(room.settings).names(room.name("")[:-1]))
    parts = (name.removesuffix(".part").split("-") for name in names if name.endswith(".part"))
    return sorted(_Piece(*map(int, part)) for part in parts)


def find(settings: Settings, study_id: int, token: str) -> Room:
    """The room of an upload into this study."""
    room = Room(settings, token)
    named = len(token) == 32 and set(token) <= set("0123456789abcdef")
    if not named or not store_of(settings).exists(room.name(f"study-{int(study_id)}")):
        raise NotFound(rtranslatable("upload"), token[:40])
    return room


def refuse_begun(session: Session, study_id: int, room: Room) -> None:
    """Refuse an upload that is being imported, so that it is imported once.

    Parameters
    ----------
    session : Session
        Of the transaction that adds the job, so that of two requests at once one is refused, and
        the upload can still be imported if the transaction fails.
    study_id : int
    room : Room

    Raises
    ------
    ImportBegun
        If they were imported before.
    """
    session.scalar(select(Study.id).where(Study.id == study_id).with_for_update(key_share=True))
    begun = select(Job.arguments).where(Job.study_id == study_id)
    if any(arguments.get("token") == room.token for arguments in session.scalars(begun)):
        raise ImportBegun()


def discard_ended(settings: Settings) -> None:
    """Delete the rooms of jobs that crashed and are not repeated, and abandoned ones.

    Rooms that are still being filled stay, because the page continues to send.
    """
    _discard_stale(settings)
    if rooms := _rooms(settings):
        with own_session() as session:
            ended = session.scalars(select(Job.arguments).where(Job.state != "running"))
            tokens = {arguments.get("token") for arguments in ended}
        for room in rooms:
            if room.token in tokens:
                discard(room)


def discard(room: Room) -> None:
    """Delete the room of an upload."""
    store = store_of(room.settings)
    for name in list(store.names(room.name("")[:-1])):
        store.delete(name)


def discard_all(settings: Settings, study_id: int) -> None:
    """Delete every room of uploads into a study."""
    for room in _rooms(settings, f"study-{int(study_id)}"):
        discard(room)


def _discard_stale(settings: Settings) -> None:
    for room in _rooms(settings):
        started = int(room.token[:8], 16)
        if time.time() - started > STALE_SECONDS:
            discard(room)


def _rooms(settings: Settings, holding: str = "") -> list[Room]:
    """The rooms that contain a file of this name, or all rooms."""
    named = (name.split("/") for name in store_of(settings).names(FOLDER))
    tokens = {token for _, token, file_name in named if holding in ("", file_name)}
    return [Room(settings, token) for token in sorted(tokens)]


def _checked(about: Any) -> tuple[int, int, str]:
    try:
        number, offset, name = about["number"], about["offset"], about["name"]
    except (TypeError, KeyError):
        raise PieceRefused(
            rgettext(
                "Part of the upload lacks its number, offset and name. Upload the files again."
            )
        ) from None
    if type(number) is not int or type(offset) is not int or not isinstance(name, str):
        raise PieceRefused(
            rgettext("Part of the upload has an invalid number, offset or name. Upload it again.")
        )
    if not 0 <= number < MOST_FILES or not 0 <= offset <= MOST_BYTES:
        raise PieceRefused(
            rgettext(
                "At most %(most_files)s files can be imported at once.",
                most_files=format(MOST_FILES, ","),
            )
        )
    return number, offset, clean_name(name, LONGEST_PATH)
