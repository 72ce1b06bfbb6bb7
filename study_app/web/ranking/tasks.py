"""Ranking tasks: the list, the form of a new one, and the progress of each."""

import secrets
from typing import Any

from flask import jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from study_app.core.background import jobs
from study_app.core.database import db, writing
from study_app.models.ranking import RankingTask
from study_app.participation.consent import questions
from study_app.participation.endings.endings import NAMES
from study_app.participation.links import places
from study_app.participation.people import people
from study_app.participation.people.withdrawal import withdrawals_of
from study_app.participation.platforms.platforms import PLATFORMS
from study_app.ranking import tasks_of
from study_app.ranking.progress import measuring, overview
from study_app.ranking.progress.duration import duration_of
from study_app.ranking.tasks import query_pages, tasks
from study_app.results.gold.counts import of_task
from study_app.web.ranking.blueprint import blueprint, task_of
from study_app.web.ranking.queries import lists_of_form, query_sets
from study_app.web.ranking.task_form import FIRST, choice_of_form, questions_of_form
from study_app.web.security.access import needs, study
from study_app.web.shared.forms import sent_form

# Largest number of queries and participants on the live page; their own pages list all.
MOST_PEOPLE = 30
MOST_QUERIES = 100


@blueprint.get("/")
def page(study_id: int) -> ResponseReturnValue:
    """The tasks of the study."""
    listed = tasks_of(db.session(), study().id)
    progress = {task.id: overview.summary_of(db.session(), task) for task in listed}
    importing = jobs.running(study_id, "import_task")
    return render_template(
        "ranking/page.html", tasks=listed, progress=progress, importing=importing
    )


@blueprint.get("/new")
@needs("edit")
def new(study_id: int) -> ResponseReturnValue:
    """The form of a new task."""
    return render_template(
        "ranking/new.html",
        **query_sets(study().id),
        choice=FIRST,
        end_labels=tasks.END_LABELS,
        questions=questions.FIRST_QUESTIONS,
    )


@blueprint.post("/new")
def make(study_id: int) -> ResponseReturnValue:
    """Create a task, with its queries unless they are selected later."""
    form = sent_form()
    with writing() as session:
        lists = lists_of_form(session, study().id, form, request.files)
        choice, asked = choice_of_form(form), questions_of_form(form)
        task = tasks.make_task(session, study_id, choice, asked)
        if lists:
            tasks.add_queries(session, task, lists)
        task_id = task.id
    target = ".one_task" if lists else ".choose"
    return redirect(url_for(target, study_id=study_id, task_id=task_id))


@blueprint.get("/<int:task_id>/")
def one_task(study_id: int, task_id: int) -> ResponseReturnValue:
    """The live progress of a task."""
    task = task_of(study().id, task_id)
    is_full = places.is_full(db.session(), task)
    return render_template("ranking/task.html", task=task, is_full=is_full, **_current(task))


@blueprint.get("/<int:task_id>/live")
def live(study_id: int, task_id: int) -> ResponseReturnValue:
    """The part of the page that updates automatically."""
    task = task_of(study().id, task_id)
    return jsonify(html=render_template("ranking/live.html", task=task, **_current(task)))


def _current(task: RankingTask) -> dict[str, Any]:
    agreement, is_measured = measuring.live_agreement(db.session(), task)
    return {
        "people": overview.people_of(db.session(), task, limit=MOST_PEOPLE),
        "people_count": people.count_people(db.session(), task),
        "progress": query_pages.progress_of(db.session(), task, MOST_QUERIES),
        "links": people.links_of(db.session(), task),
        "summary": overview.summary_of(db.session(), task),
        "duration": duration_of(db.session(), task),
        "endings": {NAMES[one]: n for one, n in people.endings_of(db.session(), task).items()},
        "platforms": PLATFORMS.values(),
        "form_key": secrets.token_hex(16),
        "withdrawals": withdrawals_of(db.session(), task),
        "agreement": agreement,
        "is_measured": is_measured,
        "counts": of_task(db.session(), task),
    }
