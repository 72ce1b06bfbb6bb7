"""An anonymised report of a photo with its ground truth and its reading, for sharing.

The photo's pixels are unchanged and its metadata is removed. Cards are named by their codes, groups
are renumbered, and the manifest has no names of sets and stimuli. No path, name or time is written.
"""

import csv
import hashlib
import json
import platform
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from basics.system_messages import system_reason
from basics.wordings import Wording
from printables.artwork.metadata import without_metadata
from printables.cards.codes import MODULES, decode
from printables.cards.manifest import ManifestRow, write_manifest
from printables.cards.tables import Fields, read_rows
from printables.errors import PaperError
from printables.reading.findings import Code
from printables.reading.photos.photo import load_colour
from printables.reading.reader import PhotoReading

TRUTH_COLUMNS = ("code", "group")
READ_COLUMNS = ("code", "group", "x1", "y1", "x2", "y2", "x3", "y3", "x4", "y4")
_KINDS = {b"\xff\xd8": "jpeg", b"\x89P": "png", b"RI": "webp", b"II": "tiff", b"MM": "tiff"}
_LIBRARIES = ("sketch-study", "numpy", "opencv-python-headless", "zxing-cpp")


@dataclass(frozen=True)
class TrueCard:
    """A card in a photo: its code, its group, and whether its whole code is visible."""

    code: str
    group: str
    in_sight: bool = True


@dataclass(frozen=True)
class Comparison:
    """A reading compared with the ground truth.

    Attributes
    ----------
    cards, read : int
        Number of cards whose codes are visible, and of those that were read.
    missed, wrong : tuple of str
        Visible codes that were not read, and codes read that are not in the photo.
    groups_exact : bool
        Whether the cards that were read are grouped as in the ground truth.
    groups_in_doubt : bool
        Whether the reading reports that groups may be wrong.
    """

    cards: int
    read: int
    missed: tuple[str, ...]
    wrong: tuple[str, ...]
    groups_exact: bool
    groups_in_doubt: bool


def read_truth(path: str | Path) -> list[TrueCard]:
    """Read the ground truth of a photo from a CSV file.

    Its columns are `code`, `group` and, optionally, `in_sight` (yes or no).

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    list of TrueCard

    Raises
    ------
    PaperError
        If the file cannot be read, a column is missing, no card or a card twice is listed, or a row
        is invalid; the message starts with file:line.
    """
    table = read_rows(
        path,
        TRUTH_COLUMNS,
        Wording("save it as UTF-8 CSV"),
        Wording("give the columns code,group"),
    )
    cards: dict[str, TrueCard] = {}
    for fields, line in table:
        card = _true_card(fields, path, line)
        if card.code in cards:
            raise PaperError(
                Wording("code %(code)s is listed twice; keep one", code=card.code), path, line
            )
        cards[card.code] = card
    if not cards:
        raise PaperError("lists no card; give each card of the photo a row", path)
    return list(cards.values())


def _true_card(fields: Fields, path: str | Path, line: int) -> TrueCard:
    code, group, seen = (
        (fields.get(column) or "").strip() for column in (*TRUTH_COLUMNS, "in_sight")
    )
    try:
        decode(code)
    except PaperError as error:
        raise PaperError(error.finding, path, line) from error
    if not group:
        raise PaperError(
            Wording("card %(code)s has no group; give each group a number", code=code), path, line
        )
    if seen.lower() not in ("", "yes", "no"):
        raise PaperError(
            Wording("in_sight is %(seen)s; write yes or no", seen=repr(seen)), path, line
        )
    return TrueCard(code, group, seen.lower() != "no")


def compare(reading: PhotoReading, truth: Iterable[TrueCard]) -> Comparison:
    """Compare a reading with the ground truth.

    Parameters
    ----------
    reading : PhotoReading
    truth : iterable of TrueCard

    Returns
    -------
    Comparison
    """
    true = {card.code: card for card in truth}
    in_sight = {card.code for card in true.values() if card.in_sight}
    found = {symbol.code: symbol.group for symbol in reading.symbols}
    pairs = {(true[code].group, group) for code, group in found.items() if code in true}
    exact = len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
    return Comparison(
        cards=len(in_sight),
        read=len(in_sight & set(found)),
        missed=tuple(sorted(in_sight - set(found))),
        wrong=tuple(sorted(set(found) - set(true))),
        groups_exact=exact,
        groups_in_doubt=any(found.code == Code.GROUPS_UNCERTAIN for found in reading.findings),
    )


def write_report(
    folder: Path,
    photo: Path,
    manifest: Sequence[ManifestRow],
    truth: Sequence[TrueCard],
    reading: PhotoReading,
    groups: int | None = None,
) -> Comparison:
    """Write a photo, its ground truth, its deck and its reading, with the SHA-256 of each file.

    Parameters
    ----------
    folder : Path
        An empty folder.
    photo : Path
        JPEG, PNG, WebP or TIFF.
    manifest : sequence of ManifestRow
        The deck that it was read with.
    truth : sequence of TrueCard
    reading : PhotoReading
        The reading of this photo with this deck.
    groups : int, optional
        Number of groups that the reading was given.

    Returns
    -------
    Comparison

    Raises
    ------
    PaperError
        If the photo's metadata cannot be removed without changing a pixel.
    """
    content, kind = _anonymous(photo)
    name = f"photo.{'jpg' if kind == 'jpeg' else kind}"
    (folder / name).write_bytes(content)
    nameless = (replace(row, set_name="", stimulus="") for row in manifest)
    write_manifest(nameless, folder / "deck.csv")
    number = {group: n for n, group in enumerate(dict.fromkeys(c.group for c in truth), 1)}
    shown = [(c.code, number[c.group], "yes" if c.in_sight else "no") for c in truth]
    _write_csv(folder / "truth.csv", (*TRUTH_COLUMNS, "in_sight"), shown)
    read = [(s.code, s.group, *map(float, s.corners.ravel())) for s in reading.symbols]
    _write_csv(folder / "read.csv", READ_COLUMNS, read)
    comparison = compare(reading, truth)
    about = {
        "format": 1,
        "versions": {library: version(library) for library in _LIBRARIES}
        | {"python": platform.python_version()},
        "photo": {"file": name, "width": reading.width, "height": reading.height},
        "module_px": _module_px(reading),
        "groups_given": groups,
        "result": asdict(comparison),
        "unread": reading.unread.round(1).tolist(),
        "findings": [finding.as_json() for finding in reading.findings],
    }
    (folder / "report.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    files = sorted(folder.iterdir())
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (folder / "SHA256SUMS").write_text("".join(sums), encoding="utf-8", newline="\n")
    return comparison


def _anonymous(photo: Path) -> tuple[bytes, str]:
    """The file without its metadata, and its format."""
    try:
        content = photo.read_bytes()
    except OSError as error:
        raise PaperError(
            Wording("cannot be opened (%(reason)s)", reason=system_reason(error)), photo
        ) from error
    kind = _KINDS.get(content[:2])
    cleaned = without_metadata(content, kind) if kind else None
    if kind is None or cleaned is None:
        raise PaperError("its metadata cannot be removed; save it as JPEG or PNG", photo)
    if not np.array_equal(load_colour(content), load_colour(cleaned)):
        raise PaperError("changes when its metadata is removed; save it as PNG", photo)
    return cleaned, kind


def _module_px(reading: PhotoReading) -> float | None:
    """Median side of a module, pixels; None if nothing was read."""
    corners = np.array([symbol.corners for symbol in reading.symbols]).reshape(-1, 4, 2)
    if not len(corners):
        return None
    sides = np.linalg.norm(corners[:, 0] - corners[:, 2], axis=1) / 2**0.5
    return round(float(np.median(sides)) / MODULES, 2)


def _write_csv(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(columns)
        table.writerows(rows)
