"""Cards of stimuli by number."""

from study_app.core.database import writing
from study_app.models import Stimulus
from study_app.sittings.recording.cards import Card, cards_where
from study_app.studies import studies
from tests.table_fixtures import make_set


def test_the_cards_of_a_set_by_number(session, study_id):
    with writing():
        study = studies.get(session, study_id)
        chair = make_set(session, study, "chair", 3)
        make_set(session, study, "car", 2)
    cards = cards_where(session, Stimulus.set_id == chair.id)
    assert [card.name for card in cards] == ["chair01", "chair02", "chair03"]
    by_number = sorted(chair.stimuli, key=lambda stimulus: stimulus.card)
    assert cards == [Card(s.id, s.card, s.name, s.sha256) for s in by_number]
