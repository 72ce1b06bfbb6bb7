"""Versions of the texts for participants; closing and reopening the task."""

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue

from study_app.core.database import db, writing
from study_app.core.text.languages import as_stored, rtranslatable, shipped_in
from study_app.participation.consent import consent
from study_app.participation.people import people
from study_app.participation.tasks import close_task
from study_app.web.participation.task.blueprint import (
    blueprint,
    get_task,
    page,
    shown_task,
    to_task,
)
from study_app.web.shared import languages
from study_app.web.shared.forms import choice, sent_form


@blueprint.get("/texts")
def texts(study_id: int, task_id: int) -> ResponseReturnValue:
    """The information and the consent statement, with earlier versions."""
    task = shown_task(task_id)
    versions = consent.versions(db.session(), task.id)
    shown = {version.id: consent.rendered(version.information) for version in versions}
    counts = people.agreed_counts(db.session(), task)
    template = request.args.get("template", "")
    information = consent.TEMPLATES.get(template, versions[-1].information)
    return page(
        "texts",
        task,
        versions=versions,
        information=shipped_in(information, task.language),
        statement=shipped_in(versions[-1].consent, task.language),
        kinds=list(consent.TEMPLATES),
        kind=template,
        next_version=versions[-1].version + 1,
        shown=shown,
        languages=languages.choice_for_researchers(),
        counts=counts,
    )


@blueprint.post("/texts")
def write_texts(study_id: int, task_id: int) -> ResponseReturnValue:
    """Store the language and a new version of the texts."""
    with writing() as session:
        task = get_task(session, study_id, task_id)
        information, agreed = (
            as_stored(sent_form().get(name, ""), task.language)
            for name in ("information", "consent")
        )
        known = ["", *languages.choice_for_researchers()]
        task.language = choice(
            sent_form().get("language", task.language), rtranslatable("Language"), known
        )
        consent.add_version(session, task.id, information, agreed)
    return redirect(url_for(".texts", study_id=study_id, task_id=task_id))


@blueprint.post("/closed")
def close(study_id: int, task_id: int) -> ResponseReturnValue:
    """Close a task to new participants, or open it again."""
    with writing() as session:
        task = get_task(session, study_id, task_id)
        close_task(task, sent_form().get("closed") == "yes")
    return to_task(task)
