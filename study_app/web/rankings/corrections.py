"""A task corrected, or removed, before people begin."""

from flask import flash, redirect, request, url_for

from study_app.db import writing
from study_app.rankings import get_task, task_correction
from study_app.web.rankings.blueprint import blueprint

WORDS = ("name", "wording", "low_label", "high_label")


@blueprint.post("/<int:task_id>/words")
def correct(study_id, task_id):
    """Change what a task is called and asks."""
    words = {name: request.form.get(name, "") for name in WORDS}
    with writing() as session:
        task = get_task(session, study_id, task_id)
        task_correction.correct_words(session, task, task_correction.Words(**words))
    return redirect(url_for(".one_task", study_id=study_id, task_id=task_id))


@blueprint.post("/<int:task_id>/remove")
def remove(study_id, task_id):
    """Remove a task that nobody has begun."""
    with writing() as session:
        task = get_task(session, study_id, task_id)
        name = task.name
        task_correction.remove_task(session, task)
    flash(f"The task {name} was removed.")
    return redirect(url_for(".page", study_id=study_id))
