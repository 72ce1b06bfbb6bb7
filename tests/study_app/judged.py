"""Studies in which people have judged, made directly in the database."""

import hashlib

import numpy as np

from study_app.models import (
    Event,
    Group,
    Participant,
    Scan,
    Sitting,
    SittingAssessor,
    Stimulus,
    StimulusSet,
    now,
)
from tests.study_app.card_fixtures import add_stimulus


def make_set(session, study_id, name, stimuli, number=None):
    """A set of stimuli without picture files."""
    number = number or 1 + len(session.query(StimulusSet).all())
    made = StimulusSet(study_id=study_id, number=number, name=name)
    session.add(made)
    session.flush()
    for card, stimulus in enumerate(stimuli, start=1):
        sha256 = hashlib.sha256(f"{name}/{stimulus}".encode()).hexdigest()
        add_stimulus(session, made, card, stimulus, sha256)
    session.flush()
    return made


def sort_set(session, stimulus_set, matrix, first_code=1, simulated=False):
    """A finished sitting for each row of a matrix of groups (-1: not placed)."""
    stimuli = session.query(Stimulus).filter_by(set_id=stimulus_set.id).order_by(Stimulus.card)
    stimulus_ids = [stimulus.id for stimulus in stimuli]
    numbers = [s.number for s in session.query(Sitting).filter_by(study_id=stimulus_set.study_id)]
    first = max(numbers, default=0) + 1
    for at, groups in enumerate(np.asarray(matrix).tolist()):
        sitting = Sitting(
            study_id=stimulus_set.study_id,
            number=first + at,
            set_id=stimulus_set.id,
            deck_number=1,
            state="finished",
            finished_at=now(),
        )
        session.add(sitting)
        session.flush()
        person = _participant(session, stimulus_set.study_id, f"P{first_code + at:02d}", simulated)
        session.add(SittingAssessor(sitting_id=sitting.id, participant_id=person.id))
        _record(session, sitting, stimulus_ids, groups)


def _participant(session, study_id, code, simulated):
    found = session.query(Participant).filter_by(study_id=study_id, code=code).one_or_none()
    if found is None:
        found = Participant(study_id=study_id, code=code, simulated=simulated)
        session.add(found)
        session.flush()
    return found


def _record(session, sitting, stimulus_ids, groups):
    event = Event(sitting_id=sitting.id, client_id="a1", kind="place")
    session.add(event)
    numbers = {g: n for n, g in enumerate(dict.fromkeys(g for g in groups if g >= 0), start=1)}
    made = {
        g: Group(sitting_id=sitting.id, key=f"g{number}", number=number)
        for g, number in numbers.items()
    }
    session.add_all(made.values())
    session.flush()
    for stimulus_id, group in zip(stimulus_ids, groups, strict=True):
        if group >= 0:
            session.add(
                Scan(
                    event_id=event.id, stimulus_id=stimulus_id, group_id=made[group].id, how="hand"
                )
            )
    sitting.revision = 1
    session.flush()
