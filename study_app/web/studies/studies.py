"""The list of studies, a study's home, and inviting a colleague."""

from typing import Any

from flask import (
    Blueprint,
    Flask,
    current_app,
    flash,
    g,
    redirect,
    render_template,
    url_for,
)
from flask.typing import ResponseReturnValue

from study_app.accounts import members, researchers
from study_app.accounts.roles import may
from study_app.core.background import jobs
from study_app.core.database import db, writing
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.operations import backup_report
from study_app.studies import removal, steps, studies
from study_app.studies.home import home as home_of
from study_app.studies.people.retention import reminders
from study_app.web.accounts.confirming import confirmed
from study_app.web.results.quick import compute_light, gold_job
from study_app.web.security.access import may_here, may_open, needs, study
from study_app.web.security.security import current_researcher, signed_in_researcher
from study_app.web.shared.forms import choice, sent_form
from study_app.web.shared.times import today
from study_app.web.studies.guide import guide_of

blueprint = Blueprint("studies", __name__)


def init_app(app: Flask) -> None:
    """Provide the steps for all pages of a study."""
    app.context_processor(_shown_on_every_page)


def _shown_on_every_page() -> dict[str, Any]:
    shown: dict[str, Any] = {"researcher": None if "fault" in g else current_researcher()}
    if "role" in g and "fault" not in g:
        shown["study"] = study()
        of_study = steps.steps(db.session(), study())
        shown["steps"] = [step for step in of_study if may_open(step.endpoint)]
        following = steps.next_step(of_study)
        shown["next_step"] = following if may_here("edit") else None
        shown["guide"] = guide_of(db.session(), study())
    return shown


@blueprint.get("/")
def page() -> ResponseReturnValue:
    """All studies."""
    own = members.studies_of(db.session(), signed_in_researcher())
    named = {study.id for study, role in own if may(role, "results")}
    due = [one for one in reminders(db.session(), today()) if one.study.id in named]
    is_administrator = researchers.is_administrator(db.session(), signed_in_researcher())
    return render_template(
        "studies/page.html",
        studies=own,
        due=due,
        backup_failures=backup_report.failures(db.session()) if is_administrator else [],
        methods=studies.METHODS,
    )


@blueprint.post("/studies")
def make() -> ResponseReturnValue:
    """Create a study, and go to its first step."""
    with writing() as session:
        made = studies.make(session, *_named(), _methods("both"))
        study_id = made.id
    return redirect(url_for("stimuli.page", study_id=study_id))


@blueprint.get("/studies/<int:study_id>")
@needs("see")
def home(study_id: int) -> ResponseReturnValue:
    """An overview of the study, and the next step."""
    shown, job = home_of(db.session(), study()), None
    if shown.to_compute and may_here("results"):
        left = compute_light(shown.to_compute)
        job = gold_job(left) if left else None
        if len(left) < len(shown.to_compute):
            shown = home_of(db.session(), study())
    return render_template(
        "studies/home.html",
        home=shown,
        job=job if shown.lacks_figures else None,
        due=reminders(db.session(), today(), study_id),
        methods=studies.METHODS,
        importing=jobs.running(study_id, "import", "import_task"),
    )


@blueprint.post("/studies/<int:study_id>")
def change(study_id: int) -> ResponseReturnValue:
    """Change a study's name, lab and methods."""
    with writing() as session:
        present = studies.get(session, study_id).methods
        studies.change(session, study_id, *_named(), _methods(present))
    return redirect(url_for("studies.home", study_id=study_id))


def _named() -> tuple[str, str]:
    """Name and lab in the form."""
    return sent_form().get("name", ""), sent_form().get("lab", "")


def _methods(present: str) -> str:
    return choice(
        sent_form().get("methods", present), rtranslatable("What people do"), studies.METHODS
    )


@blueprint.get("/studies/<int:study_id>/remove")
@needs("own")
def confirm_removal(study_id: int) -> ResponseReturnValue:
    """Confirmation page of a deletion, with the data that would be lost."""
    return _removal_page()


def _removing(study_id: int) -> str:
    return rgettext(
        "You are deleting the study %(name)s with all its data.", name=repr(study().name)
    )


@blueprint.post("/studies/<int:study_id>/remove")
@needs("own")
@confirmed(rtranslatable("Delete study"), _removing)
def remove(study_id: int) -> ResponseReturnValue:
    """Delete a study with all its data; if it is refused, ask again."""
    typed = sent_form().get("name", "")
    try:
        with writing() as session:
            removed = studies.get(session, study_id)
            members.refuse_former_owner(session, study_id, signed_in_researcher().id)
            name = removed.name
            leftovers = removal.remove(session, removed, typed)
    except (removal.NameDiffers, removal.WorkUnderWay) as refusal:
        return _removal_page(name=typed, name_refusal=str(refusal)), refusal.status
    removal.forget_files(current_app.config["SETTINGS"], leftovers)
    flash(rgettext("Study %(name)s deleted.", name=repr(name)))
    return redirect(url_for("studies.page"))


def _removal_page(**shown: str) -> str:
    losses = removal.losses(db.session(), study())
    return render_template("studies/remove.html", losses=losses, **shown)


@blueprint.get("/researchers/link")
def back() -> ResponseReturnValue:
    """Go to the studies, from the address that a browser shows after a link was created."""
    return redirect(url_for(".page"))


def _inviting() -> str:
    return rgettext(
        "You are creating a link with which one person creates an account on this server."
    )


@blueprint.post("/researchers/link")
@confirmed(rtranslatable("Create link"), _inviting)
def invite() -> ResponseReturnValue:
    """Create a one-time link for a colleague."""
    with writing() as session:
        token = researchers.make_link(session)
    address = url_for("sign_in.welcome", token=token, _external=True)
    return render_template("accounts/invited.html", address=address)
