"""Questions about the participant, as a researcher writes them: one a line."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from study_app.participation.refusals import TaskUnclear

FIRST_QUESTIONS = """\
Age band: 18–29 | 30–44 | 45–59 | 60 or older
Gender: woman | man | other
Drawing experience: none | some | I draw often | professional
"""
# "name" (stands in exports), "label" and "options".
Question = dict[str, Any]
LONGEST_ANSWER = 200
MOST = 20


def parse_questions(text: str) -> list[Question]:
    """Read "Label: option | option" lines; a line without options is answered in words.

    Returns
    -------
    list of Question
    """
    questions = [_question(line.strip()) for line in text.splitlines() if line.strip()]
    names = [question["name"] for question in questions]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise TaskUnclear(f"The question {twice!r} appears twice. Give each a different label.")
    if len(questions) > MOST:
        raise TaskUnclear(f"At most {MOST} questions can be asked.")
    return questions


def written(questions: Sequence[Question]) -> str:
    """The lines that `parse_questions` reads."""
    return "".join(
        f"{q['label']}: {' | '.join(q['options'])}\n" if q["options"] else f"{q['label']}\n"
        for q in questions
    )


def accepted_answers(questions: Sequence[Question], given: Mapping[str, str]) -> dict[str, str]:
    """Keep what was asked: every question may be left out, an option must be one of its own."""
    answers = {}
    for question in questions:
        answer = given.get(question["name"], "").strip()[:LONGEST_ANSWER]
        if answer and (not question["options"] or answer in question["options"]):
            answers[question["name"]] = answer
    return answers


def _question(line: str) -> Question:
    label, _, options = line.partition(":")
    name = re.sub(r"[^a-z0-9]+", "_", label.lower()).strip("_")
    if not name or len(label) > 200:
        raise TaskUnclear(f"The question {line[:40]!r} needs a label with letters or digits.")
    return {
        "name": name,
        "label": label.strip(),
        "options": [option.strip() for option in options.split("|") if option.strip()],
    }
