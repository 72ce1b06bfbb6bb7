"""Known decks: positions and symbols of codes, and what is refused."""

import pytest

from printables.cards.codes import CardCode, encode, header_code
from printables.errors import PaperError
from printables.reading.deck.known_deck import KnownDeck

CODES = [encode(CardCode(set_number=1, card=n, deck=1, edition=1)) for n in (1, 2, 3)]


def test_codes_have_places_and_symbols():
    deck = KnownDeck(CODES)
    assert deck.places == {code: n for n, code in enumerate(CODES)}
    assert deck.modules.shape == (3, 21, 21) and set(deck.modules.ravel().tolist()) == {0.0, 1.0}


def test_header_cards_are_not_counted_as_cards():
    header = encode(header_code(2))
    deck = KnownDeck([*CODES, header])
    assert deck.cards == set(CODES)


@pytest.mark.parametrize(
    ("codes", "message"),
    [
        ([], "at least one card"),
        ([*CODES, CODES[1]], f"code {CODES[1]} is in the deck twice"),
        (["12345678901234"], "fails its check digits"),
    ],
)
def test_invalid_decks_are_refused(codes, message):
    with pytest.raises(PaperError, match=message):
        KnownDeck(codes)
