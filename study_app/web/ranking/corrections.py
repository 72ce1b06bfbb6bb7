"""Correcting, copying and deleting a task."""

from flask import flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from study_app.core.database import db, writing
from study_app.core.text.languages import rgettext
from study_app.participation.consent import questions
from study_app.participation.tasks import has_participants, tryout_count
from study_app.ranking import get_task
from study_app.ranking.progress.duration import duration_of
from study_app.ranking.progress.overview import summary_of
from study_app.ranking.tasks import task_correction
from study_app.ranking.tasks.tasks import END_LABELS
from study_app.web.ranking.blueprint import blueprint, task_of
from study_app.web.ranking.task_form import choice_of_form, questions_of_form, shown_choice
from study_app.web.security.access import needs, study
from study_app.web.shared.forms import sent_form


@blueprint.get("/<int:task_id>/settings")
@needs("edit")
def settings(study_id: int, task_id: int) -> ResponseReturnValue:
    """The form with the task's settings."""
    task = task_of(study().id, task_id)
    return render_template(
        "ranking/settings.html",
        task=task,
        choice=shown_choice(task),
        end_labels=END_LABELS,
        questions=questions.written_in(task.questions, task.language),
        fixed=has_participants(db.session(), task),
        tryouts=tryout_count(db.session(), task),
        duration=duration_of(db.session(), task),
        summary=summary_of(db.session(), task),
    )


@blueprint.post("/<int:task_id>/settings")
def correct(study_id: int, task_id: int) -> ResponseReturnValue:
    """Change the task."""
    with writing() as session:
        task = get_task(session, study_id, task_id)
        choice = choice_of_form(sent_form(), task)
        asked = questions_of_form(sent_form(), task)
        cleared = task_correction.correct_task(session, task, choice, asked)
    if cleared:
        flash(rgettext("Try-outs from before this change cleared: %(cleared)s.", cleared=cleared))
    return redirect(url_for(".one_task", study_id=study_id, task_id=task_id))


@blueprint.post("/<int:task_id>/copy")
def copy(study_id: int, task_id: int) -> ResponseReturnValue:
    """Copy a started task, so that the copy can be changed."""
    with writing() as session:
        copied = task_correction.copy_task(session, get_task(session, study_id, task_id))
        name, copied_id = copied.name, copied.id
    flash(
        rgettext(
            "This is %(name)s: same queries, texts and settings, no participants. "
            "It has a completion code of its own; enter the platform's URL and "
            "codes again.",
            name=name,
        )
    )
    return redirect(url_for(".settings", study_id=study_id, task_id=copied_id))


@blueprint.post("/<int:task_id>/remove")
def remove(study_id: int, task_id: int) -> ResponseReturnValue:
    """Delete a task without participants."""
    with writing() as session:
        task = get_task(session, study_id, task_id)
        name = task.name
        task_correction.remove_task(session, task)
    flash(rgettext("The task %(name)s was removed.", name=name))
    return redirect(url_for(".page", study_id=study_id))
