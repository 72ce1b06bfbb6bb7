"""Names of files and sets on pages."""

import re

from markupsafe import Markup, escape

# Browsers do not break a line here, so that a long name would be broken within a word.
PLACES = re.compile(r"(?<=\w)([_./])(?=\w)")


def wrapping(name: str) -> Markup:
    """A name that may continue on a new line after `_`, `.` and `/`.

    Examples
    --------
    >>> str(wrapping("01_air<plane"))
    '01_<wbr>air&lt;plane'
    """
    # A name's own "&lt;" contains none of the places.
    return Markup(PLACES.sub(r"\1<wbr>", str(escape(name))))
