"""Participants as the researcher handles them: withdrawn, cleared, known to a platform."""

from flask import Response, current_app, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from study_app.core.database import db, writing
from study_app.core.spreadsheets import plain_text
from study_app.participation import payments, withdrawal
from study_app.participation import people as participants
from study_app.people.withdrawal import forget
from study_app.ranking import get_task, overview
from study_app.web.access import needs, study
from study_app.web.forms import sent_form
from study_app.web.paging import paging
from study_app.web.ranking.blueprint import blueprint, task_of

PEOPLE_A_PAGE = 100


@blueprint.get("/<int:task_id>/people")
def people(study_id: int, task_id: int) -> ResponseReturnValue:
    """Every participant, a page at a time."""
    task = task_of(study().id, task_id)
    find = request.args.get("find", "").strip()
    total = participants.count_people(db.session(), task, find)
    shown = paging(total, PEOPLE_A_PAGE, request.args.get("page", type=int))
    listed = overview.people_of(
        db.session(), task, find=find, offset=shown.offset, limit=shown.size
    )
    return render_template("ranking/people.html", task=task, people=listed, paging=shown, find=find)


@blueprint.post("/<int:task_id>/people/<int:sitting_id>/withdraw")
def withdraw(study_id: int, task_id: int, sitting_id: int) -> ResponseReturnValue:
    """Remove everything that a participant said."""
    with writing() as session:
        task = get_task(session, study_id, task_id)
        sitting = withdrawal.get_sitting(session, task, sitting_id)
        code = sitting.participant.code
        withdrawal.withdraw(session, sitting, "researcher")
    forget(current_app.config["SETTINGS"], study_id)
    flash(f"The scores of {code} were removed; the gold standard is computed without them.")
    return redirect(url_for(".one_task", study_id=study_id, task_id=task_id))


@blueprint.post("/<int:task_id>/tryouts/clear")
def clear_tryouts(study_id: int, task_id: int) -> ResponseReturnValue:
    """Remove every try-out."""
    with writing() as session:
        cleared = withdrawal.clear_tryouts(session, get_task(session, study_id, task_id))
    flash(f"Try-outs cleared: {cleared}.")
    back = ".queries" if sent_form().get("back") == "queries" else ".one_task"
    return redirect(url_for(back, study_id=study_id, task_id=task_id))


@blueprint.get("/<int:task_id>/platform")
@needs("edit")
def platform(study_id: int, task_id: int) -> ResponseReturnValue:
    """Which participant is whom on the recruitment platform, for approving and paying."""
    task = task_of(study().id, task_id)
    return render_template(
        "ranking/platform.html", task=task, payments=payments.payments_of(db.session(), task)
    )


@blueprint.get("/<int:task_id>/platform.csv")
@needs("edit")
def payments_file(study_id: int, task_id: int) -> ResponseReturnValue:
    """The same as a table, with whom to approve or reject and why."""
    task = task_of(study().id, task_id)
    rows = payments.rows_of(payments.payments_of(db.session(), task))
    answer = Response(plain_text(payments.COLUMNS, rows), mimetype="text/csv")
    answer.headers.set("Content-Disposition", "attachment", filename="platform-ids.csv")
    return answer


@blueprint.post("/<int:task_id>/platform/forget")
def forget_identities(study_id: int, task_id: int) -> ResponseReturnValue:
    """Delete what platforms call the participants, once they are paid."""
    with writing() as session:
        count = payments.forget_identities(session, get_task(session, study_id, task_id))
    forget(current_app.config["SETTINGS"], study_id)
    flash(f"Platform IDs deleted: {count}.")
    return redirect(url_for(".platform", study_id=study_id, task_id=task_id))
