"""Findings as JSON, and the number of cards placed."""

import json

import pytest

from printables.reading.findings import Code, Finding
from printables.reading.reader import read_photo
from tests.bench.scenes import ORDINARY, photograph, print_cards


@pytest.mark.parametrize("code", Code)
def test_a_finding_is_the_same_after_json(code):
    finding = Finding(code, {"count": 3, "groups": [1, 2]})
    assert Finding.from_json(json.loads(json.dumps(finding.as_json()))) == finding


@pytest.mark.slow
def test_a_reading_counts_the_cards_of_its_deck():
    printed = print_cards(40)
    reading = read_photo(photograph(printed, 16, ORDINARY, seed=1).jpeg, printed.deck)
    assert reading.findings[0] == Finding(Code.CARDS_PLACED, {"placed": 16, "expected": 40})
