"""Groupings from other tools, imported from a file."""

import tempfile
from pathlib import Path

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from study_app.core.database import db, writing
from study_app.core.text.languages import in_number, rcounted, rgettext
from study_app.sittings import imported_groupings
from study_app.stimuli import stimuli
from study_app.web.security.access import needs, study
from study_app.web.shared.forms import sent_form
from study_app.web.sittings import blueprint

MOST_BYTES = 50_000_000
GROUPINGS = rcounted("%(count)s grouping", "%(count)s groupings")
CARDS = rcounted("%(count)s card", "%(count)s cards")


@blueprint.get("/import")
@needs("edit")
def import_page(study_id: int) -> ResponseReturnValue:
    """The form, and the accepted files."""
    return render_template("sittings/import.html", sets=stimuli.sets_of(db.session(), study().id))


@blueprint.post("/import")
def import_groupings(study_id: int) -> ResponseReturnValue:
    """Import a file of groupings, all of it or nothing."""
    sent = request.files.get("file")
    content = sent.stream.read(MOST_BYTES + 1) if sent else b""
    if sent is None or not sent.filename or len(content) > MOST_BYTES:
        raise imported_groupings.ImportRefused(
            rgettext("Choose a CSV file of at most %(size)s MB.", size=MOST_BYTES // 1_000_000)
        )
    name = Path(sent.filename or "groupings.csv").name
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "groupings.csv"
        path.write_bytes(content)
        with writing() as session:
            found = imported_groupings.import_groupings(
                session, study(), path, name, sent_form().get("set") or None
            )
            message = rgettext(
                "%(groupings)s of %(cards)s imported.",
                groupings=in_number(GROUPINGS, len(found.sittings)),
                cards=in_number(CARDS, found.stimuli),
            )
    flash(message)
    return redirect(url_for(".page", study_id=study_id))
