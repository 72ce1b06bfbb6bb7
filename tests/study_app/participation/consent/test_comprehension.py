"""Comprehension questions: read from lines, with one right option."""

import pytest

from study_app.participation.consent.questions import parse_comprehension, parse_questions, written
from study_app.participation.refusals import TaskUnclear


def test_marks_of_questions_are_parsed_and_written_back():
    lines = "年齢: 18–29 | 30–44\nGröße: klein | ! groß\nWhat did you see?\n"
    questions = parse_questions(lines)
    assert [q["name"] for q in questions] == ["年齢", "größe", "what_did_you_see"]
    assert questions[1]["screens_out"] == ["groß"]
    assert written(questions) == lines
    (check,) = parse_comprehension("Is 7 similar? yes | * no")
    assert (check["label"], check["options"], check["right"]) == (
        "Is 7 similar?",
        ["yes", "no"],
        ["no"],
    )


@pytest.mark.parametrize("line", ["Is it: yes | no", "Is it: * yes | * no", "Is it?", "Is it: * a"])
def test_a_comprehension_question_has_one_right_option(line):
    with pytest.raises(TaskUnclear, match="comprehension question"):
        parse_comprehension(line)
