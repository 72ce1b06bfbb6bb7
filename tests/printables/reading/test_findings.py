"""Findings are codes with facts: they can be written as JSON, and are the same read back."""

import json

import pytest

from printables.reading.findings import Code, Finding
from printables.reading.reader import read_photo
from tests.bench.scenes import ORDINARY, photograph, print_cards


@pytest.mark.parametrize("code", Code)
def test_there_and_back(code):
    finding = Finding(code, {"count": 3, "groups": [1, 2]})
    assert Finding.from_json(json.loads(json.dumps(finding.as_json()))) == finding


@pytest.mark.slow
def test_a_photo_says_how_many_of_its_deck_it_shows():
    printed = print_cards(40)
    reading = read_photo(photograph(printed, 16, ORDINARY, seed=1).jpeg, printed.deck)
    assert reading.findings[0] == Finding(Code.CARDS_PLACED, {"placed": 16, "expected": 40})
