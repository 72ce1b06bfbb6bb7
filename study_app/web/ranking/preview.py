"""A preview of the participant's pages for researchers; nothing is stored."""

from flask import jsonify, request, url_for
from flask.typing import ResponseReturnValue

from study_app.core.database import db
from study_app.core.text.languages import shipped
from study_app.models.ranking import RankingTask
from study_app.participation.consent import consent
from study_app.participation.endings import endings
from study_app.ranking import preview
from study_app.ranking.progress import duration
from study_app.web.participation.blueprint import page
from study_app.web.participation.pages import ending_page
from study_app.web.ranking.blueprint import blueprint, task_of
from study_app.web.ranking.entries import entries_of
from study_app.web.ranking.trials import ranked_picture
from study_app.web.security.access import study
from study_app.web.shared import languages


@blueprint.get("/<int:task_id>/preview/")
def preview_welcome(study_id: int, task_id: int) -> ResponseReturnValue:
    """The welcome page."""
    task = _shown(task_id)
    text = consent.newest(db.session(), task.id)
    length = duration.duration_of(db.session(), task)
    return page(
        "ranking/preview",
        task=task,
        begin=url_for(".preview_rank", study_id=study_id, task_id=task_id),
        back=_task_page(task),
        information=consent.rendered(shipped(text.information)),
        agreement=consent.rendered(shipped(text.consent)),
        minutes=length.minutes if length else 0,
    )


@blueprint.get("/<int:task_id>/preview/rank")
def preview_rank(study_id: int, task_id: int) -> ResponseReturnValue:
    """The scoring page."""
    task = _shown(task_id)
    base = url_for(".preview_welcome", study_id=study_id, task_id=task_id)
    return page("ranking/rank", task=task, purpose="preview", base=base, back=_task_page(task))


@blueprint.get("/<int:task_id>/preview/plan")
def preview_plan(study_id: int, task_id: int) -> ResponseReturnValue:
    """The queries of the first participant."""
    return jsonify(preview.plan_of(db.session(), _shown(task_id)))


@blueprint.post("/<int:task_id>/preview/entries")
def preview_entries(study_id: int, task_id: int) -> ResponseReturnValue:
    """Accept entries without storing them."""
    task = task_of(study().id, task_id)
    entries = entries_of(request.get_json())
    last = len(preview.plan_of(db.session(), task)["queries"])
    ends = [one for one in entries if one.kind == "time_up"]
    ends += [one for one in entries if one.kind == "submitted" and one.position == last]
    state = "finished" if ends else "ranking"
    return jsonify(saved=[entry.key for entry in entries], refused=[], state=state)


@blueprint.get("/<int:task_id>/preview/pictures/<int:stimulus_id>")
def preview_picture(study_id: int, task_id: int, stimulus_id: int) -> ResponseReturnValue:
    """A picture of the task, small or large."""
    sha256 = preview.picture_of(db.session(), task_of(study().id, task_id), stimulus_id)
    return ranked_picture(sha256)


@blueprint.get("/<int:task_id>/preview/thanks")
def preview_thanks(study_id: int, task_id: int) -> ResponseReturnValue:
    """The page of a complete participation."""
    task = _shown(task_id)
    shown = endings.page_of(task, "complete", platform="")
    return ending_page(task, shown, back=_task_page(task))


def _task_page(task: RankingTask) -> str:
    return url_for(".one_task", study_id=task.study_id, task_id=task.id)


def _shown(task_id: int) -> RankingTask:
    """The task, with the page set to the language of its participants."""
    task = task_of(study().id, task_id)
    languages.use(task.language, languages.of_browser())
    return task
