"""Sets, decks and sittings for the tests of the table, made without a file or printed for real."""

import hashlib

from study_app.models import Deck, DeckCard, Photo
from study_app.sittings import sittings
from study_app.stimuli import stimuli
from tests.study_app.card_fixtures import add_stimulus


def make_set(session, study, name="chair", count=6):
    """A set of stimuli that have no files: enough wherever nobody looks at them."""
    made = stimuli.find_or_make_set(session, study.id, name)
    for card in range(1, count + 1):
        sha256 = hashlib.sha256(f"{study.id} {name} {card}".encode()).hexdigest()
        add_stimulus(session, made, card, f"{name}{card:02d}", sha256)
    session.flush()
    return made


def make_deck(session, stimulus_set, number=1, cards=None, edition=1):
    """A printed deck of a set, or of some of its card numbers."""
    held = [s for s in stimulus_set.stimuli if cards is None or s.card in cards]
    deck = Deck(set_id=stimulus_set.id, number=number, edition=edition, card={})
    deck.cards = [DeckCard(stimulus_id=s.id) for s in held]
    session.add(deck)
    session.flush()
    return deck


def make_sitting(session, study, stimulus_set, assessor="P01", deck=1, recording=True):
    """A sitting of an assessor, by default about to be recorded."""
    people = [(code, None, None) for code in assessor.split("+")]
    plan = sittings.Plan([stimulus_set], [people], (deck,))
    (sitting,) = sittings.plan(session, study, plan)
    if recording:
        sittings.begin_recording(session, sitting)
    session.flush()
    return sitting


def make_photo(session, sitting, sha256="0" * 64, read=(), unread=()):
    """A photo of a table, as it was read; it has no file."""
    reading = {"cards": read, "unread": unread, "wrong": [], "headers": [], "advice": []}
    made = Photo(sitting_id=sitting.id, sha256=sha256, reading=reading, one_group=False)
    made.original_bytes, made.width, made.height = 1, 200, 200
    session.add(made)
    session.flush()
    return made


def ids(sitting):
    """The stimuli of a sitting's set, by card number from 1."""
    return [None, *(s.id for s in sitting.set.stimuli)]
