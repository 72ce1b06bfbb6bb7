"""Links for participants: made, shown once with their QR codes, renewed, closed."""

from flask import current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from study_app.core.database import writing
from study_app.participation import invitations
from study_app.participation.invitations import Link
from study_app.ranking import get_task
from study_app.web.access import study
from study_app.web.forms import NumberField, whole_number_or_none
from study_app.web.qr_code import qr_code
from study_app.web.ranking.blueprint import blueprint, task_of

LINKS = NumberField("How many personal links", 1, invitations.MOST_PERSONAL)
PEOPLE = NumberField("People at most", 1, invitations.MOST_PEOPLE)
DAYS = NumberField("Days until it expires", 1, invitations.MOST_DAYS)


@blueprint.post("/<int:task_id>/links")
def invite(study_id: int, task_id: int) -> ResponseReturnValue:
    """Make links and show them, this once, as a sheet that prints."""
    form = request.form
    kind = form.get("kind", "")
    name, field = ("count", LINKS) if kind == "personal" else ("people", PEOPLE)
    with writing() as session:
        task = get_task(session, study_id, task_id)
        links = invitations.invite(
            session,
            task,
            kind,
            form.get("purpose", "real"),
            people=whole_number_or_none(form.get(name, ""), field),
            days=whole_number_or_none(form.get("days", ""), DAYS),
        )
    return _sheet(study_id, task_id, links)


@blueprint.post("/<int:task_id>/try")
def try_out(study_id: int, task_id: int) -> ResponseReturnValue:
    """Open the task as a participant would, in a try-out."""
    with writing() as session:
        task = get_task(session, study_id, task_id)
        (link,) = invitations.invite(session, task, "personal", "tryout")
    return redirect(url_for("participation.welcome", token=link.token))


@blueprint.post("/<int:task_id>/links/<int:invitation_id>/renew")
def renew(study_id: int, task_id: int, invitation_id: int) -> ResponseReturnValue:
    """Give a lost link a new URL; the old one stops working."""
    with writing() as session:
        task = get_task(session, study_id, task_id)
        secret_key = current_app.config["SECRET_KEY"]
        link = invitations.renew(session, task, invitation_id, secret_key)
    return _sheet(study_id, task_id, [link])


@blueprint.post("/<int:task_id>/links/<int:invitation_id>/close")
def close_link(study_id: int, task_id: int, invitation_id: int) -> ResponseReturnValue:
    """Let nobody new in through a link."""
    with writing() as session:
        invitations.close(session, get_task(session, study_id, task_id), invitation_id)
    return redirect(url_for(".one_task", study_id=study_id, task_id=task_id))


def _sheet(study_id: int, task_id: int, links: list[Link]) -> str:
    task = task_of(study().id, task_id)
    shown = [(link, _address(link)) for link in links]
    sheet = [(link, address, qr_code(address)) for link, address in shown]
    return render_template("ranking/links.html", task=task, sheet=sheet)


def _address(link: Link) -> str:
    return url_for("participation.welcome", token=link.token, _external=True) + link.query
