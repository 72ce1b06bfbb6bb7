"""Versions of a consent text: numbered, not repeated if unchanged, refused if empty or too long."""

import pytest

from study_app.models.rights import AssessorText
from study_app.participation.consent.versions import LONGEST, add
from study_app.participation.refusals import TaskUnclear


def _add(session, study_id, past, information, consent="I agree."):
    text = AssessorText(study_id=study_id, information=information, consent=consent)
    return add(session, text, past, TaskUnclear, "too long")


def test_only_a_changed_text_is_a_new_version(session, study_id):
    first = _add(session, study_id, [], "What we do\r\n\r\nand why", " I agree. ")
    assert (first.version, first.information, first.consent) == (
        1,
        "What we do\n\nand why",
        "I agree.",
    )
    assert _add(session, study_id, [first], "What we do\n\nand why") is first
    second = _add(session, study_id, [first], "Something else")
    assert (second.version, session.query(AssessorText).count()) == (2, 2)


@pytest.mark.parametrize(
    ("information", "consent", "why"),
    [
        (" \n", "I agree.", "Enter both"),
        ("What we do", " ", "Enter both"),
        ("a" * (LONGEST + 1), "I agree.", "too long"),
        ("What we do", "a" * (LONGEST + 1), "too long"),
    ],
)
def test_an_empty_or_too_long_text_is_refused(session, study_id, information, consent, why):
    with pytest.raises(TaskUnclear, match=why):
        _add(session, study_id, [], information, consent)
    assert session.query(AssessorText).count() == 0
