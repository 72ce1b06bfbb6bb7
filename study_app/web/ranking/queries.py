"""The queries of a task: from a table, from sets, or selected on the page."""

from typing import Any

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session
from werkzeug import Response
from werkzeug.datastructures import FileStorage, MultiDict

from study_app.core.database import db, writing
from study_app.core.text.languages import rgettext
from study_app.models import Stimulus, StimulusSet
from study_app.participation.tasks import has_participants, has_sittings, tryout_count
from study_app.ranking import get_task
from study_app.ranking.refusals import ListUnclear
from study_app.ranking.tasks import query_lists, query_pages, tasks
from study_app.ranking.tasks.query_lists import QueryList
from study_app.stimuli.stimuli import get_set, sets_of, stimuli_of
from study_app.web.ranking.blueprint import blueprint, task_of
from study_app.web.security.access import needs, study
from study_app.web.shared.forms import row_number, row_number_or_none, sent_form
from study_app.web.shared.paging import paging

TABLE_LIMIT_BYTES = 20_000_000
QUERIES_A_PAGE = 25
SKETCHES_TO_PICK = 300


def lists_of_form(
    session: Session,
    study_id: int,
    form: MultiDict[str, str],
    files: MultiDict[str, FileStorage],
) -> list[QueryList]:
    """The queries in a form; empty if they are selected later."""
    source = form.get("source", "")
    if source == "table":
        table = files.get("table")
        if table is None or not table.filename:
            raise ListUnclear(rgettext("Choose the CSV file with the columns query and stimulus."))
        return query_lists.from_table(session, study_id, _text(table), rgettext("the table"))
    if source == "sets":
        return query_lists.from_sets(
            session, study_id, row_number(form.get("sketch_set", ""), "set")
        )
    return []


def query_sets(study_id: int) -> dict[str, Any]:
    """The sets to choose sketches from, and the most likely one."""
    sets = sets_of(db.session(), study_id)
    return {"sets": sets, "likely": query_lists.likely_sketches([one for one, _ in sets])}


@blueprint.get("/<int:task_id>/queries")
def queries(study_id: int, task_id: int) -> ResponseReturnValue:
    """A page of the list of queries with their images."""
    task = task_of(study().id, task_id)
    find = request.args.get("find", "").strip()
    found = query_pages.count_queries(db.session(), task, find)
    shown = paging(found, QUERIES_A_PAGE, request.args.get("page", type=int))
    return render_template(
        "ranking/queries.html",
        task=task,
        queries=query_pages.queries_of(
            db.session(), task, find=find, offset=shown.offset, limit=shown.size
        ),
        paging=shown,
        find=find,
        total=query_pages.count_queries(db.session(), task),
        has_sittings=has_sittings(db.session(), task),
        has_participants=has_participants(db.session(), task),
        tryouts=tryout_count(db.session(), task),
        **query_sets(study_id),
    )


@blueprint.get("/<int:task_id>/queries/<int:query_id>")
def one_query(study_id: int, task_id: int, query_id: int) -> ResponseReturnValue:
    """A query with all its images."""
    task = task_of(study().id, task_id)
    query = query_pages.whole_query(db.session(), tasks.get_query(db.session(), task, query_id))
    return render_template(
        "ranking/query.html", task=task, query=query, has_sittings=has_sittings(db.session(), task)
    )


@blueprint.post("/<int:task_id>/queries")
def add_queries(study_id: int, task_id: int) -> ResponseReturnValue:
    """Add queries from a table or from sets."""
    with writing() as session:
        task = get_task(session, study_id, task_id)
        added = lists_of_form(session, study_id, sent_form(), request.files)
        tasks.add_queries(session, task, added)
    return redirect(url_for(".queries", study_id=study_id, task_id=task_id))


@blueprint.get("/<int:task_id>/queries/pick")
@needs("edit")
def choose(study_id: int, task_id: int) -> ResponseReturnValue:
    """Pick a sketch and its images."""
    task = task_of(study().id, task_id)
    sets = [one for one, _ in sets_of(db.session(), study_id)]
    sketches = _asked_set(study_id, "sketches") or query_lists.likely_sketches(sets)
    find = request.args.get("find", "").strip()
    left = query_pages.not_queries(db.session(), task, sketches, find)
    first = left[0] if left else None
    likely = query_lists.likely_images(sets, sketches, first.name if first else "")
    images = _asked_set(study_id, "images") or likely
    return render_template(
        "ranking/choose.html",
        task=task,
        sets=sets,
        sketches=sketches,
        images=images,
        find=find,
        left=left[:SKETCHES_TO_PICK],
        left_count=len(left),
        pool=stimuli_of(db.session(), images.id) if images else [],
        total=query_pages.count_queries(db.session(), task),
    )


@blueprint.post("/<int:task_id>/queries/pick")
def pick(study_id: int, task_id: int) -> ResponseReturnValue:
    """Add the selected query."""
    form = sent_form()
    with writing() as session:
        task = get_task(session, study_id, task_id)
        sketch = row_number_or_none(form.get("sketch", ""))
        if sketch is None:
            raise ListUnclear(rgettext("Choose the sketch that the images are scored against."))
        images = [row_number(image, "stimulus") for image in form.getlist("images")]
        practice = form.get("practice") == "yes"
        query = query_lists.chosen(session, study_id, sketch, images, practice)
        tasks.add_queries(session, task, [query])
        images_set = form.get("images_set", "")
        if images and session.get_one(Stimulus, images[0]).set.name == query.sketch.name:
            # The next sketch usually has another set of images.
            images_set = ""
    choices: dict[str, Any] = {
        "sketches": row_number_or_none(form.get("sketches_set", "")),
        "images": row_number_or_none(images_set),
    }
    return redirect(url_for(".choose", study_id=study_id, task_id=task_id, **choices))


@blueprint.post("/<int:task_id>/queries/<int:query_id>/remove")
def remove_query(study_id: int, task_id: int, query_id: int) -> ResponseReturnValue:
    """Delete a query from a task without participants."""
    with writing() as session:
        tasks.remove_query(session, get_task(session, study_id, task_id), query_id)
    return _back(study_id, task_id)


@blueprint.post("/<int:task_id>/queries/<int:query_id>/practice")
def set_practice(study_id: int, task_id: int, query_id: int) -> ResponseReturnValue:
    """Mark a query as practice, or not."""
    with writing() as session:
        task = get_task(session, study_id, task_id)
        tasks.set_practice(session, task, query_id, sent_form().get("practice") == "yes")
    return _back(study_id, task_id)


def _back(study_id: int, task_id: int) -> Response:
    """Redirect to the page of the list with the form."""
    at: dict[str, Any] = {
        name: sent_form()[name] for name in ("page", "find") if name in sent_form()
    }
    return redirect(url_for(".queries", study_id=study_id, task_id=task_id, **at))


def _asked_set(study_id: int, part: str) -> StimulusSet | None:
    """The requested set, or None."""
    set_id = request.args.get(part, type=int)
    return get_set(db.session(), study_id, set_id) if set_id else None


def _text(table: FileStorage) -> str:
    content = table.read(TABLE_LIMIT_BYTES + 1)
    if len(content) > TABLE_LIMIT_BYTES:
        raise ListUnclear(
            rgettext(
                "The table is larger than %(size)s MB. Split it between two queries, create "
                "the task from the first part, then add the other parts on the task's page of "
                "queries.",
                size=format(TABLE_LIMIT_BYTES / 1_000_000.0, "g"),
            )
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise ListUnclear(rgettext("The table is not UTF-8; save it as CSV UTF-8.")) from fault
