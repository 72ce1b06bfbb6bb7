"""Times on the pages of researchers: written in UTC, shown in local time by a script."""

from datetime import datetime

from flask import Flask
from markupsafe import Markup


def moment(at: datetime | str, short: bool = False) -> Markup:
    """Write a time as an element that `modules/times.js` shows in the reader's time zone.

    Parameters
    ----------
    at : datetime.datetime or str
        In UTC; text in ISO 8601.
    short : bool
        Without the year, for tables.

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
    return Markup('<time datetime="{}" data-form="{}">{} {} UTC</time>').format(
        at.isoformat(), "short" if short else "long", at.day, written
    )


def init_app(app: Flask) -> None:
    """Give the filter to every template."""
    app.add_template_filter(moment)
