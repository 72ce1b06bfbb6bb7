"""The audit list of a study, and recording of downloads."""

import time

from flask import (
    Blueprint,
    Flask,
    Response,
    g,
    make_response,
    render_template,
    request,
)
from flask.typing import ResponseReturnValue

from study_app.accounts.audit import entries, recording
from study_app.accounts.audit.entries import Filter
from study_app.core import acting
from study_app.core.database import attempts, db, writing
from study_app.core.text.spreadsheets import plain_text
from study_app.results.exports import audit
from study_app.results.exports.names import Pseudonyms
from study_app.results.gold.downloads import plain
from study_app.web.security.access import study
from study_app.web.shared import times
from study_app.web.shared.forms import date_or_none, row_number_or_none
from study_app.web.shared.paging import paging

DOWNLOADED = "downloaded", "file"
# Browsers go on with an interrupted download, which is recorded once.
RESUMED_WITHIN_S = 3600

blueprint = Blueprint("audit", __name__, url_prefix="/studies/<int:study_id>/audit")

LINES_A_PAGE = 100


def init_app(app: Flask) -> None:
    """Record every download in the audit list."""
    app.after_request(_note_download)


@blueprint.get("/")
def page(study_id: int) -> ResponseReturnValue:
    """The audit list: who changed what, when; newest first."""
    wanted = _filter()
    found = entries.count(db.session(), study().id, wanted)
    shown = paging(found, LINES_A_PAGE, request.args.get("page", type=int))
    return render_template(
        "members/audit.html",
        lines=entries.lines(db.session(), study_id, wanted, shown.offset, shown.size),
        found=found,
        paging=shown,
        people=entries.people_of(db.session(), study_id),
        subjects=entries.subjects_of(db.session(), study_id),
        wanted=wanted,
    )


@blueprint.get("/audit.csv")
def download(study_id: int) -> ResponseReturnValue:
    """The filtered lines as CSV; with `names=no`, researchers are C1, C2, …."""
    g.researchers_named = request.args.get("names") != "no"
    researchers = None if g.researchers_named else Pseudonyms()
    lines = entries.lines(db.session(), study().id, _filter())
    answer = make_response(plain_text(audit.COLUMNS, audit.rows(lines[::-1], researchers)))
    answer.mimetype = "text/csv"
    answer.headers.set(
        "Content-Disposition", "attachment", filename=f"{plain(study().name)}_audit.csv"
    )
    return answer


def _filter() -> Filter:
    sent = request.args
    return Filter(
        row_number_or_none(sent.get("who", "")),
        sent.get("kind", ""),
        date_or_none(sent.get("from", "")),
        date_or_none(sent.get("to", "")),
        times.reader_zone(),
    )


def _note_download(response: Response) -> Response:
    """Record a download; if that fails, the download fails too.

    A route whose file may name researchers says in `g.researchers_named` whether it does.
    """
    sent = response.headers.get("Content-Disposition", "")
    if sent.startswith("attachment") and request.method == "GET" and "role" in g:
        study_id = (request.view_args or {})["study_id"]
        place = request.path.removeprefix(f"/studies/{study_id}/")
        if response.status_code in (200, 206):
            _record(study_id, place, response.get_etag()[0])
    return response


def _record(study_id: int, place: str, version: str | None) -> None:
    """Record a download, unless it is the later part of one that was recorded recently.

    A file without its first byte is as good as the whole one, also if a newer file has replaced the
    recorded one meanwhile. What has no version is small, and downloaded at once.
    """
    known = str(acting.current().researcher_id), str(study_id), place, version or ""
    key, moment = attempts.key_of("download", *known), time.time()
    with writing() as session:
        begun = attempts.recent(session, key, moment, RESUMED_WITHIN_S)
        if begun and version and request.range and request.range.ranges[0][0]:
            return
        attempts.add(session, key, moment)
        recording.note_copy(session, *DOWNLOADED, place, study_id, g.get("researchers_named"))
