"""Where a form goes on, told as JSON to a script of ours: it cannot read a redirect."""

import json

from flask import Flask, Response, request

from study_app.core.errors import NotFound
from study_app.web.security import wants_json

LARGEST_ROW = 2**31 - 1


def init_app(app: Flask) -> None:
    """Tell scripts the address that a browser would be led to."""
    app.after_request(_tell_where)


def row_number(written: object) -> int:
    """A row's number as a page of ours sends it.

    Raises
    ------
    NotFound
        If no row can have it.
    """
    text = str(written)
    plain = text.isascii() and text.isdecimal() and len(text) <= 10
    if not plain or int(text) > LARGEST_ROW:
        raise NotFound("entry", text[:20])
    return int(text)


def _tell_where(response: Response) -> Response:
    if request.method == "POST" and response.status_code in (302, 303) and wants_json():
        location = response.headers.pop("Location")
        response.status_code = 200
        response.set_data(json.dumps({"location": location}))
        response.mimetype = "application/json"
    return response
