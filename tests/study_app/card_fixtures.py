"""Sets with stimuli, made without files: enough for every rule about decks."""

from study_app.core.database import writing
from study_app.models import Picture, Stimulus
from study_app.stimuli import stimuli


def make_set(study_id, name, count):
    """A set of `count` sketches; gives its id."""
    with writing() as session:
        made = stimuli.find_or_make_set(session, study_id, name)
        add_stimuli(session, made, range(1, count + 1))
        return made.id


def add_stimuli(session, stimulus_set, cards):
    """Add sketches with these card numbers."""
    for card in cards:
        sha256 = f"{stimulus_set.number:032x}{card:032x}"
        add_stimulus(session, stimulus_set, card, f"{stimulus_set.name}-{card}", sha256)
    session.flush()


def add_stimulus(session, stimulus_set, card, name, sha256):
    """Add a sketch whose picture has no file."""
    picture = {"media_type": "image/png", "form": "bitmap", "original_bytes": 1}
    session.add(Picture(sha256=sha256, pixel_hash=sha256, width=9, height=9, **picture))
    session.add(Stimulus(set_id=stimulus_set.id, card=card, name=name, sha256=sha256))
