"""Responses with stored files."""

from flask import Response, current_app, request, send_file

from study_app.core.storage import content
from study_app.core.storage.chosen_store import store_of


def shown(name: str, media_type: str) -> Response:
    """A picture for a page; not read if the browser has cached it."""
    if request.if_none_match.contains(name):
        answer = Response(status=304)
    else:
        store = store_of(current_app.config["SETTINGS"])
        answer = Response(content.read(store, name), mimetype=media_type)
    answer.set_etag(name)
    return answer


def download(name: str, media_type: str, saved_as: str) -> Response:
    """A download: streamed, and resumable after an interruption."""
    found = store_of(current_app.config["SETTINGS"]).opened(name)
    # The server closes the file.
    answer = send_file(
        found.file,
        mimetype=media_type,
        as_attachment=True,
        download_name=saved_as,
        etag=found.tag,
        conditional=False,
    )
    answer.content_length = found.size
    answer.make_conditional(request, accept_ranges=True, complete_length=found.size)
    return answer
