"""Kinds of exclusion rules: whom each excludes, and in which words."""

import pytest

from study_app.models.exclusion import Exclusion, ExclusionRule
from study_app.participation.facts import Facts
from study_app.participation.people import rule_kinds

NOBODY = Facts(None, None, None, None, 1.0)


@pytest.mark.parametrize(
    ("kind", "threshold", "touched", "spared"),
    [
        ("failed_checks", 2, Facts(2, None, None, None, 1.0), Facts(1, None, None, None, 1.0)),
        ("fast_answers", 300, Facts(None, 299, None, None, 1.0), Facts(None, 300, None, None, 1.0)),
        ("fast_sitting", 5, Facts(None, None, 4.9, None, 1.0), Facts(None, None, 5, None, 1.0)),
        ("same_answer", 28, Facts(None, None, None, 7 / 25, 1.0), Facts(0, 1, 1, 0.27, 1.0)),
        ("unfinished", 100, Facts(None, None, None, None, 0.99), NOBODY),
    ],
)
def test_what_each_kind_touches(kind, threshold, touched, spared):
    assert rule_kinds.KINDS[kind].touches(touched, threshold)
    assert not rule_kinds.KINDS[kind].touches(spared, threshold)
    # What is not known excludes nobody.
    assert not rule_kinds.KINDS[kind].touches(NOBODY, threshold)


def test_the_wording_is_made_from_the_stored_value():
    made = Exclusion(rule=ExclusionRule(kind="fast_sitting", threshold=5.5), value=4.8765)
    assert rule_kinds.wording_of(made) == "took less than 5.5 minutes (4.88 min)"
    # A person wrote the reason; or an earlier version, without a number.
    assert rule_kinds.wording_of(Exclusion(reason="late (5)")) is None
    assert rule_kinds.wording_of(Exclusion(rule=made.rule, reason="too fast")) is None


@pytest.mark.parametrize(
    ("kind", "found"),
    [
        ("failed_checks", "2"),
        ("fast_answers", "2 ms"),
        ("same_answer", "2 %"),
        ("unfinished", "2 %"),
    ],
)
def test_the_fact_has_its_unit(kind, found):
    reason = rule_kinds.reason_of(ExclusionRule(kind=kind, threshold=3), 2.0)
    assert str(reason).endswith(f"({found})")
