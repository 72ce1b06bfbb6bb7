"""Sets, decks and sittings for the tests of the table, made without a file or printed for real."""

import hashlib
import io

import pytest
from PIL import Image

from study_app.core.database import writing
from study_app.core.storage import photo_store
from study_app.models import Deck, DeckCard, Photo
from study_app.sittings import sittings
from study_app.sittings.recording import closure, events
from study_app.stimuli import stimuli
from study_app.studies import studies
from tests.study_app.card_fixtures import add_stimulus

GROUP_NAME, NOTE = "Rumpelstilzchen's houses", "spoke of Rosenrot, the sister"


def make_set(session, study, name="chair", count=6):
    """A set of stimuli without files, for tests that do not show them."""
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


def photo_files(app):
    """The stored files of photos."""
    return [p for p in app.config["SETTINGS"].instance.glob("photos/**/*") if p.is_file()]


@pytest.fixture
def sitting(session, study_id):
    """A sitting of six chairs, about to be recorded."""
    with writing():
        study = studies.get(session, study_id)
        made = make_sitting(session, study, make_set(session, study))
    return made


@pytest.fixture
def described_set(app, session, study_id):
    """The number of the set of `describe_set`."""
    return describe_set(app, session, study_id)


def describe_set(app, session, study_id):
    """Three assessors, one of them alone and with another; photos, names and notes."""
    with writing():
        study = studies.get(session, study_id)
        chairs = make_set(session, study)
        for assessor, split in (("K71", 2), ("P02", 3), ("P03", 3), ("K71+P03", 4)):
            sitting = make_sitting(session, study, chairs, assessor)
            cards = ids(sitting)[1:]
            groups = [("one", cards[:split]), ("two", cards[split:])]
            events.record(session, sitting, events.Wanted("a", "place", groups))
            if "K71" in assessor:
                _describe(app, session, sitting)
            closure.finish(session, sitting)
        first = sittings.find(session, study_id, "T001")
        sittings.enter_again(session, study, first)
        return chairs.id


def _describe(app, session, sitting):
    events.describe(session, sitting, events.Description("b", "one", GROUP_NAME, NOTE))
    sitting.notes = NOTE
    content = io.BytesIO()
    Image.new("RGB", (64, 48), (sitting.number, 0, 0)).save(content, "JPEG")
    make_photo(session, sitting, photo_store.save(app.config["SETTINGS"], content.getvalue()))
    for person in sitting.assessors:
        person.age_band = "20-29" if person.code == "K71" else None
