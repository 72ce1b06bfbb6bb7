"""The audit list speaks the words of the pages, of every column that it can name."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import inspect

from study_app.accounts.audit.subjects import SUBJECTS
from study_app.accounts.audit.wording import Change, changes_of, label_of, readable

# Where nothing was changed, an entry names none of these.
KEYS = {"id"}


@pytest.mark.parametrize("model", SUBJECTS, ids=lambda model: model.__name__)
def test_every_recorded_column_has_a_label(model):
    subject = SUBJECTS[model]
    columns = {column.key for column in inspect(model).column_attrs} - KEYS - {*subject.quiet}
    labels = {column: label_of(subject.kind, column) for column in columns}
    inside = [label for label in labels.values() if "_" in label or label.endswith((" id", " at"))]
    assert not inside, f"add labels to study_app/accounts/audit/wording.py: {inside}"


def test_changes_are_shown_with_their_values():
    found = changes_of(
        "web sitting",
        {
            "finished_at": [None, "2026-11-22T21:40:00+00:00"],
            "ending": ["", "time_up"],
            "purpose": ["real", "real"],
            "seed": None,
        },
    )
    at = datetime(2026, 11, 22, 21, 40, tzinfo=UTC)
    assert found == [
        Change("ending", True, None, "time up", is_word=True),
        Change("finished", True, None, at),
        Change("for", True, "real", "real", is_word=True),
        Change("random seed"),
    ]


def test_booleans_and_entries_of_earlier_versions():
    written = "[{'name': 'age', 'label': 'Age', 'options': ['18–29', '30–44']}]"
    broken = "[{'name': 'age', 'label': 'A…"
    changes = {"laptop_only": [False, True], "questions": [written, broken], "points": [7, None]}
    laptop, points, questions = changes_of("task", changes)
    assert (laptop.was, laptop.is_now) == ("no", "yes")
    assert (questions.was, questions.is_now) == ("Age: 18–29 | 30–44", broken)
    assert (points.was, points.is_now) == ("7", None)


def test_a_name_that_looks_like_an_identifier_is_not_translated():
    (change,) = changes_of("task", {"name": ["my_task", "[draft]"]})
    assert (change.was, change.is_now) == ("my_task", "[draft]")


def test_nested_fields_are_shown_without_brackets():
    endings = {"complete": {"text": "Thanks", "code": "C1"}, "time_up": {}}
    assert readable(endings) == "complete (text: Thanks; code: C1)"
    assert readable(["sorting", "ranking"]) == "sorting, ranking"
