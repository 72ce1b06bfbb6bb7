"""Conflicts of photos and header cards in sentences."""

import pytest

from printables.cards.codes import CardCode, encode
from printables.reading import findings
from study_app.sittings.photos.conflicts import Code, HeaderConflict, in_words


@pytest.mark.parametrize("code", Code)
def test_every_conflict_has_a_sentence_with_its_numbers(code):
    said = in_words(HeaderConflict(code, header=41, group=42, groups=43, headers=(44, 45, 46)))
    assert said.endswith(".") and "{" not in said
    assert "41" in said or "44, 45 and 46" in said
    assert ("42" in said) == (code is Code.GROUP_HAS_NUMBER)


def test_a_finding_of_joined_photos_names_cards_by_their_numbers():
    card = encode(CardCode(set_number=1, card=42, deck=1, edition=1))
    found = findings.Finding(findings.Code.CARD_IN_TWO_PLACES, {"card": card, "groups": [2, 4]})
    assert in_words(found).startswith("Card 42 appears in two places")
