"""Decks: their cards, and when they get a new edition."""

import pytest

from printables.cards.card import CardLayout
from study_app.cards import printed_decks
from study_app.cards.printed_decks import Part
from study_app.core.database import writing
from study_app.models.sittings import Sitting
from study_app.stimuli import stimuli
from study_app.studies import studies
from tests.study_app.card_fixtures import add_stimuli, make_set


@pytest.fixture
def chairs(session, study_id):
    """The id of a set of ten chairs."""
    return make_set(study_id, "chairs", 10)


@pytest.fixture
def printed(session, study_id, chairs):
    """Prints decks of the chairs like a print run; returns letter, edition and cards of each."""

    def printed(*numbers, part=None, card=None):
        with writing() as writer:
            chosen = stimuli.get_set(writer, study_id, chairs)
            planned = printed_decks.plan_decks(writer, chosen, numbers, part, card)
            printed_decks.register(writer, planned, card)
            return [(d.number, d.edition, [s.card for s in d.stimuli]) for d in planned]

    return printed


def grow(study_id, set_id, *new):
    """Add cards to a set."""
    with writing() as writer:
        add_stimuli(writer, stimuli.get_set(writer, study_id, set_id), new)


ALL = list(range(1, 11))


def test_a_deck_keeps_its_edition_while_the_set_is_the_same(session, chairs, printed):
    assert printed(1, 2) == [(1, 1, ALL), (2, 1, ALL)]
    assert printed(2, 3) == [(2, 1, ALL), (3, 1, ALL)]
    decks = printed_decks.decks_of(session, chairs)
    assert [(d.number, d.edition, len(d.cards)) for d in decks] == [(n, 1, 10) for n in (1, 2, 3)]
    assert all(d.printed_at for d in decks)


def test_a_changed_set_gets_a_new_edition(session, study_id, chairs, printed):
    printed(1)
    grow(study_id, chairs, 11, 12)
    assert printed(1) == [(1, 2, [*ALL, 11, 12])]
    assert (
        len(printed_decks.deck_stimuli(session, printed_decks.decks_of(session, chairs)[0])) == 12
    )


def test_cards_of_another_size_are_a_new_edition(session, chairs, printed):
    assert printed(1, card=CardLayout()) == [(1, 1, ALL)]
    assert printed(1, card=CardLayout()) == [(1, 1, ALL)]
    # cards of 66 x 46 mm that are read as cards of 46 x 66 mm have wrong groups
    assert printed(1, card=CardLayout(46, 66)) == [(1, 2, ALL)]
    (deck,) = printed_decks.decks_of(session, chairs)
    assert deck.card["width_mm"] == 46 and len(deck.cards) == 10


def test_a_sorted_deck_keeps_the_size_of_its_cards(session, study_id, chairs, printed):
    printed(1, card=CardLayout())
    with writing() as writer:
        deck = printed_decks.decks_of(writer, chairs)[0]
        writer.add(Sitting(study_id=study_id, number=1, set_id=chairs, deck_id=deck.id))
    with pytest.raises(printed_decks.DeckInUse, match="its cards and their size cannot change"):
        printed(1, card=CardLayout(46, 66))
    assert printed(1, card=CardLayout()) == [(1, 1, ALL)]


def test_a_sorted_deck_is_never_changed(session, study_id, chairs, printed):
    printed(1)
    with writing() as writer:
        deck = printed_decks.decks_of(writer, chairs)[0]
        sorted_one = Sitting(study_id=study_id, number=1, set_id=chairs, deck_id=deck.id)
        writer.add(sorted_one)
    assert printed(1) == [(1, 1, ALL)]
    grow(study_id, chairs, 11)
    with pytest.raises(printed_decks.DeckInUse, match=r"Deck A of 'chairs' is in use \(1 sitting"):
        printed(1)
    assert printed(2) == [(2, 1, [*ALL, 11])]


def test_at_most_nine_editions(study_id, chairs, printed):
    for edition in range(1, 10):
        assert printed(1)[0][1] == edition
        grow(study_id, chairs, 100 + edition)
    with pytest.raises(printed_decks.EditionsSpent):
        printed(1)


def test_parts_are_stored(session, study_id, chairs, printed):
    first = printed(1, 2, part=Part(5, 7))
    assert [len(held) for _, _, held in first] == [5, 5]
    assert {card for _, _, held in first for card in held} == set(ALL)
    assert printed(1, 2, part=Part(5, 7)) == first
    assert printed(2) == first[1:]
    assert {deck.part_seed for deck in printed_decks.decks_of(session, chairs)} == {7}
    assert printed(1, 2, part=Part(8, 7))[0][1] == 2


def test_lost_cards_are_reprinted_from_the_original_deck(session, study_id, chairs, printed):
    printed(1)
    grow(study_id, chairs, 11)
    chosen = stimuli.get_set(session, study_id, chairs)
    (deck,) = printed_decks.plan_lost(session, chosen, [1], (3, 4))
    assert (deck.edition, len(deck.stimuli)) == (1, 10)
    with pytest.raises(printed_decks.NotInDeck, match="Deck A of 'chairs' has no card 11"):
        printed_decks.plan_lost(session, chosen, [1], (3, 11))
    with pytest.raises(printed_decks.DeckNotPrinted, match="Deck B of 'chairs' was never printed"):
        printed_decks.plan_lost(session, chosen, [1, 2], (3,))


def test_an_empty_set_is_not_printed(session, study_id):
    empty = make_set(study_id, "nothing", 0)
    with pytest.raises(printed_decks.SetEmpty):
        printed_decks.plan_decks(session, stimuli.get_set(session, study_id, empty), [1])


def test_the_step_counts_printed_cards(session, study_id, printed):
    study = studies.get(session, study_id)
    assert printed_decks.step(session, study).state == ""
    printed(1, 2)
    assert printed_decks.step(session, study).state == "20 printed"
