"""The pages of the step "Gold standard": sets and tasks, with the agreement of participants."""

from mimetypes import guess_type
from typing import Any

from flask import (
    Blueprint,
    Response,
    abort,
    jsonify,
    redirect,
    render_template,
    request,
    send_file,
    url_for,
)
from flask.typing import ResponseReturnValue

from study_app import ranking
from study_app.core.background import jobs
from study_app.core.database import db
from study_app.core.errors import StudyError
from study_app.core.text.languages import rgettext
from study_app.models import Stimulus
from study_app.results.gold import counts, downloads, sets, tasks, view
from study_app.results.gold.tasks import TaskGold
from study_app.results.gold.view import Target
from study_app.stimuli import stimuli
from study_app.web.results.quick import compute_light, gold_job, quick_gold
from study_app.web.security.access import needs, study
from study_app.web.shared.paging import Paging, paging
from study_app.web.shared.stored_files import download

blueprint = Blueprint("gold", __name__, url_prefix="/studies/<int:study_id>/gold")

QUERIES_A_PAGE = 50
SKETCHES_A_PAGE = 1_000
IMAGES_A_PAGE = 4_000
# Groups in one part of a matrix.
CELLS_AT_ONCE = 100_000
DOWNLOADS = "downloads-title"


class ResultsChanged(StudyError):
    """A part of a matrix no longer fits the parts before."""

    status = 409

    def __init__(self) -> None:
        super().__init__(rgettext("The results have changed. Reload the page to see them."))


@blueprint.get("/")
def page(study_id: int) -> ResponseReturnValue:
    """An overview of all sets and tasks; if there is only one, its page."""
    targets = view.targets(db.session(), study_id)
    if len(targets.sets) + len(targets.tasks) == 1:
        return redirect(_address(study_id, targets))
    missing = compute_light([*targets.tasks, *targets.sets])
    job = gold_job(missing) if missing else None
    return render_template(
        "gold/page.html",
        targets=targets,
        job=job,
        set_rows=[
            (s, view.agreement(sets.ready(db.session(), s)), s in missing) for s in targets.sets
        ],
        task_rows=[
            (t, view.task_agreement(tasks.ready(db.session(), t)), t in missing)
            for t in targets.tasks
        ],
    )


@blueprint.get("/sets/<int:set_id>")
def one_set(study_id: int, set_id: int) -> ResponseReturnValue:
    """A set: matrix, consensus groups, agreement, and whether there are enough assessors."""
    chosen = stimuli.get_set(db.session(), study().id, set_id)
    gold, job = _gold_or_job(chosen)
    consensus = view.consensus(gold, SKETCHES_A_PAGE)
    mark = gold.fingerprint if gold else sets.fingerprint_of(db.session(), chosen)
    return render_template(
        "gold/set.html",
        targets=view.targets(db.session(), study_id),
        chosen=chosen,
        gold=gold,
        job=job,
        mark=mark,
        mark_address=url_for(".set_mark", study_id=study_id, set_id=set_id),
        consensus=consensus,
        shown=stimuli.by_id(db.session(), [one for _, ids, _ in consensus for one in ids]),
        agreement=view.agreement(gold),
        enough=view.enough(gold),
        coverage=view.coverage(gold),
        withdrawn=counts.withdrawn_of_set(db.session(), chosen),
        downloads=downloads.listed(db.session(), chosen, mark),
    )


@blueprint.get("/sets/<int:set_id>/mark")
def set_mark(study_id: int, set_id: int) -> ResponseReturnValue:
    """The fingerprint of a set's groupings, so that an open page notices new results."""
    chosen = stimuli.get_set(db.session(), study().id, set_id)
    return jsonify(mark=sets.fingerprint_of(db.session(), chosen))


@blueprint.get("/tasks/<int:task_id>/mark")
def task_mark(study_id: int, task_id: int) -> ResponseReturnValue:
    """The fingerprint of a task's scores."""
    chosen = ranking.get_task(db.session(), study().id, task_id)
    return jsonify(mark=tasks.fingerprint_of(db.session(), chosen))


@blueprint.get("/sets/<int:set_id>/matrix")
def matrix(study_id: int, set_id: int) -> ResponseReturnValue:
    """All groupings in the order of the matrix, from which the page counts pairs.

    Some columns at a time, starting with `from`; the next part is asked for with the same `mark`.
    """
    chosen = stimuli.get_set(db.session(), study().id, set_id)
    gold, _job = _gold_or_job(chosen)
    start = max(0, request.args.get("from", 0, type=int))
    mark = request.args.get("mark")
    if gold is None or mark not in (None, gold.fingerprint):
        raise ResultsChanged()
    people = max(1, len(gold.groupings.participants))
    size = max(1, min(SKETCHES_A_PAGE, CELLS_AT_ONCE // people))
    columns = gold.order[start : start + size]
    ids = [gold.groupings.stimulus_ids[column] for column in columns]
    shown = stimuli.by_id(db.session(), ids)
    after = start + len(columns)
    return jsonify(
        mark=gold.fingerprint,
        next=after if after < len(gold.order) else None,
        participants=gold.groupings.participants,
        stimuli=[{"name": shown[i].name, "picture": _picture(study_id, shown[i])} for i in ids],
        groups=gold.groupings.matrix[:, columns].tolist() if gold.found else [],
    )


@blueprint.get("/sets/<int:set_id>/files/<name>")
def set_file(study_id: int, set_id: int, name: str) -> ResponseReturnValue:
    """One file of a set's gold standard, as `analyse groupings` writes it."""
    chosen = stimuli.get_set(db.session(), study().id, set_id)
    return _file(chosen, name, sets.has_simulated(db.session(), chosen))


@blueprint.post("/sets/<int:set_id>/files")
@needs("results")
def prepare_set_files(study_id: int, set_id: int) -> ResponseReturnValue:
    """Write the files of a set by a job; its page shows the progress."""
    _prepare(stimuli.get_set(db.session(), study().id, set_id))
    return redirect(url_for(".one_set", study_id=study_id, set_id=set_id, _anchor=DOWNLOADS))


@blueprint.get("/tasks/<int:task_id>")
def one_task(study_id: int, task_id: int) -> ResponseReturnValue:
    """A ranking task: every query with its images in human order."""
    chosen = ranking.get_task(db.session(), study().id, task_id)
    gold, job = _gold_or_job(chosen)
    shown = _page_of(gold)
    queries = view.query_rows(gold, slice(shown.offset, shown.until))
    mark = gold.fingerprint if gold else tasks.fingerprint_of(db.session(), chosen)
    return render_template(
        "gold/task.html",
        targets=view.targets(db.session(), study_id),
        chosen=chosen,
        gold=gold,
        job=job,
        mark=mark,
        mark_address=url_for(".task_mark", study_id=study_id, task_id=task_id),
        agreement=view.task_agreement(gold),
        queries=queries,
        paging=shown,
        shown=tasks.shown_of(db.session(), chosen, [query["name"] for query in queries]),
        downloads=downloads.listed(db.session(), chosen, mark),
    )


@blueprint.get("/tasks/<int:task_id>/files/<name>")
def task_file(study_id: int, task_id: int, name: str) -> ResponseReturnValue:
    """One file of a task's ground truth, as `analyse ratings` writes it."""
    chosen = ranking.get_task(db.session(), study().id, task_id)
    return _file(chosen, name, tasks.has_simulated(db.session(), chosen))


@blueprint.post("/tasks/<int:task_id>/files")
@needs("results")
def prepare_task_files(study_id: int, task_id: int) -> ResponseReturnValue:
    """Write the files of a task by a job; its page shows the progress."""
    _prepare(ranking.get_task(db.session(), study().id, task_id))
    return redirect(url_for(".one_task", study_id=study_id, task_id=task_id, _anchor=DOWNLOADS))


def _page_of(gold: TaskGold | None) -> Paging:
    """The queries on the page: fewer if they have many images."""
    widest = max(map(len, gold.candidates), default=1) if gold else 1
    size = max(1, min(QUERIES_A_PAGE, IMAGES_A_PAGE // widest))
    found = len(gold.queries) if gold else 0
    return paging(found, size, request.args.get("page", type=int))


def _gold_or_job(chosen: Target) -> tuple[Any, int | None]:
    """The gold standard of a set or a task if it is quick to compute, else the job."""
    gold = quick_gold(chosen)
    return gold, gold_job([chosen]) if gold is None else None


def _address(study_id: int, targets: view.Targets) -> str:
    if targets.sets:
        return url_for(".one_set", study_id=study_id, set_id=targets.sets[0].id)
    return url_for(".one_task", study_id=study_id, task_id=targets.tasks[0].id)


def _picture(study_id: int, stimulus: Stimulus) -> str:
    return url_for(
        "stimuli.picture", study_id=study_id, stimulus_id=stimulus.id, v=stimulus.sha256[:12]
    )


def _prepare(chosen: Target) -> None:
    jobs.start_once(chosen.study_id, downloads.KIND, target=view.named(chosen))


def _file(chosen: Target, name: str, simulated: bool) -> Response:
    if name not in downloads.files_of(chosen):
        abort(404)
    saved_as = downloads.called(chosen, name, simulated)
    if stored := downloads.stored(db.session(), chosen, name):
        return download(stored, guess_type(name)[0] or "application/octet-stream", saved_as)
    gold = quick_gold(chosen)
    if gold is None:
        raise ResultsChanged()
    content = downloads.small(chosen, gold, name)
    return send_file(content, as_attachment=True, download_name=saved_as)
