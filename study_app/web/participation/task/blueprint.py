"""The blueprint of a task's pages that every method shares, and the task that an address names."""

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from study_app.core.database import db
from study_app.models.participation import WebTask
from study_app.participation import tasks
from study_app.participation.methods import method_of
from study_app.web.security.access import study

# Registered within the blueprint of each method, which has the method's name and the address of
# its tasks.
blueprint = Blueprint("task", __name__, url_prefix="/<int:task_id>")


def get_task(session: Session, study_id: int, task_id: int) -> WebTask:
    """The task of an address, which must belong to its study and to the method of the blueprint."""
    return tasks.get_task(session, study_id, task_id, request.blueprints[-1])


def shown_task(task_id: int) -> WebTask:
    """The task that a page shows."""
    return get_task(db.session(), study().id, task_id)


def page(template: str, task: WebTask, **values: Any) -> str:
    """A page of a task, which links to the method's own pages of it."""
    name = f"participation/task/{template}.html"
    return render_template(name, task=task, method=method_of(task), **values)


def to_task(task: WebTask) -> ResponseReturnValue:
    """Redirect to the method's own page of a task."""
    endpoint = method_of(task).task_page
    return redirect(url_for(endpoint, study_id=task.study_id, task_id=task.id))
