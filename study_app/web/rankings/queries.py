"""The queries of a task: from a table, from sets, or picked in the page."""

from flask import redirect, render_template, request, url_for

from study_app.db import db, writing
from study_app.rankings import get_task, lists, overview, tasks
from study_app.rankings.refusals import ListUnclear
from study_app.stimuli import get_set, sets_of, stimuli_of
from study_app.web.rankings.blueprint import blueprint, task_of, whole_number
from study_app.web.studies import study

TABLE_LIMIT_BYTES = 20_000_000


def lists_of_form(session, study_id, form, files):
    """The queries that a form brings; none where they are to be picked later."""
    source = form.get("source", "")
    if source == "table":
        table = files.get("table")
        if table is None or not table.filename:
            raise ListUnclear("Choose the CSV file with the columns query and stimulus.")
        return lists.from_table(session, study_id, _text(table), "the table")
    if source == "sets":
        return lists.from_sets(session, study_id, whole_number(form, "sketch_set") or 0)
    return []


@blueprint.get("/<int:task_id>/queries")
def queries(study_id, task_id):
    """Every query with its images."""
    task = task_of(study().id, task_id)
    return render_template(
        "rankings/queries.html",
        task=task,
        begun=tasks.begun(db.session, task),
        tryouts=overview.tryout_count(db.session, task),
        sets=sets_of(db.session, study_id),
    )


@blueprint.post("/<int:task_id>/queries")
def add_queries(study_id, task_id):
    """Add queries from a table or from sets."""
    with writing() as session:
        task = get_task(session, study_id, task_id)
        added = lists_of_form(session, study_id, request.form, request.files)
        tasks.add_queries(session, task, lists.checked(added))
    return redirect(url_for(".queries", study_id=study_id, task_id=task_id))


@blueprint.get("/<int:task_id>/queries/pick")
def choose(study_id, task_id):
    """Pick a sketch and its images."""
    task = task_of(study().id, task_id)
    sets = [one for one, _ in sets_of(db.session, study_id)]
    shown = {}
    # Sketches are mostly imported first, images last.
    for part, likely in (("sketches", sets[:1]), ("images", sets[-1:])):
        set_id = request.args.get(part, type=int) or (likely[0].id if likely else None)
        found = get_set(db.session, study_id, set_id) if set_id else None
        shown[part] = (set_id, stimuli_of(db.session, found.id) if found else [])
    used = {query.stimulus_id for query in task.queries}
    return render_template("rankings/choose.html", task=task, sets=sets, shown=shown, used=used)


@blueprint.post("/<int:task_id>/queries/pick")
def pick(study_id, task_id):
    """Add the query that was picked."""
    form = request.form
    with writing() as session:
        task = get_task(session, study_id, task_id)
        sketch = whole_number(form, "sketch")
        if sketch is None:
            raise ListUnclear("Choose the sketch that the images are scored against.")
        images = form.getlist("images", type=int)
        practice = form.get("practice") == "yes"
        query = lists.chosen(session, study_id, sketch, images, practice)
        tasks.add_queries(session, task, [query])
    kept = {part: whole_number(form, f"{part}_set") for part in ("sketches", "images")}
    return redirect(url_for(".choose", study_id=study_id, task_id=task_id, **kept))


@blueprint.post("/<int:task_id>/queries/<int:query_id>/remove")
def remove_query(study_id, task_id, query_id):
    """Take a query off a task that nobody has begun."""
    with writing() as session:
        tasks.remove_query(session, get_task(session, study_id, task_id), query_id)
    return redirect(url_for(".queries", study_id=study_id, task_id=task_id))


@blueprint.post("/<int:task_id>/queries/<int:query_id>/practice")
def set_practice(study_id, task_id, query_id):
    """Make a query one for practice, or a real one."""
    with writing() as session:
        task = get_task(session, study_id, task_id)
        tasks.set_practice(session, task, query_id, request.form.get("practice") == "yes")
    return redirect(url_for(".queries", study_id=study_id, task_id=task_id))


def _text(table):
    content = table.read(TABLE_LIMIT_BYTES + 1)
    if len(content) > TABLE_LIMIT_BYTES:
        raise ListUnclear("The table is larger than 20 MB; a list of queries never is.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise ListUnclear("The table is not UTF-8; save it as CSV UTF-8.") from fault
