"""Undo reverts the changes of one event, and nothing else."""

import pytest

from study_app.core.database import writing
from study_app.models import Event
from study_app.sittings.recording import events, recording_page, undo
from study_app.sittings.recording.refusals import BadEvent
from tests.recorded_events import event, grouped
from tests.table_fixtures import make_photo


def test_undo_reverts_one_event_at_a_time(session, sitting):
    with writing():
        event(session, sitting, "a", "place", [("x", [1, 2])])
        event(session, sitting, "b", "move", [("y", [2])])
        event(session, sitting, "c", "move", [("z", [2])])
        for _ in range(2):
            undo.undo(session, sitting, "u", "c")
        assert grouped(session, sitting) == {1: [1], 2: [2], 3: []}
        undo.undo(session, sitting, "v", "b")
        assert grouped(session, sitting) == {1: [1, 2], 2: [], 3: []}
        undo.undo(session, sitting, "w", "a")
        assert grouped(session, sitting) == {1: [], 2: [], 3: []}
        with pytest.raises(BadEvent, match="no such event"):
            undo.undo(session, sitting, "y", "w")
    assert session.query(Event).filter_by(kind="undo").count() == 3


def test_undoing_an_earlier_event_keeps_later_changes(session, sitting):
    with writing():
        event(session, sitting, "a", "place", [("x", [1, 2])])
        event(session, sitting, "b", "move", [("y", [2])])
        undo.undo(session, sitting, "u", "a")
        undo.undo(session, sitting, "v", "a")
        assert grouped(session, sitting) == {1: [], 2: [2]}
        undo.undo(session, sitting, "w", "b")
    assert grouped(session, sitting) == {1: [2], 2: []}


def test_undoing_a_confirmed_photo_reopens_its_proposal(session, sitting):
    with writing():
        number = make_photo(session, sitting).id

    def settled():
        return recording_page.table(session, sitting)["photos"][0]["settled"]

    with writing():
        event(session, sitting, "a", "confirm", [("x", [1])], photos=(number,))
    assert settled()
    with writing():
        undo.undo(session, sitting, "u", "a")
    assert not settled() and grouped(session, sitting) == {1: []}
    with writing():
        for _ in range(2):
            events.set_aside(session, sitting, "b", [number])
    assert settled()
    with writing():
        undo.undo(session, sitting, "v", "b")
        with pytest.raises(BadEvent, match="photo"):
            events.set_aside(session, sitting, "c", [99])
    assert not settled()
