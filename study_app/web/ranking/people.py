"""The participants of a ranking task: list with progress, and deletion of try-outs."""

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from study_app.core.database import db, writing
from study_app.core.text.languages import rgettext
from study_app.participation.people import people as participants
from study_app.participation.people import withdrawal
from study_app.ranking import get_task
from study_app.ranking.progress import overview
from study_app.web.ranking.blueprint import blueprint, task_of
from study_app.web.security.access import study
from study_app.web.shared.paging import paging

PEOPLE_A_PAGE = 100


@blueprint.get("/<int:task_id>/people")
def people(study_id: int, task_id: int) -> ResponseReturnValue:
    """A page of the list of participants."""
    task = task_of(study().id, task_id)
    find = request.args.get("find", "").strip()
    total = participants.count_people(db.session(), task, find)
    shown = paging(total, PEOPLE_A_PAGE, request.args.get("page", type=int))
    listed = overview.people_of(
        db.session(), task, find=find, offset=shown.offset, limit=shown.size
    )
    return render_template("ranking/people.html", task=task, people=listed, paging=shown, find=find)


@blueprint.post("/<int:task_id>/tryouts/clear")
def clear_tryouts(study_id: int, task_id: int) -> ResponseReturnValue:
    """Delete all try-outs."""
    with writing() as session:
        cleared = withdrawal.clear_tryouts(session, get_task(session, study_id, task_id))
    flash(rgettext("Try-outs cleared: %(cleared)s.", cleared=cleared))
    return redirect(url_for(".queries", study_id=study_id, task_id=task_id))
