"""Events of a table recorded and read back, by the numbers of cards."""

from study_app.sittings.recording import events, recording_page
from study_app.sittings.recording.events import Wanted
from tests.table_fixtures import ids


def grouped(session, sitting):
    """Card numbers by group number."""
    card = {s.id: s.card for s in sitting.set.stimuli}
    groups = recording_page.table(session, sitting)["groups"]
    return {g["number"]: [card[s] for s in g["cards"]] for g in groups}


def event(session, sitting, client_id, kind, placements, **more):
    of = ids(sitting)
    placements = [(key, [of[card] for card in cards]) for key, cards in placements]
    return events.record(session, sitting, Wanted(client_id, kind, placements, **more)).elsewhere
