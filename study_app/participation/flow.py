"""Settings of a task besides its trials: admission, questions, parts and endings."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from study_app.core.text.languages import rgettext, rtranslatable
from study_app.models.participation import WebTask
from study_app.participation.consent.questions import Question
from study_app.participation.consent.versions import LONGEST
from study_app.participation.endings.endings import Ending, accepted_endings, refuse_shared_codes
from study_app.participation.refusals import TaskUnclear
from study_app.participation.tasks import LONGEST_CODE

BOUNDS = {
    "people": (1, 10_000, rtranslatable("participants")),
    "attempts": (1, 10, rtranslatable("attempts at the comprehension check")),
    "screen_width": (200, 10_000, rtranslatable("pixels of the screen's longer side")),
    "screen_height": (200, 10_000, rtranslatable("pixels of the screen's shorter side")),
    "parts": (1, 30, rtranslatable("parts")),
    "part_hours": (0, 720, rtranslatable("hours until the next part")),
    "part_days": (1, 90, rtranslatable("days to return for the next part")),
}


@dataclass(frozen=True)
class Flow:
    """These settings; the fields are those of `WebTask`."""

    people: int | None = None
    laptop_only: bool = False
    screen_width: int | None = None
    screen_height: int | None = None
    parts: int = 1
    part_hours: int = 24
    part_days: int = 7
    part_codes: Sequence[str] = ()
    comprehension: Sequence[Question] = ()
    attempts: int = 2
    end_questions: Sequence[Question] = ()
    asks_comment: bool = False
    debriefing: str = ""
    endings: Mapping[Ending, Mapping[str, str]] = field(default_factory=dict)


def flow_of(task: WebTask) -> Flow:
    """The settings of a task."""
    return Flow(**{one.name: getattr(task, one.name) for one in fields(Flow)})


def change_flow(task: WebTask, flow: Flow) -> None:
    """Change these settings of a task; they also apply to current participants.

    Raises
    ------
    TaskUnclear
        If a number is out of range, a text is too long, a question is asked twice, or two endings
        have the same code.
    """
    for name, (least, most, words) in BOUNDS.items():
        value = getattr(flow, name)
        if value is not None and not least <= value <= most:
            raise TaskUnclear(
                rgettext(
                    "The number of %(words)s must be %(least)s–%(most)s.",
                    words=rgettext(words),
                    least=least,
                    most=format(most, ","),
                )
            )
    if len(flow.debriefing) > LONGEST:
        raise TaskUnclear(
            rgettext("A text for participants has at most %(longest)s characters.", longest=LONGEST)
        )
    before = {question["name"] for question in task.questions}
    if both := next((q for q in flow.end_questions if q["name"] in before), None):
        raise TaskUnclear(
            rgettext(
                "The question %(both)s is already asked before the task.", both=repr(both["label"])
            )
        )
    values: dict[str, Any] = asdict(flow)
    values["endings"] = accepted_endings(flow.endings)
    _refuse_unclear_codes(flow)
    refuse_shared_codes([task.completion_code, *flow.part_codes], values["endings"])
    values["debriefing"] = flow.debriefing.replace("\r\n", "\n").strip()
    for name in ("comprehension", "end_questions", "part_codes"):
        values[name] = list(values[name])
    for name, value in values.items():
        setattr(task, name, value)


def _refuse_unclear_codes(flow: Flow) -> None:
    if len(flow.part_codes) > flow.parts - 1:
        raise TaskUnclear(
            rgettext(
                "There are more codes than parts before the last. The last part has "
                "the code of a complete participation."
            )
        )
    if any(len(code) > LONGEST_CODE for code in flow.part_codes):
        raise TaskUnclear(
            rgettext(
                "A completion code has at most %(longest_code)s characters.",
                longest_code=LONGEST_CODE,
            )
        )


def copy_flow(task: WebTask, copied: WebTask) -> None:
    """Copy the settings to a copy of a task, without the codes and addresses for platforms."""
    for name, value in asdict(flow_of(task)).items():
        setattr(copied, name, value)
    copied.part_codes = []
    copied.endings = {
        ending: {"text": written["text"]}
        for ending, written in task.endings.items()
        if written.get("text")
    }
