"""Forms: their fields read in one way, and where a script of ours goes on once one is sent.

No page reads `request.form` itself. Of Flask-WTF only the protection against forged requests is
used: docs/decisions/libraries.md says why.
"""

import json
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from flask import Flask, Response, request
from werkzeug.datastructures import MultiDict

from study_app.core.errors import NotFound, StudyError
from study_app.web.security.security import wants_json

LARGEST_ROW = 2**31 - 1
# Characters of one field: a list of assessors or the information for participants is shorter.
LONGEST = 200_000
# Control characters but tab and line feed, and the mark of byte order: databases refuse the first.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff]")
# What a browser's number field can send; the lengths keep `int` and `float` from long texts.
WHOLE = re.compile(r"[0-9]{1,10}")
DECIMAL = re.compile(r"[+-]?([0-9]{1,12}[.,]?[0-9]{0,12}|[.,][0-9]{1,12})([eE][+-]?[0-9]{1,2})?")


class FieldRefused(StudyError):
    """A field of a form does not hold what it asks for."""


@dataclass(frozen=True)
class NumberField:
    """A field for a number.

    Attributes
    ----------
    label : str
        What the page calls it.
    least, most : int
        Both may be given.
    unit : str
        Empty where the number is a count.
    """

    label: str
    least: int
    most: int
    unit: str = ""

    def refusal(self, kind: str, may_be_empty: bool = False) -> FieldRefused:
        """The sentence that names the field and what it takes."""
        to = " to " if self.least < 0 else "–"
        of = f" in {self.unit}" if self.unit else ""
        empty = ", or empty" if may_be_empty else ""
        limits = f"{self.least:,}{to}{self.most:,}"
        return FieldRefused(f"{self.label} must be a {kind}{of}, {limits}{empty}.")


def sent_form() -> MultiDict[str, str]:
    """The form of the request, every text as it is stored: rules bound single fields further.

    Composed Unicode (NFC), line feeds alone end lines, no other control characters.

    Raises
    ------
    FieldRefused
        If a text has more than `LONGEST` characters.
    """
    return MultiDict(
        (_bounded(name, name), _as_stored(_bounded(name, text)))
        for name, text in request.form.items(multi=True)
    )


def as_typed(name: str) -> str:
    """A field character for character, for passwords and JSON; empty where it was not sent.

    Raises
    ------
    FieldRefused
        As for `sent_form`.
    """
    return _bounded(name, request.form.get(name, ""))


def whole_number(written: str, field: NumberField) -> int:
    """The whole number in a field.

    Raises
    ------
    FieldRefused
        If it holds anything else, or a number out of range.
    """
    number = _whole(written, field)
    if number is None:
        raise field.refusal("whole number")
    return number


def whole_number_or_none(written: str, field: NumberField) -> int | None:
    """The whole number in a field that may be left empty.

    Raises
    ------
    FieldRefused
        As for `whole_number`.
    """
    if not written.strip():
        return None
    number = _whole(written, field)
    if number is None:
        raise field.refusal("whole number", may_be_empty=True)
    return number


def decimal(written: str, field: NumberField) -> float:
    """The number in a field, with a decimal point or a decimal comma.

    Raises
    ------
    FieldRefused
        As for `whole_number`.
    """
    written = written.strip()
    if not DECIMAL.fullmatch(written):
        raise field.refusal("number")
    number = float(written.replace(",", "."))
    if not field.least <= number <= field.most:
        raise field.refusal("number")
    return number


def choice(written: str, label: str, choices: Collection[str]) -> str:
    """The chosen one of a field's choices.

    Raises
    ------
    FieldRefused
        If it is not one of them.
    """
    if written not in choices:
        raise FieldRefused(f"{label} must be one of: {', '.join(choices)}.")
    return written


def date_or_none(written: str) -> date | None:
    """The date in a field that may be left empty.

    Raises
    ------
    FieldRefused
        If it holds anything else.
    """
    if not written.strip():
        return None
    try:
        return date.fromisoformat(written.strip())
    except ValueError as fault:
        raise FieldRefused(
            f"{written[:20]!r} is not a date. Enter it as 2027-12-31, or leave it empty."
        ) from fault


def init_app(app: Flask) -> None:
    """Tell scripts the address that a browser would be led to."""
    app.after_request(_tell_where)


def row_number(written: object, kind: str = "entry") -> int:
    """A row's number as a page of ours sends it; `kind` is what its rows are called.

    Raises
    ------
    NotFound
        If no row can have it.
    """
    text = str(written)
    if not WHOLE.fullmatch(text) or int(text) > LARGEST_ROW:
        raise NotFound(kind, text[:20])
    return int(text)


def row_number_or_none(written: str) -> int | None:
    """A row's number, where a page of ours may send none.

    Raises
    ------
    NotFound
        As for `row_number`.
    """
    return row_number(written) if written else None


def _bounded(name: str, text: str) -> str:
    if len(text) > LONGEST:
        raise FieldRefused(f"{name[:40]} must have at most {LONGEST:,} characters.")
    return text


def _as_stored(text: str) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return unicodedata.normalize("NFC", CONTROL.sub("", lines))


def _whole(written: str, field: NumberField) -> int | None:
    written = written.strip()
    if not WHOLE.fullmatch(written):
        return None
    number = int(written)
    return number if field.least <= number <= field.most else None


def _tell_where(response: Response) -> Response:
    if request.method == "POST" and response.status_code in (302, 303) and wants_json():
        location = response.headers.pop("Location")
        response.status_code = 200
        response.set_data(json.dumps({"location": location}))
        response.mimetype = "application/json"
    return response
