"""Questions to participants: parsing, and valid answers."""

import pytest

from study_app.participation.consent import questions
from study_app.participation.refusals import AnswerTooLong, TaskUnclear

TEXT = "Age band: 18–29 | 30–44\nComments\n"


def test_a_line_is_a_question_with_its_options():
    assert questions.parse_questions(TEXT) == [
        {"name": "age_band", "label": "Age band", "options": ["18–29", "30–44"]},
        {"name": "comments", "label": "Comments", "options": []},
    ]


@pytest.mark.parametrize("text", [TEXT, questions.FIRST_QUESTIONS, ""])
def test_parsed_questions_are_written_back_unchanged(text):
    assert questions.written(questions.parse_questions(text)) == text


@pytest.mark.parametrize("text", ["Age\nage: a | b", "???", "\n".join(f"Q{n}" for n in range(21))])
def test_unclear_questions_are_refused(text):
    with pytest.raises(TaskUnclear):
        questions.parse_questions(text)


def test_only_answers_to_asked_questions_are_stored():
    given = {"age_band": "99", "comments": " fine\r\n" + "x" * 195, "name": "Ada"}
    answers = questions.accepted_answers(questions.parse_questions(TEXT), given)
    assert answers.keys() == {"comments"}
    assert answers["comments"].startswith("fine\nx") and len(answers["comments"]) == 200
    with pytest.raises(AnswerTooLong, match="has 201 characters; at most 200 can be saved"):
        questions.accepted_answers(questions.parse_questions(TEXT), {"comments": "x" * 201})
