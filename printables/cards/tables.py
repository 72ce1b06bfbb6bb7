"""CSV tables with a header, read row by row: manifests, and truths about photos."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from basics.system_messages import csv_reason, system_reason
from basics.wordings import Wording
from printables.errors import PaperError

Fields = dict[str, str | None]


def rows_of(
    path: str | Path, columns: Sequence[str], advice: str, wanted: str
) -> Iterator[tuple[Fields, int]]:
    """The rows of a table, each with its line number.

    Parameters
    ----------
    path : path
        UTF-8, with or without a byte-order mark.
    columns : sequence of str
        Columns that it must have.
    advice : str
        What to do if it is not UTF-8.
    wanted : str
        What to say if a column is missing.

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
