"""Tasks, lists, links and texts: errors and their messages."""

from dataclasses import replace

import pytest

from study_app.core.database import writing
from study_app.participation.consent import questions
from study_app.participation.refusals import (
    TaskUnclear,
)
from study_app.ranking.tasks import task_correction, tasks
from study_app.ranking.tasks.tasks import TaskChoice

ENDS = {"low_label": "very similar", "high_label": "not similar"}


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"most_similar_end": ""}, "which end of the scale means most similar"),
        ({"most_similar_end": "low", "points": 1}, "points of the scale must be 2–11"),
        ({"most_similar_end": "low", "points": 12}, "points of the scale must be 2–11"),
        ({"most_similar_end": "low", "low_label": " "}, "Label both ends"),
        ({"most_similar_end": "low", "name": ""}, "name of 1 to 120"),
        ({"most_similar_end": "low", "quota": None}, "participants for each query"),
        (
            {"most_similar_end": "low", "completion_url": "javascript:alert(1)"},
            "must start with https://",
        ),
        ({"most_similar_end": "low", "completion_code": "x" * 41}, "at most 40"),
        (
            {
                "most_similar_end": "low",
                "completion_url": "https://p.example/?cc=A",
                "completion_code": "B",
            },
            "make them the same",
        ),
    ],
)
def test_an_incomplete_task_is_refused(session, study_id, choice, message):
    with pytest.raises(TaskUnclear, match=message):
        tasks.make_task(session, study_id, TaskChoice(**{"name": "T", **ENDS, **choice}))


def test_the_completion_code_is_taken_from_the_platforms_url(session, study_id):
    address = {"completion_url": "https://p.example/done?cc=C1X2"}
    with writing() as writer:
        task = tasks.make_task(writer, study_id, TaskChoice("T", "low", **ENDS))
        drawn = task.completion_code
        same = task_correction.choice_of(task)
        cleared = replace(same, completion_code="", **address)
        task_correction.correct_task(writer, task, cleared, [])
        assert len(drawn) == 8 and task.completion_code == "C1X2"
        with pytest.raises(TaskUnclear, match="make them the same"):
            task_correction.correct_task(writer, task, replace(same, **address), [])


def test_questions_are_parsed_from_lines_and_written_back():
    read = questions.parse_questions("Age band: 18–29 | 30–44\nRemarks\n\n")
    assert read[0] == {"name": "age_band", "label": "Age band", "options": ["18–29", "30–44"]}
    assert read[1] == {"name": "remarks", "label": "Remarks", "options": []}
    given = {"age_band": "99", "remarks": " fine ", "other": "x"}
    assert questions.accepted_answers(read, given) == {"remarks": "fine"}
    with pytest.raises(TaskUnclear, match="appears twice"):
        questions.parse_questions("Age\nage: 1 | 2")
