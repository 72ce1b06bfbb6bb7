"""Contents of paths: files of folders, entries of .zip, lines of Quick, Draw! .ndjson.

Everything is listed first and then read one by one, in natural order of the names. Names of
entries are never used as paths.
"""

import stat
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from basics.system_messages import system_reason
from study_app.core.storage import zip_list
from study_app.core.text.languages import rgettext
from study_app.core.text.names import clean_name, natural
from study_app.stimuli.importing import drawings
from study_app.stimuli.importing.kinds import HEAD_BYTES, claimed_kind, kind_of
from study_app.stimuli.importing.prepare import json_line
from study_app.stimuli.importing.refusals import FileRefused

MOST_FILE_BYTES = 100_000_000
MOST_LINE_BYTES = 16_000_000
MOST_DRAWINGS = 500_000
MOST_ENTRIES = 100_000
MOST_DIRECTORY_BYTES = 300 * MOST_ENTRIES
LONGEST_PATH = 1000
MOST_UNPACKED_BYTES = 20_000_000_000


@dataclass(frozen=True)
class Entry:
    """One picture, listed but not yet read.

    Attributes
    ----------
    place : str
        Where it is, as the report names it: "birds.zip: robin.png", "cars.ndjson: line 7".
    stem : str
        Its name without folders and extension; for a line its key_id.
    folder : str
        The folder, .zip or .ndjson file that contains it; empty for a single file.
    claimed : str or None
        The kind that its name claims.
    read : callable
        Gives (kind, content), or raises FileRefused.
    box : int or None
        The box shared by the strokes of its file.
    """

    place: str
    stem: str
    folder: str
    claimed: str | None
    read: Callable[[], tuple[str, bytes]]
    box: int | None = None


# Called with the place of a file that is left out, and the reason.
Refuse = Callable[[str, str], None]


@dataclass(frozen=True)
class Named:
    """A file on disk and its name for people; the path of a staged upload has another name."""

    path: Path
    name: str
    is_link: bool = False


def files_of(paths: Iterable[str | Path]) -> list[Named]:
    """The files under the given paths, including those in folders, and the links in these.

    A link may lead anywhere, even back to its own folder: `list_entries` refuses it.

    Raises
    ------
    FileRefused
        If a path does not exist.
    """
    found = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = (p for p in path.rglob("*") if p.is_symlink() or p.is_file())
            # A folder given by name is imported even if its name starts with a dot.
            above = path.resolve().name.lstrip(".")
            names = ((p, _name(f"{above}/{p.relative_to(path).as_posix()}")) for p in inside)
            found += [Named(p, name, p.is_symlink()) for p, name in names]
        elif path.is_file():
            found.append(Named(path, _name(path.name)))
        else:
            raise FileRefused(rgettext("%(path)s: there is no such file or folder", path=str(path)))
    return found


def _name(path: str) -> str:
    """A path as valid Unicode, for any file or terminal."""
    return clean_name(path, LONGEST_PATH)


def list_entries(files: Iterable[Named], refuse: Refuse, archives: ExitStack) -> list[Entry]:
    """Every picture in the files, in natural order; what cannot be opened goes to `refuse`.

    Parameters
    ----------
    files : iterable of Named
    refuse : callable
        Called with (place, reason).
    archives : contextlib.ExitStack
        Closes the archives when their entries have been read.

    Returns
    -------
    list of Entry
    """
    entries = []
    for file in sorted(files, key=lambda f: natural(f.name)):
        if _is_hidden(file.name):
            continue
        if file.is_link:
            refuse(file.name, rgettext("is a symbolic link; import the path that it points to"))
            continue
        try:
            entries += _entries_of(file, refuse, archives)
        except FileRefused as refusal:
            refuse(file.name, str(refusal))
        except OSError as error:
            refuse(file.name, cannot_be_read(error))
    return entries


def cannot_be_read(error: OSError) -> str:
    """Why the system gives no content of a file."""
    return rgettext("cannot be read (%(reason)s)", reason=system_reason(error))


def _too_many_entries() -> FileRefused:
    most = f"{MOST_ENTRIES:,}"
    return FileRefused(rgettext("contains more than %(most)s files; split it", most=most))


def _is_hidden(name: str) -> bool:
    """Whether a file was made by the operating system, e.g. .DS_Store."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    junk = ("__MACOSX", "Thumbs.db", "desktop.ini")
    return any(part in junk or (part.startswith(".") and part.strip(".")) for part in parts)


def _entries_of(file: Named, refuse: Refuse, archives: ExitStack) -> list[Entry]:
    head = _head(file.path)
    kind, claimed = kind_of(head), claimed_kind(file.name)
    if kind == "zip":
        return _members(file, refuse, archives)
    if kind == "ndjson" or (claimed == "ndjson" and kind is None and head):
        return _lines(file, refuse, _stem(file.name))
    folder = _folder(file.name, "")
    return [Entry(file.name, _stem(file.name), folder, claimed, lambda: _read_file(file.path))]


def _stem(name: str) -> str:
    return clean_name(PurePosixPath(name).stem)


def _folder(name: str, outermost: str) -> str:
    """The folder in a name; `..` and the like do not count as folders."""
    parent = PurePosixPath(name).parent.name
    return clean_name(parent, 120) if parent.strip(".") else outermost


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)


def _read_file(path: Path) -> tuple[str, bytes]:
    if path.stat().st_size > MOST_FILE_BYTES:
        raise FileRefused(rgettext("is larger than %(most)s MB", most=MOST_FILE_BYTES // 1_000_000))
    content = path.read_bytes()
    return _known(kind_of(content[:HEAD_BYTES]), content), content


def _known(kind: str | None, content: bytes) -> str:
    if not content:
        raise FileRefused(rgettext("is empty"))
    if kind is None:
        raise FileRefused(
            rgettext(
                "is not a picture in a supported format (PNG, JPEG, WebP, GIF, TIFF, BMP or SVG)"
            )
        )
    return kind


def _members(file: Named, refuse: Refuse, archives: ExitStack) -> list[Entry]:
    try:
        archive = archives.enter_context(zip_list.opened(file.path, MOST_DIRECTORY_BYTES))
    except zip_list.ListTooLong:
        raise _too_many_entries() from None
    except Exception as error:  # zipfile raises many kinds on a hostile file
        raise FileRefused(rgettext("is a damaged .zip; pack it again")) from error
    members = [m for m in archive.infolist() if _is_file(m) and not _is_hidden(m.filename)]
    if len(members) > MOST_ENTRIES:
        raise _too_many_entries()
    budget = _Budget(MOST_UNPACKED_BYTES)
    entries = []
    for member in sorted(members, key=lambda m: natural(m.filename)):
        entry = _member_entry(file, archive, member, budget)
        if stat.S_ISLNK(member.external_attr >> 16):
            refuse(entry.place, rgettext("is a symbolic link; pack the file that it points to"))
        elif entry.claimed == "ndjson":
            entries += _packed_lines(entry, refuse, archives)
        else:
            entries.append(entry)
    return entries


def _is_file(member: zipfile.ZipInfo) -> bool:
    # `is_dir` of an empty name fails.
    return bool(member.filename) and not member.is_dir()


def _member_entry(
    file: Named, archive: zipfile.ZipFile, member: zipfile.ZipInfo, budget: "_Budget"
) -> Entry:
    name = _name(member.filename.replace("\\", "/"))
    return Entry(
        place=f"{file.name}: {name}",
        stem=_stem(name),
        folder=_folder(name, _stem(file.name)),
        claimed=claimed_kind(name),
        read=lambda: _read_member(archive, member, budget),
    )


def _packed_lines(entry: Entry, refuse: Refuse, archives: ExitStack) -> list[Entry]:
    """The drawings of an .ndjson file in an archive, unpacked until the archive is closed."""
    try:
        kind, content = entry.read()
        if kind != "ndjson":
            raise FileRefused(rgettext("is named as NDJSON but contains no drawings"))
    except FileRefused as refusal:
        refuse(entry.place, str(refusal))
        return []
    folder = Path(archives.enter_context(tempfile.TemporaryDirectory()))
    (folder / "lines").write_bytes(content)
    try:
        return _lines(Named(folder / "lines", entry.place), refuse, entry.stem)
    except FileRefused as refusal:
        refuse(entry.place, str(refusal))
        return []


class _Budget:
    """Bytes that may still be unpacked from one archive; counted, because headers can be wrong."""

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            raise FileRefused(
                rgettext(
                    "is in a ZIP archive that exceeds the unpacked-size limit; the rest was not "
                    "read"
                )
            )


def _read_member(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, budget: _Budget
) -> tuple[str, bytes]:
    """Read an entry; of one that is not a picture, only the first bytes."""
    if member.flag_bits & 1:
        raise FileRefused(rgettext("is locked with a password; pack the .zip without one"))
    try:
        with archive.open(member) as packed:
            head = packed.read(HEAD_BYTES)
            kind = _known(kind_of(head), head)
            if kind == "zip":
                raise FileRefused(rgettext("is a .zip inside a .zip; import it separately"))
            rest = packed.read(MOST_FILE_BYTES)
    except FileRefused:
        raise
    except Exception as error:  # zlib, lzma and zipfile raise their own exceptions
        raise FileRefused(rgettext("is damaged inside its .zip; pack it again")) from error
    budget.spend(len(head) + len(rest))
    if len(rest) == MOST_FILE_BYTES:
        most = MOST_FILE_BYTES // 1_000_000
        raise FileRefused(rgettext("unpacks to more than %(most)s MB", most=most))
    return kind, head + rest


def _lines(file: Named, refuse: Refuse, folder: str) -> list[Entry]:
    """The drawings of an .ndjson file: the start of each line, and their common box."""
    found: list[tuple[str, str, tuple[int, int]]] = []
    extents = []
    with file.path.open("rb") as lines:
        for number, (start, line) in enumerate(_bounded_lines(lines), 1):
            place = rgettext("%(file)s: line %(number)s", file=file.name, number=number)
            if line is not None and not line.strip():
                continue
            if len(found) == MOST_DRAWINGS:
                most = f"{MOST_DRAWINGS:,}"
                raise FileRefused(
                    rgettext("contains more than %(most)s drawings; split it", most=most)
                )
            try:
                record = _record(line)
                extents.append(drawings.extent(drawings.strokes_of(record)))
                stem = clean_name(record.get("key_id") or f"{folder}-{number}")
                found.append((place, stem, (start, len(line or b""))))
            except FileRefused as refusal:
                refuse(place, str(refusal))
    box = drawings.box_of(extents)
    return [
        Entry(place, stem, folder, "ndjson", partial(_read_line, file.path, span), box)
        for place, stem, span in found
    ]


def _bounded_lines(lines: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Start and content of each line; None for a line that is too long."""
    start = 0
    while first := lines.readline(MOST_LINE_BYTES):
        length, more = len(first), first
        while not more.endswith(b"\n") and (more := lines.readline(MOST_LINE_BYTES)):
            length, first = length + len(more), None
        yield start, first
        start += length


def _record(line: bytes | None) -> Any:
    if line is None:
        most = MOST_LINE_BYTES // 1_000_000
        raise FileRefused(rgettext("is longer than %(most)s MB; simplify the drawing", most=most))
    return json_line(line)


def _read_line(path: Path, span: tuple[int, int]) -> tuple[str, bytes]:
    with path.open("rb") as file:
        file.seek(span[0])
        return "ndjson", file.read(span[1]).strip()
