"""Every input is a card of this table, a header card, or an explained error."""

import pytest

from printables.cards.codes import CardCode, encode, header_code
from study_app.core.database import writing
from study_app.sittings.recording import known_cards
from study_app.sittings.recording.known_cards import deck_of, identify, verdict
from study_app.sittings.recording.wrong_cards import WrongCard
from study_app.studies import studies
from tests.table_fixtures import make_deck, make_set, make_sitting

AZERTY = dict(zip("1234567890", "&é\"'(-è_çà", strict=True))


@pytest.fixture
def deck(session, study_id):
    """Deck A of set 1 in edition 2, without card 6; set 2 is another one."""
    with writing():
        study = studies.get(session, study_id)
        chair = make_set(session, study, "chair")
        make_set(session, study, "car")
        make_deck(session, chair, cards={1, 2, 3, 4, 5}, edition=2)
        sitting = make_sitting(session, study, chair)
    return deck_of(session, sitting)


def code(card=3, set_number=1, deck=1, edition=2):
    return encode(CardCode(set_number, card, deck, edition))


def test_cards_are_identified_by_code_number_or_keyboard_layout(session, deck):
    french = "".join(AZERTY[digit] for digit in code())
    for typed in (code(), f" {code()} ", "3", "00003", "٣", french):
        assert identify(session, deck, typed) == (deck.stimuli[3], None), typed
    assert identify(session, deck, encode(header_code(12))) == (None, 12)


WRONG = [
    ("9", "no card 9", None),
    ("hello", "not a card code", None),
    ("", "not a card code", None),
    ("1 2", "^'1 2' are several numbers; enter one card at a time.$", None),
    ("12,14; 3", "several numbers", None),
    ("0001 00003 01 2 1", "13 digits; a card code has 14", None),
    (code()[:-1] + str((int(code()[-1]) + 1) % 10), "check digits", None),
    (encode(header_code(201)), "no header card 201", None),
    (code(deck=2), "deck B; this sitting is for deck A. Take it back", "chair03"),
    (code(edition=1), "older edition 1.*remove it and look for the newer", "chair03"),
    (code(edition=3), "unknown edition 3", "chair03"),
    (code(card=6), "not in deck A, which has only a part", "chair06"),
    (code(card=77), "no card 77 any more", None),
    (code(set_number=2), "of the set 'car'; this sitting is for 'chair'", "car03"),
    (code(set_number=99), "not belong to this study", None),
]


def test_cards_that_do_not_belong_are_reported_with_their_picture(session, deck):
    for typed, message, shown in WRONG:
        with pytest.raises(WrongCard, match=message) as refusal:
            identify(session, deck, typed)
        assert (refusal.value.stimulus and refusal.value.stimulus.name) == shown, typed
        assert verdict(session, deck, typed)["refused"] == str(refusal.value)


def test_before_a_deck_is_printed_the_whole_set_is_expected(session, study_id):
    with writing():
        study = studies.get(session, study_id)
        sitting = make_sitting(session, study, make_set(session, study), deck=2)
    deck = known_cards.deck_of(session, sitting)
    assert (deck.letter, deck.edition, list(deck.stimuli)) == ("B", 1, [1, 2, 3, 4, 5, 6])
