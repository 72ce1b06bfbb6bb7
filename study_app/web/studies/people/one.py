"""The list of people, and the page of one person."""

from flask import current_app, flash, redirect, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue

from study_app.core.database import db
from study_app.core.text.languages import rgettext
from study_app.models import Participant
from study_app.models.exclusion import Exclusion
from study_app.participation.methods import method_of
from study_app.participation.people import exclusion
from study_app.participation.people.people import person_named, progress_of, web_sittings_of
from study_app.sittings import consent
from study_app.sittings.withdrawal import sittings_of
from study_app.studies.people import overview, personal_data, withdrawal
from study_app.web.security.access import needs, study
from study_app.web.security.security import signed_in_researcher
from study_app.web.shared.paging import paging
from study_app.web.studies.people import blueprint

PEOPLE_A_PAGE = 100


@blueprint.get("/")
def page(study_id: int) -> ResponseReturnValue:
    """The people who judge in the study."""
    find = request.args.get("find", "").strip()
    total = overview.count(db.session(), study().id, find)
    shown = paging(total, PEOPLE_A_PAGE, request.args.get("page", type=int))
    return render_template(
        "people/page.html",
        people=overview.lines(db.session(), study_id, find, shown.offset, shown.size),
        paging=shown,
        find=find,
    )


@blueprint.get("/<code>")
def person(study_id: int, code: str) -> ResponseReturnValue:
    """The stored data of one person, with exclusion and withdrawal."""
    found = person_named(db.session(), study().id, code)
    return render_template(
        "people/person.html",
        person=found,
        stored=personal_data.counts_of(db.session(), found),
        sittings=sittings_of(db.session(), found),
        consents=consent.given_by(db.session(), found),
        web=[
            (one, progress_of(one.task, one), method_of(one.task).trials(db.session(), one))
            for one in web_sittings_of(db.session(), found)
        ],
        exclusions=_exclusions_of(found),
        name_of=exclusion.name_of,
    )


@blueprint.get("/<code>/data")
@needs("edit")
def own_data(study_id: int, code: str) -> ResponseReturnValue:
    """A person's stored data, for download."""
    found = person_named(db.session(), study().id, code)
    packed = personal_data.own_data(db.session(), current_app.config["SETTINGS"], found)
    return send_file(packed, as_attachment=True, download_name=f"{found.code}_data.zip")


@blueprint.post("/<code>/withdraw")
def withdraw(study_id: int, code: str) -> ResponseReturnValue:
    """Withdraw a person: delete their data permanently."""
    with withdrawal.erasing(current_app.config["SETTINGS"], study_id, code) as erasure:
        found = person_named(erasure.session, study_id, code)
        erasure.photos += withdrawal.withdraw_person(
            erasure.session, found, signed_in_researcher().id
        )
    flash(
        rgettext(
            "The data of %(code)s were deleted. Results are computed without them from now on.",
            code=code,
        )
    )
    return redirect(url_for(".person", study_id=study_id, code=code))


def _exclusions_of(found: Participant) -> list[Exclusion]:
    """The current exclusions of a person, their sittings and trials."""
    own = {one.id for one in sittings_of(db.session(), found)}
    web = {one.id for one in web_sittings_of(db.session(), found)}
    return [
        one
        for one in exclusion.current(db.session(), found.study_id)
        if one.participant_id == found.id or one.sitting_id in own or one.web_sitting_id in web
    ]
