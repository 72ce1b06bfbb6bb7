"""Stored rows of a table: they equal those of a full fold, and have positions in photos."""

import pytest

from study_app.core.database import writing
from study_app.models import Scan
from study_app.sittings.recording import stored_events, table_rows
from study_app.sittings.recording.lookup import found_by
from study_app.sittings.recording.table_state import Row, fold
from study_app.studies import studies
from tests.recorded_events import event
from tests.table_fixtures import ids, make_set, make_sitting


def test_rows_of_some_cards_and_groups_equal_those_of_all(session, study_id):
    with writing():
        study = studies.get(session, study_id)
        stimuli = make_set(session, study)
        sitting, other = (make_sitting(session, study, stimuli, code) for code in ("P01", "P02"))
        event(session, sitting, "a", "place", [("x", [1, 2]), ("y", [3])])
        event(session, sitting, "b", "move", [("y", [1])])
        event(session, sitting, "c", "take_away", [("off", [3])])
        # The same cards on another table, recorded later.
        event(session, other, "a", "place", [("x", [1, 2, 3, 4])])
        of = ids(sitting)
        asked = [*of[1:5], 10**6], ["x", "y", "new"]
        found = found_by(session, sitting, "b", *asked)
        groups = found.groups
        assert {key: group.number for key, group in groups.items()} == {"x": 1, "y": 2}
        assert table_rows.numbers(session, sitting) == {groups["x"].id: 1, groups["y"].id: 2}
        whole = fold(table_rows.rows_of(session, sitting))
        assert found.is_sent and not found_by(session, sitting, "new", *asked).is_sent
    assert whole == {of[1]: groups["y"].id, of[2]: groups["x"].id}
    assert found.cards == {of[1]: groups["y"].id, of[2]: groups["x"].id, of[3]: None, of[4]: None}


@pytest.mark.parametrize("count", [0, 1, 2, 3, 33, 64, 65])
def test_any_number_of_cards_and_groups_is_found(session, study_id, count):
    with writing():
        study = studies.get(session, study_id)
        sitting = make_sitting(session, study, make_set(session, study, count=66))
        of = ids(sitting)
        placements = [(f"g{card}", [card]) for card in range(1, 67)]
        event(session, sitting, "a", "place", placements)
        asked = [of[card] for card in range(1, count + 1)], [f"g{n}" for n in range(count)]
        found = found_by(session, sitting, "b", *asked)
        whole = fold(table_rows.rows_of(session, sitting))
    assert found.cards == {card: whole[card] for card in asked[0]}
    assert set(found.groups) == set(asked[1]) - {"g0"} and not found.is_sent


def test_rows_have_the_position_in_a_photo_or_the_input_method(session, study_id):
    with writing():
        study = studies.get(session, study_id)
        sitting = make_sitting(session, study, make_set(session, study))
        number = stored_events.add_event(session, sitting, "a", "confirm")
        of = ids(sitting)
        seen = {of[2]: {"how": "matched", "margin": 0.5, "corners": [[1, 2]], "photo_id": None}}
        rows = [Row(number, of[1], None), Row(number, of[2], None)]
        table_rows.add(session, rows, "hand", seen)
    stored = [(s.how, s.margin, s.corners) for s in session.query(Scan).order_by(Scan.id)]
    assert stored == [("hand", None, None), ("matched", 0.5, [[1, 2]])]
