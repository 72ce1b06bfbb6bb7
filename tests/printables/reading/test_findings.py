"""Findings as JSON, and the number of cards placed."""

import json

import pytest

from printables.reading.findings import Code, Finding, put_together
from printables.reading.reader import read_photo
from tests.bench.scenes import ORDINARY, photograph, print_cards


@pytest.mark.parametrize("code", Code)
def test_a_finding_is_the_same_after_json(code):
    finding = Finding(code, {"count": 3, "groups": [1, 2]})
    assert Finding.from_json(json.loads(json.dumps(finding.as_json()))) == finding


def test_groups_in_doubt_for_the_same_reason_are_one_finding():
    doubts = [
        Finding(Code.GROUPS_UNCERTAIN, {"groups": groups, "reason": reason})
        for groups, reason in (
            *(([1, 2], "hidden_between"), ([3], "hidden_between"), ([1, 4], "gap_unclear")),
            *(([2, 5, 6], "hidden_between"), ([7], "hidden_between")),
        )
    ]
    unread = [Finding(Code.CARDS_UNREAD, {"count": n, "cause": "covered"}) for n in (1, 2)]
    hidden, two, gap, *rest = put_together([*doubts, *unread])
    assert hidden.facts == {"several": [[1, 2], [2, 5, 6]], "reason": "hidden_between"}
    assert two.facts == {"several": [[3], [7]], "reason": "hidden_between"}
    assert (gap, rest) == (doubts[2], unread)


@pytest.mark.slow
def test_a_reading_counts_the_cards_of_its_deck():
    printed = print_cards(40)
    reading = read_photo(photograph(printed, 16, ORDINARY, seed=1).jpeg, printed.deck)
    assert reading.findings[0] == Finding(Code.CARDS_PLACED, {"placed": 16, "expected": 40})
