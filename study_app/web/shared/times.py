"""Times on pages: UTC in HTML, converted to local time by a script; and the reader's own day."""

from datetime import UTC, date, datetime, tzinfo
from zoneinfo import ZoneInfo

from babel.dates import format_date
from flask import Flask, request
from markupsafe import Markup

from study_app.models import now
from study_app.web.shared.languages import current_locale

# Written by `modules/zone.js`: the reader's time zone, such as "Asia/Tokyo".
ZONE_COOKIE = "zone"
DATE_FORMS = {"day": "long", "short-day": "d MMM", "weekday": "full"}


def moment(at: datetime | str, short: bool = False) -> Markup:
    """A time as an element that `modules/times.js` converts to the reader's time zone.

    Parameters
    ----------
    at : datetime.datetime or str
        In UTC; text in ISO 8601.
    short : bool
        Without year, for tables.

    Returns
    -------
    markupsafe.Markup

    Examples
    --------
    >>> moment("2026-03-01T09:05:00+00:00").striptags()
    '1 March 2026, 09:05 UTC'
    """
    at = datetime.fromisoformat(at) if isinstance(at, str) else at
    written = f"{at:%b, %H:%M}" if short else f"{at:%B %Y, %H:%M}"
    return _element(at, "short" if short else "long", f"{at.day} {written} UTC")


def day(at: date, form: str = "day") -> str:
    """A date in words, in the reader's language.

    Parameters
    ----------
    at : date or datetime
        The day of a time is shown in the reader's zone, by the same script.
    form : {"day", "short-day", "weekday", "long"}
        "long" has the time too, once the script has run.
    """
    words = format_date(at, DATE_FORMS.get(form, "long"), locale=current_locale())
    return _element(at, form, words) if isinstance(at, datetime) else words


def today() -> date:
    """The reader's date."""
    return now().astimezone(reader_zone()).date()


def reader_zone() -> tzinfo:
    """The reader's time zone: the one in the cookie, else UTC."""
    try:
        return ZoneInfo(request.cookies.get(ZONE_COOKIE, "UTC"))
    except (OSError, ValueError, KeyError):  # an unknown zone, or no name of one
        return UTC


def _element(at: datetime, form: str, words: str) -> Markup:
    return Markup('<time datetime="{}" data-form="{}">{}</time>').format(
        at.isoformat(), form, words
    )


def init_app(app: Flask) -> None:
    """Register the template filters."""
    app.add_template_filter(moment)
    app.add_template_filter(day)
