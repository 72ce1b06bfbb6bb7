"""Questions as a researcher writes them, one per line: before the trials, in the comprehension
check, and after the trials.

``Hand: left | right``  a choice; without options, a free-text answer
``Sight: normal | ! poor``  an option with ``!`` screens the participant out
``What is 7? * very similar | not similar``  ``*`` marks the right option of a comprehension check
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from study_app.core.text.languages import as_stored, rgettext, shipped_in, translatable
from study_app.participation.refusals import AnswerTooLong, TaskUnclear

_FIRST = {
    translatable("Age band"): ("18–29", "30–44", "45–59", translatable("60 or older")),
    translatable("Gender"): (
        # NOTE: an answer to "Gender"
        translatable("woman"),
        # NOTE: an answer to "Gender"
        translatable("man"),
        # NOTE: an answer to "Gender"
        translatable("other"),
    ),
    translatable("Drawing experience"): (
        # NOTE: an answer to "Drawing experience": none at all
        translatable("none"),
        # NOTE: an answer to "Drawing experience"
        translatable("some"),
        # NOTE: an answer to "Drawing experience"
        translatable("I draw often"),
        # NOTE: an answer to "Drawing experience": a person whose profession is drawing
        translatable("professional"),
    ),
}
FIRST_QUESTIONS = "".join(f"{label}: {' | '.join(options)}\n" for label, options in _FIRST.items())
# "name" (stands in exports), "label", "options", and where there are such "screens_out", "right".
Question = dict[str, Any]
LONGEST_ANSWER = 200
LONGEST_COMMENT = 4_000
COMMENT = "comment"
MOST = 20
MARKS = {"screens_out": "!", "right": "*"}


def parse_questions(text: str) -> list[Question]:
    """Parse lines "Label: option | option"; a line without options is a free-text question.

    Returns
    -------
    list of Question
    """
    questions = [_question(line.strip()) for line in text.splitlines() if line.strip()]
    names = [question["name"] for question in questions]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise TaskUnclear(
            rgettext(
                "The question %(twice)s appears twice. Give each a different label.",
                twice=repr(twice),
            )
        )
    if len(questions) > MOST:
        raise TaskUnclear(rgettext("At most %(most)s questions can be asked.", most=MOST))
    return questions


def parse_comprehension(text: str) -> list[Question]:
    """Parse the questions of a comprehension check: each has one option marked as right.

    Returns
    -------
    list of Question
    """
    questions = parse_questions(text)
    for question in questions:
        if len(question.get("right", [])) != 1 or len(question["options"]) < 2:
            raise TaskUnclear(
                rgettext(
                    "The comprehension question %(size)s needs two or more options, one of "
                    "them marked as right with *.",
                    size=repr(question["label"][:40]),
                )
            )
    return questions


def written(questions: Sequence[Question]) -> str:
    """Questions as the lines that `parse_questions` reads."""
    return "".join(
        f"{q['label']}: {' | '.join(_marked(q, option) for option in q['options'])}\n"
        if q["options"]
        else f"{q['label']}\n"
        for q in questions
    )


def written_in(questions: Sequence[Question], language: str) -> str:
    """As `written`, with questions that are shipped with the program in a task's language."""
    return written(_each_text(questions, lambda text: shipped_in(text, language)))


def parse_written_in(text: str, language: str) -> list[Question]:
    """The other way round: shipped questions are stored in English, and keep their names."""
    stored = _each_text(parse_questions(text), lambda part: as_stored(part, language))
    return parse_questions(written(stored))


def accepted_answers(questions: Sequence[Question], given: Mapping[str, str]) -> dict[str, str]:
    """The valid answers: each question is optional, and a choice must be one of its options."""
    answers = {}
    for question in questions:
        answer = given.get(question["name"], "").strip()
        if not question["options"]:
            answer = whole_answer(answer, LONGEST_ANSWER)
        if answer and (not question["options"] or answer in question["options"]):
            answers[question["name"]] = answer
    return answers


def whole_answer(written: str, longest: int) -> str:
    """A free-text answer as it is stored.

    Raises
    ------
    AnswerTooLong
    """
    answer = written.replace("\r\n", "\n").strip()
    if len(answer) > longest:
        raise AnswerTooLong(len(answer), longest)
    return answer


def screens_out(questions: Sequence[Question], answers: Mapping[str, str]) -> bool:
    """Whether an answer screens the participant out."""
    return any(answers.get(q["name"]) in q.get("screens_out", ()) for q in questions)


def all_right(questions: Sequence[Question], given: Mapping[str, str]) -> bool:
    """Whether every question of a comprehension check was answered with its right option."""
    return all(given.get(question["name"]) in question["right"] for question in questions)


def in_words(questions: Sequence[Question]) -> set[str]:
    """Names of the free-text questions."""
    return {question["name"] for question in questions if not question["options"]} | {COMMENT}


def _each_text(questions: Sequence[Question], changed: Callable[[str], str]) -> list[Question]:
    lists = ("options", *MARKS)
    return [
        {
            **question,
            "label": changed(question["label"]),
            **{
                name: [changed(one) for one in question[name]] for name in lists if name in question
            },
        }
        for question in questions
    ]


def _question(line: str) -> Question:
    label, options = _split(line)
    # Letters of all scripts are allowed; NFC, so that a name is the same from any system.
    name = re.sub(r"\W+", "_", unicodedata.normalize("NFC", label).lower()).strip("_")
    if not name or len(label) > 200:
        raise TaskUnclear(
            rgettext(
                "The question %(line)s needs a label with letters or digits.", line=repr(line[:40])
            )
        )
    if name == COMMENT:
        raise TaskUnclear(
            rgettext(
                "The label %(label)s is that of the free comment. Choose another label.",
                label=repr(label),
            )
        )
    listed = [option.strip() for option in options.split("|") if option.strip()]
    question: Question = {
        "name": name,
        "label": label,
        "options": [option.lstrip("".join(MARKS.values())).strip() for option in listed],
    }
    for kind, mark in MARKS.items():
        if marked := [option[1:].strip() for option in listed if option.startswith(mark)]:
            question[kind] = marked
    return question


def _split(line: str) -> tuple[str, str]:
    """The label and the options; a question mark can replace the colon, and stays in the label."""
    label, colon, options = line.partition(":")
    if not colon and "|" in line and "?" in line:
        label, _, options = line.partition("?")
        return f"{label.strip()}?", options
    return label.strip(), options


def _marked(question: Question, option: str) -> str:
    marks = [mark for kind, mark in MARKS.items() if option in question.get(kind, ())]
    return " ".join([*marks, option])
