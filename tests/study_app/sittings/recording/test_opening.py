"""Groups get the next number; the number of a group that was undone is free again."""

import pytest

from study_app.core.database import writing
from study_app.sittings.recording import events, undo
from study_app.sittings.recording.events import Description, Wanted
from study_app.studies import studies
from tests.study_app.sittings.recording.test_events import grouped
from tests.table_fixtures import ids, make_set, make_sitting


@pytest.fixture
def record(session, study_id):
    with writing():
        study = studies.get(session, study_id)
        sitting = make_sitting(session, study, make_set(session, study))

    class Recorder:
        def __call__(self, client_id, kind, *placements):
            of = ids(sitting)
            placed = [(key, [of[card] for card in cards]) for key, cards in placements]
            with writing():
                events.record(session, sitting, Wanted(client_id, kind, placed))
            return {number: cards for number, cards in grouped(session, sitting).items() if cards}

        def undo(self, client_id):
            with writing():
                undo.undo(session, sitting, f"undo-{client_id}", client_id)

        def describe(self, key):
            with writing():
                events.describe(session, sitting, Description(f"name-{key}", key, "round", ""))

    return Recorder()


def test_a_retaken_photo_is_numbered_from_group_1_again(record):
    assert record("a", "confirm", ("old-1", [1, 2]), ("old-2", [3])) == {1: [1, 2], 2: [3]}
    record.undo("a")
    assert record("b", "confirm", ("new-1", [1]), ("new-2", [2]), ("new-3", [3])) == {
        1: [1],
        2: [2],
        3: [3],
    }
    record.undo("b")
    # a named group keeps its number, whatever precedes it
    assert record("c", "confirm", ("x", [4]), ("new-1", [1])) == {1: [1], 2: [4]}


def test_only_undone_groups_are_renumbered(record):
    record("a", "confirm", ("left-1", [1]), ("left-2", [2]))
    record("b", "confirm", ("right-1", [3]), ("right-2", [4]))
    record.undo("b")
    assert record("c", "confirm", ("again-1", [3]), ("again-2", [4])) == {
        1: [1],
        2: [2],
        3: [3],
        4: [4],
    }


def test_a_group_that_an_undo_may_refill_keeps_its_number(record):
    record("a", "place", ("x", [1, 2]))
    record("b", "move", ("y", [1]))
    record.undo("a")
    assert record("c", "place", ("z", [3])) == {2: [1], 3: [3]}
    record.undo("b")
    assert record("d", "place", ("z", [4])) == {1: [1], 3: [3, 4]}


def test_emptied_and_named_groups_keep_their_numbers(record):
    record("a", "place", ("x", [1]))
    record("b", "merge", ("y", [1]))
    assert record("c", "place", ("z", [2])) == {2: [1], 3: [2]}
    record("d", "place", ("w", [3]))
    record.describe("w")
    record.undo("d")
    assert record("e", "place", ("v", [3])) == {2: [1], 3: [2], 5: [3]}
