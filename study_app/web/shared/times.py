"""Times on researchers' pages: UTC in HTML, converted to local time by a script."""

from datetime import datetime

from flask import Flask
from markupsafe import Markup


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
    return Markup('<time datetime="{}" data-form="{}">{} {} UTC</time>').format(
        at.isoformat(), "short" if short else "long", at.day, written
    )


def init_app(app: Flask) -> None:
    """Register the template filter."""
    app.add_template_filter(moment)
