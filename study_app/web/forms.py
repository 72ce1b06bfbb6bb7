"""Where a form goes on, told as JSON to a script of ours: it cannot read a redirect."""

import json

from flask import Flask, Response, request

from study_app.web.security import wants_json


def init_app(app: Flask) -> None:
    """Tell scripts the address that a browser would be led to."""
    app.after_request(_tell_where)


def _tell_where(response: Response) -> Response:
    if request.method == "POST" and response.status_code in (302, 303) and wants_json():
        location = response.headers.pop("Location")
        response.status_code = 200
        response.set_data(json.dumps({"location": location}))
        response.mimetype = "application/json"
    return response
