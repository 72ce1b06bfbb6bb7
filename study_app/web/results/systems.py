"""The pages of the step "Systems": systems measured against people."""

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from flask import (
    Blueprint,
    abort,
    current_app,
    flash,
    redirect,
    render_template,
    request,
    send_file,
    url_for,
)
from flask.typing import ResponseReturnValue

from study_app import ranking as ranking_tasks
from study_app.core.background import jobs
from study_app.core.database import db, writing
from study_app.core.text.languages import rgettext
from study_app.models import Job
from study_app.models.ranking import RankingTask
from study_app.results.gold import tasks, view
from study_app.results.gold.downloads import called, plain
from study_app.results.gold.view import Target
from study_app.results.systems import clusterings, comparing, downloads, measured, rankings, uploads
from study_app.results.systems.measured import Measured
from study_app.results.systems.reading import MOST_BYTES, Upload, UploadRefused, ending_of
from study_app.stimuli import stimuli
from study_app.stimuli.importing import uploads as sent
from study_app.web.results.quick import quick_gold
from study_app.web.security.access import study
from study_app.web.shared.forms import sent_form
from study_app.web.shared.paging import paging

blueprint = Blueprint("systems", __name__, url_prefix="/studies/<int:study_id>/systems")

MOST_FILES = 50
PEOPLE_A_PAGE = 100


@blueprint.get("/")
def page(study_id: int) -> ResponseReturnValue:
    """The page of the first set or task with systems, else of the first with judgments."""
    targets = view.targets(db.session(), study().id)
    of_sets, of_tasks = uploads.counts(db.session(), study_id)
    every: list[view.Target] = [*targets.tasks, *targets.sets]
    if not every:
        return render_template("systems/empty.html")
    used: list[view.Target] = [t for t in targets.tasks if t.id in of_tasks]
    used += [s for s in targets.sets if s.id in of_sets]
    return redirect(_address(study_id, (used or every)[0]))


@blueprint.get("/tasks/<int:task_id>")
@blueprint.get("/sets/<int:set_id>")
def systems(
    study_id: int, task_id: int | None = None, set_id: int | None = None
) -> ResponseReturnValue:
    """The systems of a task or a set on one axis, and the upload form."""
    target = _target(task_id, set_id)
    is_ranking = isinstance(target, RankingTask)
    upload_job = _upload_job(study_id)
    running = upload_job if upload_job and upload_job.state == "running" else None
    found, job = (None, running.id) if running else _found(study_id, target)
    of_sets, of_tasks = uploads.counts(db.session(), study_id)
    return render_template(
        "systems/ranking.html" if is_ranking else "systems/sorting.html",
        targets=view.targets(db.session(), study_id),
        of_sets=of_sets,
        of_tasks=of_tasks,
        chosen=target,
        action=_address(study_id, target),
        systems=uploads.of_target(db.session(), target),
        found=found,
        job=job,
        upload_job=upload_job if upload_job and upload_job.state != "running" else None,
        rows=_of(target).rows(found.found) if found and found.found else {},
        compared=_compared(target, found),
        most_listed=comparing.MOST_LISTED,
        downloads=downloads.listed(target),
    )


@blueprint.post("/tasks/<int:task_id>")
@blueprint.post("/sets/<int:set_id>")
def add_systems(
    study_id: int, task_id: int | None = None, set_id: int | None = None
) -> ResponseReturnValue:
    """Upload result files, all or none."""
    target = _target(task_id, set_id)
    uploaded = _uploads()
    gold = quick_gold(target)
    if gold is None or not measured.is_quick(db.session(), target, gold, uploaded):
        settings, first = current_app.config["SETTINGS"], uploaded[0]
        token = sent.save(settings, study_id, [(one.file_name, one.content) for one in uploaded])
        asked = {"direction": first.direction, "name": first.name, "token": token}
        job = jobs.start(study_id, "systems", target=view.named(_target(task_id, set_id)), **asked)
        return redirect(_address(study_id, _target(task_id, set_id), job=job))
    count = len(uploads.add_systems(view.named(target), uploaded, gold))
    flash(measured.added(count))
    return redirect(_address(study_id, _target(task_id, set_id)))


@blueprint.get("/<int:system_id>")
def one_system(study_id: int, system_id: int) -> ResponseReturnValue:
    """A system: where it agrees with people, and where it does not."""
    system = uploads.get(db.session(), study().id, system_id)
    target = uploads.target_of(system)
    found, job = _found(study_id, target)
    if job:
        return redirect(_address(study_id, uploads.target_of(system)))
    system = uploads.get(db.session(), study_id, system_id)
    about = {
        "system": system,
        "target": uploads.target_of(system),
        "back": _address(study_id, uploads.target_of(system)),
        "refused": found.refused.get(system_id) if found else rgettext("No finished results yet."),
        "found": found,
        "contradicted": found is not None and system_id in found.contradicted,
    }
    if about["refused"]:
        return render_template("systems/one_refused.html", **about)
    if system.task is None:
        return _one_of_set(about)
    return _one_of_task(about, system.task)


@blueprint.post("/<int:system_id>/remove")
def remove(study_id: int, system_id: int) -> ResponseReturnValue:
    """Delete a system."""
    with writing() as session:
        system = uploads.get(session, study().id, system_id)
        name, back = system.name, _address(study_id, uploads.target_of(system))
        uploads.remove(session, system)
    flash(rgettext("System %(name)s deleted.", name=repr(name)))
    return redirect(back)


@blueprint.post("/<int:system_id>/flip")
def flip(study_id: int, system_id: int) -> ResponseReturnValue:
    """Flip the direction of a system's scores."""
    with writing() as session:
        system = uploads.get(session, study().id, system_id)
        uploads.flip(system)
        message = rgettext(
            "Direction flipped: the scores of %(name)s are a %(direction)s.",
            name=repr(system.name),
            direction=rgettext(system.direction),
        )
        back = _address(study_id, uploads.target_of(system))
    flash(message)
    return redirect(back)


@blueprint.get("/<int:system_id>/file")
def own_file(study_id: int, system_id: int) -> ResponseReturnValue:
    """The uploaded file of a system."""
    import io

    upload = uploads.upload_of(uploads.get(db.session(), study().id, system_id))
    return send_file(
        io.BytesIO(upload.content),
        mimetype="application/octet-stream",
        as_attachment=True,
        download_name=plain(upload.name) + ending_of(upload.file_name),
    )


@blueprint.get("/tasks/<int:task_id>/files/<name>")
@blueprint.get("/sets/<int:set_id>/files/<name>")
def file(
    study_id: int, name: str, task_id: int | None = None, set_id: int | None = None
) -> ResponseReturnValue:
    """One file of the measured systems, as `sketch-study evaluate` writes it."""
    target = _target(task_id, set_id)
    if name not in downloads.files_of(target):
        abort(404)
    chosen = view.named(target)
    db.session.rollback()
    content = downloads.file(chosen, name)
    if content is None:
        abort(404)
    simulated = view.noun_named(chosen).compute(chosen[1]).simulated
    download_name = called(_target(task_id, set_id), name, simulated)
    return send_file(content, as_attachment=True, download_name=download_name)


def _one_of_task(about: Mapping[str, Any], task: RankingTask) -> ResponseReturnValue:
    found, name = about["found"], about["system"].name
    rows = rankings.queries(found.found, name)
    best, worst = rankings.extremes(rows)
    return render_template(
        "systems/one_ranking.html",
        **about,
        queries=rows,
        compared=_beside(rankings.comparisons(found.found), name),
        best=best,
        worst=worst,
        row=rankings.rows(found.found)[name],
        place=_place(found, about["system"].id),
        shown=tasks.stimuli_of(db.session(), task),
    )


def _one_of_set(about: Mapping[str, Any]) -> ResponseReturnValue:
    found, system = about["found"], about["system"]
    people = clusterings.participants(found.found, system.name)
    shown = paging(len(people), PEOPLE_A_PAGE, request.args.get("page", type=int))
    return render_template(
        "systems/one_sorting.html",
        **about,
        row=clusterings.rows(found.found)[system.name],
        participants=people[shown.offset : shown.until],
        paging=shown,
        groups=clusterings.groups(found.found, system.name),
        consensus_count=int(found.found.people.consensus.groups.max()) + 1,
        largest_differences=clusterings.largest_differences(found.found, system.name),
        compared={
            chart.measure: _beside(clusterings.comparisons(found.found, chart.measure), system.name)
            for chart in found.charts
        },
        place=_place(found, system.id),
        shown={s.id: s for s in stimuli.stimuli_of(db.session(), system.set_id)},
    )


def _target(task_id: int | None, set_id: int | None) -> Target:
    if task_id is not None:
        return ranking_tasks.get_task(db.session(), study().id, task_id)
    return stimuli.get_set(db.session(), study().id, set_id or 0)


def _address(study_id: int, target: Target, **more: Any) -> str:
    if isinstance(target, RankingTask):
        return url_for("systems.systems", study_id=study_id, task_id=target.id, **more)
    return url_for("systems.systems", study_id=study_id, set_id=target.id, **more)


def _of(target: Target) -> ModuleType:
    return rankings if isinstance(target, RankingTask) else clusterings


def _compared(target: Target, found: Measured | None) -> dict[str, comparing.Compared | None]:
    """The pairwise comparisons for each chart; None for fewer than two systems."""
    if not found or not found.found:
        return {}
    return {c.measure: _of(target).comparisons(found.found, c.measure) for c in found.charts}


def _beside(compared: comparing.Compared | None, name: str) -> list[dict[str, Any]]:
    """The comparisons of a system with each other one."""
    return compared.of_one(name) if compared and name in compared.names else []


def _upload_job(study_id: int) -> Job | None:
    """The upload job in the URL, or None."""
    number = request.args.get("job", type=int)
    return jobs.find(study_id, number) if number is not None else None


def _found(study_id: int, target: Target) -> tuple[Measured | None, int | None]:
    """The results, and the job if computing them is slow."""
    found = measured.ready(db.session(), target)
    # Not computed here as well, because both together would take too long.
    gold = view.noun_of(target).ready(db.session(), target) if found is None else None
    if gold is not None and measured.is_quick(db.session(), target, gold):
        chosen = view.named(target)
        db.session.rollback()
        return measured.measured(chosen), None
    if found is None:
        return None, jobs.start_once(study_id, "measure", target=view.named(target))
    return found, None


def _place(found: Measured, system_id: int) -> measured.Place | None:
    places = [place for chart in found.charts[:1] for place in chart.places]
    return next((place for place in places if place.system_id == system_id), None)


def _uploads() -> list[Upload]:
    files = [file for file in request.files.getlist("files") if file.filename]
    if not files:
        raise UploadRefused(rgettext("Choose at least one result file."))
    if len(files) > MOST_FILES:
        raise UploadRefused(
            rgettext(
                "These are %(files)s files; upload at most %(most_files)s at a time.",
                files=len(files),
                most_files=MOST_FILES,
            )
        )
    name = sent_form().get("name", "").strip()
    if name and len(files) > 1:
        raise UploadRefused(
            rgettext(
                "A name can only be given for a single file. Leave it empty to use the file names."
            )
        )
    direction = sent_form().get("direction", "")
    return [Upload(f.filename or "", f.stream.read(MOST_BYTES + 1), direction, name) for f in files]
