"""The form with settings besides the trials: admission, questions, endings."""

from flask import flash, redirect, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from study_app.core.database import writing
from study_app.core.text.languages import as_stored, rgettext, rtranslatable
from study_app.participation.consent import questions
from study_app.participation.endings.endings import (
    FIRST_PLATFORM_TEXTS,
    FIRST_TEXTS,
    NAMES,
)
from study_app.participation.flow import BOUNDS, Flow, change_flow, flow_of
from study_app.participation.platforms.platforms import PLATFORMS
from study_app.web.participation.task.blueprint import blueprint, get_task, page, shown_task
from study_app.web.shared.forms import NumberField, sent_form, whole_number, whole_number_or_none

LABELS = {
    "people": rtranslatable("Total number of participants"),
    "attempts": rtranslatable("Attempts"),
    "screen_width": rtranslatable("Longer side of the screen"),
    "screen_height": rtranslatable("Shorter side of the screen"),
    "parts": rtranslatable("Parts"),
    "part_hours": rtranslatable("Hours until the next part"),
    "part_days": rtranslatable("Days to return"),
}
FIELDS = {name: NumberField(label, *BOUNDS[name][:2]) for name, label in LABELS.items()}
PARTS = ("text", "code", "address")


@blueprint.get("/flow")
def flow(study_id: int, task_id: int) -> ResponseReturnValue:
    """The form with the task's settings."""
    task = shown_task(task_id)
    shown = flow_of(task)
    return page(
        "flow",
        task,
        flow=shown,
        comprehension=questions.written(shown.comprehension),
        end_questions=questions.written(shown.end_questions),
        endings=NAMES,
        first_texts=FIRST_TEXTS,
        first_platform_texts=FIRST_PLATFORM_TEXTS,
        platforms=[one for one in PLATFORMS.values() if one.address],
    )


@blueprint.post("/flow")
def save_flow(study_id: int, task_id: int) -> ResponseReturnValue:
    """Change these settings."""
    with writing() as session:
        task = get_task(session, study_id, task_id)
        change_flow(task, _flow_of_form(sent_form(), task.language))
    flash(rgettext("Saved."))
    return redirect(url_for(".flow", study_id=study_id, task_id=task_id))


def _flow_of_form(form: MultiDict[str, str], language: str) -> Flow:
    def optional(name: str) -> int | None:
        return whole_number_or_none(form.get(name, ""), FIELDS[name])

    def needed(name: str, usual: int) -> int:
        return whole_number(form.get(name, str(usual)), FIELDS[name])

    endings = {
        ending: {part: form.get(f"{ending}_{part}", "") for part in PARTS} for ending in NAMES
    }
    for parts in endings.values():
        parts["text"] = as_stored(parts["text"], language)
    # The ending "complete" has the code and URL of the settings.
    endings["complete"] = {"text": endings["complete"]["text"]}
    return Flow(
        people=optional("people"),
        attempts=needed("attempts", Flow.attempts),
        screen_width=optional("screen_width"),
        screen_height=optional("screen_height"),
        parts=needed("parts", Flow.parts),
        part_hours=needed("part_hours", Flow.part_hours),
        part_days=needed("part_days", Flow.part_days),
        part_codes=form.get("part_codes", "").split(),
        laptop_only=form.get("laptop_only") == "yes",
        comprehension=questions.parse_comprehension(form.get("comprehension", "")),
        end_questions=questions.parse_questions(form.get("end_questions", "")),
        asks_comment=form.get("asks_comment") == "yes",
        debriefing=form.get("debriefing", ""),
        endings=endings,
    )
