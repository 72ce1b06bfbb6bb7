"""Forms: one way to read their fields, and where a script continues after sending one.

No page reads `request.form` itself. Of Flask-WTF only the protection against forged requests is
used; see docs/decisions/libraries.md.
"""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from flask import Flask, Response, request
from werkzeug.datastructures import MultiDict

from study_app.core.errors import NotFound, StudyError
from study_app.core.text.languages import gettext, rgettext, rtranslatable, translatable
from study_app.core.text.lengths import normalised
from study_app.web.security.security import wants_json

LARGEST_ROW = 2**31 - 1
# Longest field; lists of assessors and information texts are shorter.
LONGEST = 200_000
# Where the form of a request stays, since a long one takes time.
_FORM = "sketch_study.form"
# Formats of a browser's number field, with limited lengths for `int` and `float`.
WHOLE = re.compile(r"[0-9]{1,10}")
DECIMAL = re.compile(r"[+-]?([0-9]{1,12}[.,]?[0-9]{0,12}|[.,][0-9]{1,12})([eE][+-]?[0-9]{1,2})?")


class FieldRefused(StudyError):
    """An invalid field of a form."""


@dataclass(frozen=True)
class NumberField:
    """A field for a number.

    Attributes
    ----------
    label : str
        Label on the page.
    least, most : int
        The limits, inclusive.
    unit : str
        Empty for a count.
    """

    label: str
    least: int
    most: int
    unit: str = ""

    def refusal(self, sentences: "Sentences") -> FieldRefused:
        """An error that names the field and the accepted values."""
        to = " to " if self.least < 0 else "–"
        limits = f"{self.least:,}{to}{self.most:,}"
        plain, with_unit = sentences
        values = {"label": rgettext(self.label), "limits": limits}
        if self.unit:
            return FieldRefused(rgettext(with_unit, unit=rgettext(self.unit), **values))
        return FieldRefused(rgettext(plain, **values))


# The message for a field without a unit, and that for a field with a unit.
Sentences = tuple[str, str]
WHOLE_NUMBER: Sentences = (
    rtranslatable("%(label)s must be a whole number, %(limits)s."),
    rtranslatable("%(label)s must be a whole number in %(unit)s, %(limits)s."),
)
WHOLE_OR_EMPTY: Sentences = (
    translatable("%(label)s must be a whole number, %(limits)s, or empty."),
    rtranslatable("%(label)s must be a whole number in %(unit)s, %(limits)s, or empty."),
)
ANY_NUMBER: Sentences = (
    rtranslatable("%(label)s must be a number, %(limits)s."),
    rtranslatable("%(label)s must be a number in %(unit)s, %(limits)s."),
)


def sent_form() -> MultiDict[str, str]:
    """The form of the request, with normalised texts.

    Composed Unicode (NFC), lines end with a line feed, no other control characters.

    Raises
    ------
    FieldRefused
        If a text has more than `LONGEST` characters.
    """
    known: MultiDict[str, str] | None = request.environ.get(_FORM)
    if known is None:
        known = request.environ[_FORM] = MultiDict(
            (_bounded(name, name), normalised(_bounded(name, text)))
            for name, text in request.form.items(multi=True)
            # A part of a multipart body may have no name.
            if name
        )
    return known


def as_typed(name: str) -> str:
    """A field without normalisation, for passwords and JSON; empty if it was not sent.

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
        If it is not a whole number, or out of range.
    """
    number = _whole(written, field)
    if number is None:
        raise field.refusal(WHOLE_NUMBER)
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
        raise field.refusal(WHOLE_OR_EMPTY)
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
        raise field.refusal(ANY_NUMBER)
    number = float(written.replace(",", "."))
    if not field.least <= number <= field.most:
        raise field.refusal(ANY_NUMBER)
    return number


def choice(written: str, label: str, choices: Collection[str]) -> str:
    """The chosen one of a field's choices.

    Raises
    ------
    FieldRefused
        If it is not one of them.
    """
    if written not in choices:
        raise FieldRefused(
            rgettext(
                "%(label)s must be one of: %(names)s.",
                label=rgettext(label),
                names=", ".join(choices),
            )
        )
    return written


def date_or_none(written: str) -> date | None:
    """The date in a field that may be left empty.

    Raises
    ------
    FieldRefused
        If it is not a date.
    """
    if not written.strip():
        return None
    try:
        return date.fromisoformat(written.strip())
    except ValueError as fault:
        raise FieldRefused(
            rgettext(
                "%(written)s is not a date. Enter it as 2027-12-31, or leave it empty.",
                written=repr(written[:20]),
            )
        ) from fault


def init_app(app: Flask) -> None:
    """Give scripts the address that a browser would be redirected to."""
    app.after_request(_redirect_for_script)


def row_number(written: object, kind: str = "entry") -> int:
    """The id of a row, as a page sends it; `kind` is the word for such a row.

    Raises
    ------
    NotFound
        If it is not a possible id.
    """
    text = str(written)
    if not WHOLE.fullmatch(text) or int(text) > LARGEST_ROW:
        raise NotFound(kind, text[:20])
    return int(text)


def row_number_or_none(written: str) -> int | None:
    """The id of a row, or None if the field is empty.

    Raises
    ------
    NotFound
        As for `row_number`.
    """
    return row_number(written) if written else None


def _bounded(name: str, text: str) -> str:
    if len(text) > LONGEST:
        raise FieldRefused(
            gettext(
                "%(name)s must have at most %(longest)s characters.",
                name=name[:40],
                longest=format(LONGEST, ","),
            )
        )
    return text


def _whole(written: str, field: NumberField) -> int | None:
    written = written.strip()
    if not WHOLE.fullmatch(written):
        return None
    number = int(written)
    return number if field.least <= number <= field.most else None


def _redirect_for_script(response: Response) -> Response:
    if request.method == "POST" and response.status_code in (302, 303) and wants_json():
        location = response.headers.pop("Location")
        response.status_code = 200
        response.set_data(json.dumps({"location": location}))
        response.mimetype = "application/json"
    return response
