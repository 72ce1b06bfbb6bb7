"""Retention dates of data that could identify people, and deletion."""

from flask import current_app, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from study_app.accounts import researchers
from study_app.core.database import db, writing
from study_app.core.text.languages import rgettext, rngettext
from study_app.operations import backup_report, older_copies
from study_app.studies.people import retention as rules
from study_app.studies.people.withdrawal import erasing
from study_app.web.security.access import needs, study
from study_app.web.security.security import signed_in_researcher
from study_app.web.shared.forms import date_or_none, sent_form
from study_app.web.shared.times import today
from study_app.web.studies.people import blueprint


@blueprint.get("/retention")
def retention(study_id: int) -> ResponseReturnValue:
    """The dates, due deletions, and older copies of the database."""
    is_administrator = researchers.is_administrator(db.session(), signed_in_researcher())
    return render_template(
        "people/retention.html",
        dates=rules.dates_of(db.session(), study().id),
        due=rules.reminders(db.session(), today(), study_id),
        copies=older_copies.older_copies(current_app.config["SETTINGS"]),
        backups=backup_report.kept(db.session()),
        backup_failures=backup_report.failures(db.session()) if is_administrator else [],
        is_administrator=is_administrator,
    )


@blueprint.post("/retention")
def set_retention(study_id: int) -> ResponseReturnValue:
    """Set the dates."""
    read = {kind: date_or_none(sent_form().get(kind, "")) for kind in rules.KINDS}
    with writing() as session:
        rules.set_dates(session, study().id, rules.Dates(**read))
    flash(rgettext("Retention dates saved."))
    return redirect(url_for(".retention", study_id=study_id))


@blueprint.post("/retention/photos")
def delete_photos(study_id: int) -> ResponseReturnValue:
    """Delete all photos of the study permanently."""
    with erasing(current_app.config["SETTINGS"], study_id, rules.KINDS["photos"]) as erasure:
        researcher = signed_in_researcher().id
        erasure.photos += rules.delete_photos(erasure.session, study().id, researcher)
    count = len(erasure.photos)
    flash(rngettext("%(num)s photo deleted.", "%(num)s photos deleted.", count))
    return redirect(url_for(".retention", study_id=study_id))


@blueprint.post("/retention/platform-ids")
def delete_platform_ids(study_id: int) -> ResponseReturnValue:
    """Delete the platform IDs of the participants."""
    about = rules.KINDS["platform_ids"]
    with erasing(current_app.config["SETTINGS"], study_id, about) as erasure:
        count = rules.delete_platform_ids(erasure.session, study().id)
    flash(rngettext("%(num)s platform ID deleted.", "%(num)s platform IDs deleted.", count))
    return redirect(url_for(".retention", study_id=study_id))


@blueprint.post("/retention/copies")
@needs("own")
def delete_copies(study_id: int) -> ResponseReturnValue:
    """Delete older copies of the database from the instance folder."""
    if not researchers.is_administrator(db.session(), signed_in_researcher()):
        raise researchers.AdministratorOnly()
    copies = older_copies.older_copies(current_app.config["SETTINGS"])
    with writing() as session:
        count = older_copies.delete_copies(session, copies, study().id)
    flash(rngettext("%(num)s older copy deleted.", "%(num)s older copies deleted.", count))
    return redirect(url_for(".retention", study_id=study_id))
