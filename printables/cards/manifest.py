"""The manifest of a print run: the page and position of every card.

Positions are those of the trimmed card, in millimetres from the upper left corner of the page with
the card's code; pages are numbered from 1. Manifests are UTF-8 CSV files with a header, separated
by commas, with numbers in full precision. A byte-order mark, CRLF and additional columns are
accepted.
"""

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from basics.wordings import Wording
from printables.cards.codes import DIGITS, decode
from printables.cards.tables import Fields, read_rows
from printables.errors import PaperError

COLUMNS = (
    "card",
    "code",
    "set",
    "stimulus",
    "deck",
    "page",
    "x_mm",
    "y_mm",
    "width_mm",
    "height_mm",
)


@dataclass(frozen=True)
class ManifestRow:
    """One printed card: its identity, and its rectangle on the page with its code."""

    card: int
    code: str
    set_name: str
    stimulus: str
    deck: str
    page: int
    x_mm: float
    y_mm: float
    width_mm: float
    height_mm: float


def code_side(rows: Iterable[ManifestRow]) -> str:
    """Find the side of the cards with the codes: "front" or "back".

    With codes on the back, fronts and backs alternate from page 1, so all codes are on even pages;
    with codes on the front there are codes on page 1.
    """
    return "back" if all(row.page % 2 == 0 for row in rows) else "front"


def format_mm(length: float) -> str:
    """Format a length for the manifest: 20.7, not 20.700000000000003."""
    return f"{length:.10g}"


def write_manifest(rows: Iterable[ManifestRow], path: str | Path) -> None:
    """Write a manifest as CSV, with exactly the columns of `COLUMNS`.

    Parameters
    ----------
    rows : iterable of ManifestRow
    path : path
        An existing file is overwritten.
    """
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        for row in rows:
            named = (row.card, row.code, row.set_name, row.stimulus, row.deck, row.page)
            table.writerow(
                named + tuple(map(format_mm, (row.x_mm, row.y_mm, row.width_mm, row.height_mm)))
            )


def read_manifest(path: str | Path) -> list[ManifestRow]:
    """Read a manifest.

    Parameters
    ----------
    path : path

    Returns
    -------
    list of ManifestRow

    Raises
    ------
    PaperError
        If the file cannot be read, a column is missing, no card is listed, or a row is invalid; the
        message starts with file:line.
    """
    wanted = Wording("a manifest has the columns %(columns)s", columns=",".join(COLUMNS))
    table = read_rows(path, COLUMNS, Wording("print the cards with --manifest again"), wanted)
    rows = [_row(fields, path, line) for fields, line in table]
    if not rows:
        raise PaperError("lists no card; print the cards with --manifest again", path)
    return rows


def _row(fields: Fields, path: str | Path, line: int) -> ManifestRow:
    def number(column: str) -> float:
        try:
            value = float(fields[column] or "")
        except ValueError:
            value = -1.0
        if not 0 <= value < 1e6:
            given = Wording("missing") if fields[column] is None else repr(fields[column])
            raise PaperError(
                Wording(
                    "%(column)s is %(given)s; give a positive number", column=column, given=given
                ),
                path,
                line,
            )
        return value

    code = (fields["code"] or "").strip()
    try:
        identity = decode(code)
    except PaperError as error:
        raise PaperError(_lost_zeros(code) or error.finding, path, line) from error
    if number("card") != identity.card:
        raise PaperError(
            Wording(
                "card %(card)s has the code of card %(other)s; print the cards with --manifest "
                "again",
                card=fields["card"],
                other=identity.card,
            ),
            path,
            line,
        )
    return ManifestRow(
        card=identity.card,
        code=code,
        set_name=fields["set"] or "",
        stimulus=fields["stimulus"] or "",
        deck=fields["deck"] or "",
        page=int(number("page")),
        x_mm=number("x_mm"),
        y_mm=number("y_mm"),
        width_mm=number("width_mm"),
        height_mm=number("height_mm"),
    )


def _lost_zeros(code: str) -> str:
    """The message if a spreadsheet has removed the leading zeros of a code; otherwise empty."""
    try:
        decode(code.zfill(DIGITS))
    except PaperError:
        return ""
    return Wording(
        "%(code)s has %(count)s digits; a card code has %(digits)s; a spreadsheet has removed its "
        "leading zeros: print the cards with --manifest again",
        code=code,
        count=len(code),
        digits=DIGITS,
    )
