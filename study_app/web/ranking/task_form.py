"""The form of a task: what it says, for making one and for correcting it."""

from typing import Any

from werkzeug.datastructures import MultiDict

from study_app.models.ranking import RankingTask
from study_app.participation import questions
from study_app.ranking.task_correction import choice_of
from study_app.ranking.tasks import FIRST_WORDING, TaskChoice

TEXTS = (
    "name",
    "most_similar_end",
    "low_label",
    "high_label",
    "wording",
    "completion_url",
    "completion_code",
)
NUMBERS = ("minutes", "quota", "part_size", "hold_minutes", "repeats", "checks", "seed")
# What stands in the form of a new task; which end is best is asked, never assumed.
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


def choice_of_form(form: MultiDict[str, str], task: RankingTask | None = None) -> TaskChoice:
    """What a form says; what it leaves out, since it cannot change, stays as the task has it."""
    values: dict[str, Any] = vars(choice_of(task)) if task else dict.fromkeys(TEXTS, "")
    values |= {name: form[name] for name in TEXTS if name in form}
    values |= {name: form.get(name, type=int) for name in NUMBERS if name in form}
    if "scale" in form:
        slider = form["scale"] == "slider"
        values["points"] = None if slider else form.get("points", 0, int)
    return TaskChoice(**values)


def questions_of_form(
    form: MultiDict[str, str], task: RankingTask | None = None
) -> list[questions.Question]:
    """The questions about the participant that a form asks."""
    if task and "questions" not in form:
        return task.questions
    return questions.parse_questions(form.get("questions", ""))
