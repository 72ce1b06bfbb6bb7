"""`sketch-study read`: reads codes, corners and groups from photos of cards, without a study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from basics.plurals import counted
from basics.verbs import force_option
from study_app.commands.threads import one_thread

if TYPE_CHECKING:
    from printables.reading.deck.known_deck import KnownDeck
    from printables.reading.findings import Finding
    from printables.reading.reader import PhotoReading

COLUMNS = ("photo", "code", "group", "x1", "y1", "x2", "y2", "x3", "y3", "x4", "y4")
# The most codes that are not in the manifest, in one line.
_CODES_NAMED = 5
# The most cards in two places with a sentence each.
_MOVED_NAMED = 3


@click.command()
@click.argument("photos", metavar="PHOTO...", nargs=-1, required=True)
@click.option("--out", metavar="CSV", required=True, help="The CSV list of codes to write.")
@click.option(
    "--manifest",
    metavar="CSV",
    help="Manifest from `sketch-study print`: more cards are then recognised.",
)
@click.option("--groups", type=click.IntRange(min=1), help="Number of groups in each photo.")
@click.option(
    "--overlay", metavar="DIR", help="Save each photo with the result drawn over it in DIR."
)
@click.option(
    "--report",
    metavar="DIR",
    help="Save the photo without metadata, the truth and the reading in DIR, to report a problem; "
    "needs --manifest and --truth.",
)
@click.option(
    "--truth",
    metavar="CSV",
    help="What is in the photo, for --report: columns code,group and, if you like, in_sight.",
)
@force_option
def read(
    photos: tuple[str, ...],
    out: str,
    manifest: str | None,
    groups: int | None,
    force: bool,
    **folders: str | None,
) -> None:
    """Read the cards in photos: their codes, positions and groups.

    Corners are those of the symbol as printed (upper left, upper right, lower right, lower left),
    in pixels of the upright photo. Groups are numbered from 1 in each photo. If several photos show
    one table, cards that one of them reads are not reported as unread in the others, but
    contradictions between the photos are reported.

    Example: sketch-study read table-1.jpg table-2.jpg --manifest cards.csv --out codes.csv
    """
    overlay, truth = folders["overlay"], folders["truth"]
    if folders["report"] or truth:
        _check_report({**folders, "manifest": manifest}, photos)
    one_thread()
    from contextlib import ExitStack

    from basics.output import output_file, output_folder
    from printables.reading.findings import put_together
    from printables.reading.together.joining import with_unread_once
    from printables.reading.together.settling import settle
    from printables.reading.wording import in_words

    _check_out(out, [*photos, manifest, truth], [overlay, folders["report"]])
    with ExitStack() as written:
        table = written.enter_context(output_file(out, force))
        folder, report = (
            written.enter_context(output_folder(name, force)) if name else None
            for name in (overlay, folders["report"])
        )
        deck = _deck(manifest)
        rows, found_all = [], True
        readings = settle(_read_all(photos, deck, groups))
        ringed = with_unread_once(readings) if folder else readings
        for number, (photo, reading) in enumerate(zip(photos, readings, strict=True), 1):
            rows += _rows(photo, reading)
            click.echo(_summary(photo, reading))
            found = map(in_words, put_together([*reading.findings, *_twice(reading)]))
            for sentence in (*found, *_of_another_deck(reading, manifest)):
                click.echo(f"{photo}: {sentence}", err=True)
            if folder is None:
                found_all = found_all and not len(reading.unread)
            else:
                _draw(photo, ringed[number - 1], folder / f"{number:02d}-{Path(photo).stem}.jpg")
            if report and truth and manifest:
                sources = (Path(photo), manifest, truth)
                click.echo(_report(report, sources, reading, groups))
        if len(photos) > 1:
            _say_together(readings, deck)
        _write(rows, table)
    if not found_all:
        click.echo("--overlay DIR saves each photo with unread cards and other paper ringed.")


def _check_report(given: Mapping[str, str | None], photos: Sequence[str]) -> None:
    """Check that a report has all it needs, of one photo."""
    needed = {"report": "--report DIR", "truth": "--truth CSV", "manifest": "--manifest CSV"}
    missing = [option for name, option in needed.items() if not given[name]]
    if missing:
        raise click.UsageError(f"The report is incomplete: add {' and '.join(missing)}.")
    if len(photos) > 1:
        raise click.UsageError(
            f"--report takes one photo at a time, not {len(photos)}; call the command for each."
        )


def _check_out(out: str, sources: Iterable[str | None], folders: Iterable[str | None]) -> None:
    """Check that the list of codes would not replace a file that is read, and that no folder for
    other files has its path."""
    from basics.errors import OutputError

    target = Path(out)
    found = [Path(name) for name in sources if name is not None]
    if target.exists() and any(path.exists() and path.samefile(target) for path in found):
        raise OutputError("is a file to read; choose another path for --out", target)
    if any(name is not None and Path(name).resolve() == target.resolve() for name in folders):
        raise OutputError("cannot be a file and a folder; choose another path for --out", target)


def _deck(manifest: str | None) -> KnownDeck | None:
    from printables.cards.manifest import read_manifest
    from printables.errors import PaperError
    from printables.reading.deck.known_deck import KnownDeck

    if manifest is None:
        return None
    rows = read_manifest(manifest)
    try:
        return KnownDeck.from_manifest(rows)
    except PaperError as refusal:
        raise refusal.in_file(manifest) from refusal


def _read_all(
    photos: Sequence[str], deck: KnownDeck | None, groups: int | None
) -> list[PhotoReading]:
    from basics.progress import progress_bar

    readings = []
    with progress_bar("Reading") as progress:
        for photo in photos:
            readings.append(_read(photo, deck, groups))
            progress(len(readings), len(photos))
    return readings


def _read(photo: str, deck: KnownDeck | None, groups: int | None) -> PhotoReading:
    from printables.errors import PaperError
    from printables.reading.reader import read_photo

    try:
        return read_photo(photo, deck, groups)
    except PaperError as refusal:
        raise refusal.in_file(photo) from refusal


def _twice(reading: PhotoReading) -> list[Finding]:
    """Findings for codes that are on two cards of the photo."""
    from printables.reading.findings import Code, Finding

    groups: dict[str, list[int]] = {}
    for symbol in reading.symbols:
        groups.setdefault(symbol.code, []).append(symbol.group)
    return [
        Finding(Code.CARD_IN_TWO_PLACES, {"card": code, "groups": sorted(set(found))})
        for code, found in groups.items()
        if len(found) > 1
    ]


def _of_another_deck(reading: PhotoReading, manifest: str | None) -> list[str]:
    """What to do if the photo has cards, but no card of the manifest."""
    if manifest is None or reading.symbols or not reading.foreign:
        return []
    return [f"The cards are not in {manifest}: give the manifest of their deck."]


def _say_together(readings: Sequence[PhotoReading], deck: KnownDeck | None) -> None:
    """Say what several photos of one table show together."""
    from printables.reading.wording import in_words

    for finding in _together(readings, deck):
        click.echo(f"{len(readings)} photos together: {in_words(finding)}")
    for sentence in _contradictions(readings):
        click.echo(f"{len(readings)} photos together: {sentence}", err=True)


def _together(readings: Sequence[PhotoReading], deck: KnownDeck | None) -> list[Finding]:
    """Findings on the whole table from several photos."""
    from printables.reading.deck.unseen_cards import cards_placed, unseen_cards

    found = [finding for reading in readings for finding in reading.findings]
    placed = cards_placed((s.code for reading in readings for s in reading.symbols), deck)
    return [*placed, *unseen_cards([reading.frame for reading in readings], found)]


def _contradictions(readings: Sequence[PhotoReading]) -> list[str]:
    """What photos of one table contradict each other in; many cards in one sentence."""
    from printables.reading.findings import Code, Finding
    from printables.reading.together.joining import join_photos
    from printables.reading.wording import in_words

    if not any(reading.symbols for reading in readings):
        return []
    found = join_photos(readings).findings
    moved = [finding for finding in found if finding.code == Code.CARD_IN_TWO_PLACES]
    kinds = {Code.PHOTOS_DISAGREE, Code.PHOTO_APART, Code.PHOTO_DIFFERS}
    if len(moved) <= _MOVED_NAMED:
        # their groups are those of the joined table, which is not written
        kinds.add(Code.CARD_IN_TWO_PLACES)
        moved = []
    sentences = [
        in_words(Finding(finding.code, {**finding.facts, "groups": []}))
        for finding in found
        if finding.code in kinds
    ]
    if moved:
        sentences.append(
            f"{len(moved)} cards appear in two places. If the table was changed between the "
            "photos, or if they show different tables, read each photo alone."
        )
    return sentences


def _rows(photo: str, reading: PhotoReading) -> list[list[Any]]:
    return [
        [photo, symbol.code, symbol.group, *map(float, symbol.corners.ravel())]
        for symbol in sorted(reading.symbols, key=lambda symbol: (symbol.group, symbol.code))
    ]


def _summary(photo: str, reading: PhotoReading) -> str:
    cards = len(reading.symbols)
    matched = sum(symbol.how == "matched" for symbol in reading.symbols)
    parts = [f"{counted(cards, 'card')} in {counted(reading.groups, 'group')}"]
    if matched:
        parts.append(f"{matched} recognised by the deck")
    parts.append(f"{len(reading.unread)} unread")
    if reading.foreign:
        codes = sorted(symbol.code for symbol in reading.foreign)
        others = ", ".join([*codes[:_CODES_NAMED], *["…"] * (len(codes) > _CODES_NAMED)])
        parts.append(f"{len(reading.foreign)} not in the manifest ({others})")
    return f"{photo}: {', '.join(parts)}"


def _report(
    folder: Path, sources: tuple[Path, str, str], reading: PhotoReading, groups: int | None
) -> str:
    from printables.cards.manifest import read_manifest
    from printables.reading.report import read_truth, write_report

    photo, manifest, truth = sources
    rows, cards = read_manifest(manifest), read_truth(truth)
    found = write_report(folder, photo, rows, cards, reading, groups)
    same = "correct" if found.groups_exact else "incorrect"
    return (
        f"{photo}: {found.read} of {counted(found.cards, 'card')} in sight read, "
        f"{counted(len(found.wrong), 'wrong code')}, groups {same}. "
        "Look at the photo before you send the folder."
    )


def _draw(photo: str, reading: PhotoReading, path: Path) -> None:
    import cv2

    from printables.reading.overlay import draw_overlay

    encoded = cv2.imencode(".jpg", draw_overlay(photo, reading), [cv2.IMWRITE_JPEG_QUALITY, 88])[1]
    path.write_bytes(encoded.tobytes())


def _write(rows: Iterable[Sequence[Any]], path: Path) -> None:
    import csv

    # on Linux, a photo's name may be no text
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        table.writerows(rows)
