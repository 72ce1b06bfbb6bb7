"""Links for participants: creating, showing once with QR codes, renewing, closing."""

from flask import current_app, flash, redirect, session, url_for
from flask.typing import ResponseReturnValue

from study_app.core.database import db, writing
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.participation.links import invitations, places
from study_app.participation.links.invitations import Link
from study_app.web.participation.task.blueprint import (
    blueprint,
    get_task,
    page,
    shown_task,
    to_task,
)
from study_app.web.shared.forms import NumberField, sent_form, whole_number_or_none
from study_app.web.shared.qr_code import qr_code

LINKS = NumberField(rtranslatable("How many personal links"), 1, invitations.MOST_PERSONAL)
PEOPLE = NumberField(rtranslatable("Maximum participants"), 1, invitations.MOST_PEOPLE)
# Keys of submitted forms, because reloading the sheet submits its form again.
SENT_FORMS, MOST_SENT = "links", 20
DAYS = NumberField(rtranslatable("Days until it expires"), 1, invitations.MOST_DAYS)


@blueprint.post("/links")
def invite(study_id: int, task_id: int) -> ResponseReturnValue:
    """Create links and show them once, as a printable sheet; a reload creates no more."""
    form = sent_form()
    form_key = form.get("form_key", "")[:32]
    if form_key and form_key in session.get(SENT_FORMS, []):
        flash(rgettext("These links were created already. Replace a lost one with a new address."))
        return to_task(shown_task(task_id))
    kind = form.get("kind", "")
    name, field = ("count", LINKS) if kind == "personal" else ("people", PEOPLE)
    with writing() as rows:
        task = get_task(rows, study_id, task_id)
        links = invitations.invite(
            rows,
            task,
            kind,
            form.get("purpose", "real"),
            people=whole_number_or_none(form.get(name, ""), field),
            days=whole_number_or_none(form.get("days", ""), DAYS),
        )
    # A rejected form may be corrected and sent again.
    session[SENT_FORMS] = [*session.get(SENT_FORMS, []), form_key][-MOST_SENT:]
    return _sheet(task_id, links)


@blueprint.post("/try")
def try_out(study_id: int, task_id: int) -> ResponseReturnValue:
    """Open the task as a participant would, in a try-out."""
    with writing() as rows:
        task = get_task(rows, study_id, task_id)
        (link,) = invitations.invite(rows, task, "personal", "tryout")
    return redirect(url_for("participation.welcome", token=link.token))


@blueprint.post("/links/<int:invitation_id>/renew")
def renew(study_id: int, task_id: int, invitation_id: int) -> ResponseReturnValue:
    """Give a lost link a new URL; the old one stops working."""
    with writing() as rows:
        task = get_task(rows, study_id, task_id)
        secret_key = current_app.config["SECRET_KEY"]
        link = invitations.renew(rows, task, invitation_id, secret_key)
    return _sheet(task_id, [link])


@blueprint.post("/links/<int:invitation_id>/close")
def close_link(study_id: int, task_id: int, invitation_id: int) -> ResponseReturnValue:
    """Close a link for new participants."""
    with writing() as rows:
        task = get_task(rows, study_id, task_id)
        invitations.close(rows, task, invitation_id)
    return to_task(task)


def _sheet(task_id: int, links: list[Link]) -> str:
    task, is_full = shown_task(task_id), False
    if any(link.purpose != "tryout" for link in links):
        is_full = places.is_full(db.session(), task)
    shown = [(link, _address(link)) for link in links]
    sheet = [(link, address, qr_code(address)) for link, address in shown]
    return page("links", task, sheet=sheet, is_full=is_full)


def _address(link: Link) -> str:
    return url_for("participation.welcome", token=link.token, _external=True) + link.query
