"""Every finding has a complete sentence, in singular and plural."""

import pytest

from printables.reading.findings import Cause, Code, Doubt, Finding
from printables.reading.wording import in_words

FINDINGS = {
    Code.NOTHING_FOUND: {"blurred": False},
    Code.PHOTO_MIRRORED: {},
    Code.CARDS_PLACED: {"placed": 50, "expected": 300},
    Code.CARDS_UNREAD: {"count": 2, "cause": "too_far", "module_px": 1.2},
    Code.PAPER_UNEXPLAINED: {"count": 1, "places": []},
    Code.CARDS_HIDDEN: {"groups": [1]},
    Code.CARDS_UNSEEN: {"count": 3},
    Code.GROUPS_UNCERTAIN: {"groups": [2, 5], "reason": "unread_between"},
    Code.CARDS_PILED: {"count": 4, "group": 2},
    Code.CARDS_OVERLAID: {"groups": [2, 3]},
    Code.CARD_IN_TWO_PLACES: {"card": "7", "groups": [2, 4]},
    Code.PHOTO_APART: {"photos": [3]},
    Code.PHOTO_DIFFERS: {"photos": [2, 3]},
    Code.PHOTOS_DISAGREE: {"cards": ["7", "9"], "photos": [1, 2]},
}


@pytest.mark.parametrize("code", Code)
def test_every_code_has_a_sentence(code):
    sentence = in_words(Finding(code, FINDINGS[code]))
    assert sentence[0].isupper() or sentence[0].isdigit()
    assert sentence.endswith(".") and "  " not in sentence


@pytest.mark.parametrize("cause", Cause)
def test_every_cause_has_a_sentence(cause):
    facts = {"cause": str(cause), "module_px": 1.25}
    one, two = (in_words(Finding(Code.CARDS_UNREAD, {"count": n, **facts})) for n in (1, 2))
    assert one.startswith("1 card was not read: ")
    assert two.startswith("2 cards were not read: ")


@pytest.mark.parametrize("doubt", Doubt)
def test_one_group_or_several(doubt):
    one, two = (
        in_words(Finding(Code.GROUPS_UNCERTAIN, {"groups": groups, "reason": str(doubt)}))
        for groups in ([3], [3, 4])
    )
    assert one.startswith("Group 3 may be two groups: ")
    assert two.startswith("Groups 3 and 4 may be one group: ")
    one, two = (
        in_words(Finding(Code.GROUPS_UNCERTAIN, {"several": several, "reason": str(doubt)}))
        for several in ([[3], [5]], [[3, 4], [6, 7, 9]])
    )
    assert one.startswith("Some groups may be two groups: 3, 5 (")
    assert two.startswith("Some groups may be one group: 3 + 4; 6 + 7 + 9 (")
    assert two.endswith("). Check the grouping.")


def test_cards_are_named_by_the_given_function():
    found = Finding(Code.CARD_IN_TWO_PLACES, {"card": "00010004201119"})
    assert in_words(found, lambda code: str(int(code[4:9]))).startswith("Card 42 appears")
