"""Reading CSV tables with a header, row by row: manifests, and the ground truth of photos."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from basics.system_messages import csv_reason, system_reason
from basics.wordings import Wording
from printables.errors import PaperError

Fields = dict[str, str | None]


def read_rows(
    path: str | Path, columns: Sequence[str], advice: str, wanted: str
) -> Iterator[tuple[Fields, int]]:
    """Read the rows of a table.

    Parameters
    ----------
    path : path
        A UTF-8 file, with or without a byte-order mark.
    columns : sequence of str
        Required columns.
    advice : str
        What to do if the file is empty or not UTF-8.
    wanted : str
        The end of the message if a column is missing.

    Yields
    ------
    dict
        Fields by column; None for missing fields at the end of a row.
    int
        Line number of the row's end, from 1.

    Raises
    ------
    PaperError
        If the file cannot be read, is not CSV, or a column is missing.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise PaperError(Wording("is not UTF-8; %(advice)s", advice=advice), path) from error
    except OSError as error:
        raise PaperError(
            Wording("cannot be read (%(reason)s)", reason=system_reason(error)), path
        ) from error
    table = csv.DictReader(io.StringIO(text, newline=""))
    try:
        _refuse_header(table.fieldnames or (), path, advice)
        missing = [column for column in columns if column not in (table.fieldnames or ())]
        if missing:
            raise PaperError(
                Wording(
                    "no column %(missing)s; %(wanted)s", missing=", ".join(missing), wanted=wanted
                ),
                path,
                1,
            )
        for fields in table:
            yield fields, table.line_num
    except csv.Error as error:
        raise PaperError(
            Wording("is not CSV (%(reason)s)", reason=csv_reason(error)), path, table.line_num
        ) from error


def _refuse_header(header: Sequence[str], path: str | Path, advice: str) -> None:
    """Refuse an empty file, and separators other than commas."""
    if not header:
        raise PaperError(Wording("is empty; %(advice)s", advice=advice), path)
    if len(header) == 1 and ";" in header[0]:
        raise PaperError("is separated by semicolons; save it with commas", path, 1)
    if len(header) == 1 and "\t" in header[0]:
        raise PaperError("is separated by tabs; save it with commas", path, 1)
