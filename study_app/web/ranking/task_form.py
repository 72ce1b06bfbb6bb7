"""The form of a task, for creating and correcting it."""

from dataclasses import replace
from typing import Any

from werkzeug.datastructures import MultiDict

from study_app.core.text.languages import as_stored, rtranslatable, shipped_in
from study_app.models.ranking import RankingTask
from study_app.participation.consent import questions
from study_app.ranking.tasks.task_correction import choice_of
from study_app.ranking.tasks.tasks import BOUNDS, FIRST_WORDING, MAY_BE_NONE, TaskChoice
from study_app.web.shared.forms import NumberField, choice, whole_number, whole_number_or_none

TEXTS = (
    "name",
    "most_similar_end",
    "low_label",
    "high_label",
    "wording",
    "completion_url",
    "completion_code",
)
SHIPPED = ("wording", "low_label", "high_label")
LABELS = {
    "points": rtranslatable("Points of the scale"),
    "minutes": rtranslatable("Time limit"),
    "quota": rtranslatable("Participants for each query"),
    "part_size": rtranslatable("Queries for each participant"),
    "hold_minutes": rtranslatable("Minutes for which a place is held"),
    "repeats": rtranslatable("Repeated queries"),
    "checks": rtranslatable("Attention checks"),
    "checks_needed": rtranslatable("Checks to pass"),
    "seed": rtranslatable("Seed"),
}
FIELDS = {name: NumberField(label, *BOUNDS[name][:2]) for name, label in LABELS.items()}
# Initial values of a new task; the most similar end has no default.
FIRST = {
    "name": "Similarity to the sketch",
    "wording": FIRST_WORDING,
    "points": 7,
    "quota": 28,
    "hold_minutes": 60,
    "repeats": 0,
    "checks": 0,
    "seed": 1,
}


def shown_choice(task: RankingTask) -> TaskChoice:
    """The settings of a task as its form shows them: shipped texts in the task's language."""
    choice = choice_of(task)
    shown: dict[str, Any] = {
        name: shipped_in(getattr(choice, name), task.language) for name in SHIPPED
    }
    return replace(choice, **shown)


def choice_of_form(form: MultiDict[str, str], task: RankingTask | None = None) -> TaskChoice:
    """The settings in a form; missing fields, which can't be changed, keep their values."""
    values: dict[str, Any] = vars(choice_of(task)) if task else dict.fromkeys(TEXTS, "")
    language = task.language if task else ""
    values |= {name: as_stored(form[name], language) for name in TEXTS if name in form}
    named = [name for name in FIELDS if name in form and name != "points"]
    values |= {name: _number(form, name) for name in named}
    if "scale" in form:
        slider = choice(form["scale"], rtranslatable("Scale"), ("points", "slider")) == "slider"
        points = None if slider else whole_number(form.get("points", ""), FIELDS["points"])
        values["points"] = points
    return TaskChoice(**values)


def _number(form: MultiDict[str, str], name: str) -> int | None:
    read = whole_number_or_none if name in MAY_BE_NONE else whole_number
    return read(form[name], FIELDS[name])


def questions_of_form(
    form: MultiDict[str, str], task: RankingTask | None = None
) -> list[questions.Question]:
    """The questions about the participant in a form."""
    if task and "questions" not in form:
        return task.questions
    language = task.language if task else ""
    return questions.parse_written_in(form.get("questions", ""), language)
