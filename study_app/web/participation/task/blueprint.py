"""The blueprint of a task's pages, shared by all methods, and lookup of the task."""

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from study_app.core.database import db
from study_app.models.participation import WebTask
from study_app.participation import tasks
from study_app.participation.methods import method_of
from study_app.web.security.access import study

# Nested in the blueprint of each method, which has the method's name and the URLs of its tasks.
blueprint = Blueprint("task", __name__, url_prefix="/<int:task_id>")


def get_task(session: Session, study_id: int, task_id: int) -> WebTask:
    """The task in the URL; it must belong to the study and to the method of the blueprint."""
    return tasks.get_task(session, study_id, task_id, request.blueprints[-1])


def shown_task(task_id: int) -> WebTask:
    """The task of the page."""
    return get_task(db.session(), study().id, task_id)


def page(template: str, task: WebTask, **values: Any) -> str:
    """Render a page of a task, with links to the method's pages."""
    name = f"participation/task/{template}.html"
    return render_template(name, task=task, method=method_of(task), **values)


def to_task(task: WebTask) -> ResponseReturnValue:
    """Redirect to the method's own page of a task."""
    endpoint = method_of(task).task_page
    return redirect(url_for(endpoint, study_id=task.study_id, task_id=task.id))
