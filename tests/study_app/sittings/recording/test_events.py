"""Events are stored once each, from any device and however often they are sent."""

import threading

import pytest

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import db, opened, writing
from study_app.models import Event, GroupDescription, Scan
from study_app.sittings import sittings
from study_app.sittings.recording import events, recording_page, undo
from study_app.sittings.recording.events import Description, Wanted
from study_app.sittings.recording.refusals import BadEvent
from study_app.sittings.recording.sitting_lock import lock_sitting
from study_app.sittings.recording.stored_events import NotRecording
from study_app.sittings.recording.table_rows import rows_of
from study_app.sittings.recording.table_state import set_by_hand
from study_app.studies import studies
from tests.recorded_events import event, grouped
from tests.sent_statements import sent_statements
from tests.table_fixtures import ids, make_photo, make_set, make_sitting


def test_an_event_reads_rows_of_other_cards_only_to_open_a_group(session, sitting):
    def reads_all(*arguments):
        sent.clear()
        elsewhere = event(session, sitting, *arguments)
        return sum("FROM scan" in one and "undoes_id" in one for one in sent), elsewhere

    with sent_statements(db.engine) as sent, writing():
        assert reads_all("a", "place", [("x", [1, 2]), ("y", [3])]) == (1, {})
        assert reads_all("b", "place", [("y", [2, 4])]) == (0, {ids(sitting)[2]: 1})
        assert reads_all("c", "move", [("y", [1])]) == (0, {})


def test_cards_go_into_numbered_groups(session, sitting):
    with writing():
        event(session, sitting, "a", "place", [("x", [1, 2])])
        event(session, sitting, "b", "place", [("header-4", [3])])
        event(session, sitting, "c", "place", [("y", [4])])
        event(session, sitting, "d", "place", [("header-5", [5])])
    assert grouped(session, sitting) == {1: [1, 2], 4: [3], 5: [4], 6: [5]}


def test_a_card_in_another_group_stays_there_and_is_reported(session, sitting):
    with writing():
        event(session, sitting, "a", "place", [("x", [1])])
        elsewhere = event(session, sitting, "b", "place", [("y", [1, 2])])
        assert elsewhere == {ids(sitting)[1]: 1}
        assert grouped(session, sitting) == {1: [1], 2: [2]}
        again = event(session, sitting, "b", "place", [("y", [1, 2])])
    assert again == elsewhere


def test_an_event_sent_twice_is_stored_once(session, sitting):
    with writing():
        for _ in range(3):
            event(session, sitting, "a", "place", [("x", [1, 2])])
    assert session.query(Event).count() == 1
    assert session.query(Scan).count() == 2


def test_move_merge_split_and_remove_with_their_reasons(session, sitting):
    with writing():
        event(session, sitting, "a", "place", [("x", [1, 2, 3]), ("y", [4, 5])])
        event(session, sitting, "b", "move", [("y", [3])])
        event(session, sitting, "c", "split", [("z", [4])])
        event(session, sitting, "d", "merge", [("x", [4])], reason="merged group 3 into 1")
        event(session, sitting, "e", "take_away", [("off", [2, 6])])
    assert grouped(session, sitting) == {1: [1, 4], 2: [5, 3], 3: []}
    reasons = [a.reason for a in session.query(Event).order_by(Event.id)]
    assert reasons == ["", "moved", "group split", "merged group 3 into 1", ""]
    assert [a.kind for a in session.query(Event).order_by(Event.id)][-1] == "take_away"
    assert session.query(Scan).count() == 5 + 1 + 1 + 1 + 1


def test_corrections_by_a_photo_have_a_reason(session, sitting):
    with writing():
        event(session, sitting, "a", "place", [("x", [1, 2]), ("y", [3])], how="scanner")
        event(session, sitting, "b", "confirm", [("x", [1, 2]), ("y", [3, 4])])
        event(session, sitting, "c", "confirm", [("x", [1, 2, 3]), ("y", [4])])
    assert [a.reason for a in session.query(Event).order_by(Event.id)] == [
        "",
        "",
        "as a photo shows",
    ]


def test_a_photo_confirmed_later_leaves_cards_where_the_conductor_put_them(session, sitting):
    one, two = ids(sitting)[1:3]
    shown = [("x", [1, 2]), ("y", [3])]
    with writing():
        event(session, sitting, "a", "place", shown, how="scanner")
        event(session, sitting, "b", "move", [("y", [2])])
        for _ in range(2):
            assert event(session, sitting, "c", "confirm", shown) == {two: 2}
        assert grouped(session, sitting) == {1: [1], 2: [3, 2]}
        # the conductor decides so on the photo, and it stays so
        assert event(session, sitting, "d", "confirm", shown, by_hand=[two, one]) == {}
        assert grouped(session, sitting) == {1: [1, 2], 2: [3]}
        back = event(session, sitting, "e", "confirm", [("z", [1]), ("y", [2, 3])])
    assert back == {one: 1, two: 1}
    assert set_by_hand(rows_of(session, sitting)).keys() == {one, two}


def test_a_card_whose_group_was_chosen_on_a_photo_is_recorded_by_hand(session, sitting):
    one, two = ids(sitting)[1:3]
    seen = {"how": "matched", "margin": 9.0, "corners": [[0, 0], [1, 0], [1, 1], [0, 1]]}
    with writing():
        number = make_photo(session, sitting, read=[{**seen, "stimulus": s} for s in (one, two)]).id
        event(session, sitting, "a", "confirm", [("x", [1, 2])], photos=(number,), by_hand=[two])
    rows = session.query(Scan).order_by(Scan.stimulus_id).all()
    found = [(row.how, row.margin, row.photo_id) for row in rows]
    assert found == [("matched", 9.0, number), ("hand", None, number)]


def test_rows_have_time_researcher_and_input_method(session, sitting):
    with writing():
        event(session, sitting, "a", "place", [("x", [1])], how="scanner")
    (scan,) = session.query(Scan)
    assert (scan.how, scan.margin, scan.photo_id) == ("scanner", None, None)
    assert scan.event.at is not None and scan.group.number == 1


IMPOSSIBLE = [
    ({"client_id": ""}, "no id"),
    ({"client_id": "a b"}, "no id"),
    ({"kind": "explode"}, "explode"),
    ({"how": "decoded"}, "decoded"),
    ({"placements": [("x", [1, 1])]}, "two groups"),
    ({"placements": [("x", [1]), ("y", [1])]}, "two groups"),
    ({"placements": [("x", [10**9])]}, "not on this table"),
    ({"placements": [("../x", [1])]}, "no group"),
]


def test_impossible_events_are_refused(session, sitting):
    first = ids(sitting)[1]
    for change, message in IMPOSSIBLE:
        asked = {"client_id": "a", "kind": "place", "placements": [("x", [1])], **change}
        asked["placements"] = [
            (key, [first if s == 1 else s for s in stimuli]) for key, stimuli in asked["placements"]
        ]
        with pytest.raises(BadEvent, match=message), writing():
            events.record(session, sitting, Wanted(**asked))
    with pytest.raises(BadEvent, match="photo"), writing():
        event(session, sitting, "a", "confirm", [("x", [1])], photos=(7,))
    with pytest.raises(BadEvent), writing():
        undo.undo(session, sitting, "u", "never")
    assert session.query(Scan).count() == 0


def test_events_need_a_sitting_that_is_being_recorded(session, study_id):
    with writing():
        study = studies.get(session, study_id)
        planned = make_sitting(session, study, make_set(session, study), recording=False)
    for attempt in (
        lambda: event(session, planned, "a", "place", [("x", [1])]),
        lambda: undo.undo(session, planned, "u", "a"),
        lambda: events.describe(session, planned, Description("b", "x", "", "")),
    ):
        with pytest.raises(NotRecording, match="T001"), writing():
            attempt()


def described(session, sitting):
    (group,) = recording_page.table(session, sitting)["groups"]
    return group["name"], group["note"]


def test_names_and_notes_of_groups_can_be_undone(session, sitting):
    with writing():
        event(session, sitting, "a", "place", [("x", [1])])
        first = Description("b", "x", " swivel chairs ", "took long")
        for _ in range(2):
            events.describe(session, sitting, first)
        events.describe(session, sitting, Description("c", "x", "stools", ""))
        with pytest.raises(BadEvent, match="no group"):
            events.describe(session, sitting, Description("d", "y", "", ""))
    assert described(session, sitting) == ("stools", "")
    shown = recording_page.last_events(session, sitting)
    assert [(a["words"], a["reason"]) for a in shown] == [
        ("name or note changed", "group 1: stools"),
        ("name or note changed", "group 1: swivel chairs (took long)"),
        ("placed", ""),
    ]
    possible = recording_page.table(session, sitting)["acts"]
    assert [(a["id"], a["cards"]) for a in possible] == [("c", 0), ("b", 0), ("a", 1)]
    with writing():
        undo.undo(session, sitting, "u", "c")
    assert described(session, sitting) == ("swivel chairs", "took long")
    assert [a["id"] for a in recording_page.table(session, sitting)["acts"]] == ["b", "a"]
    with writing():
        undo.undo(session, sitting, "v", "b")
    assert described(session, sitting) == ("", "")
    assert session.query(GroupDescription).count() == 4


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_two_tablets_write_at_once(database, tmp_path, request):
    address = request.getfixturevalue("upgraded_url") if database == "postgres" else None
    app = create_app(Settings.of(tmp_path / "instance", address))
    with app.app_context(), writing() as session:
        study = studies.make(session, "Two tablets")
        made = make_sitting(session, study, make_set(session, study, count=40))
        study_id, of = study.id, ids(made)
    answers = []

    def tablet(name, cards):
        with app.app_context():
            for card in cards:
                with writing() as session:
                    sitting = lock_sitting(session, study_id, "T001")
                    wanted = Wanted(f"{name}-{card}", "place", [(name, [of[card]])])
                    answers.append(events.record(session, sitting, wanted).elsewhere)
            db.session.remove()

    cards = [*range(1, 41)]
    writers = [
        threading.Thread(target=tablet, args=(name, order))
        for name, order in (("left", cards), ("right", cards[::-1]))
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    with opened(app):
        sitting = sittings.find(db.session, study_id, "T001")
        shown = grouped(db.session, sitting)
        assert sorted(card for cards_of in shown.values() for card in cards_of) == cards
        assert sorted(shown) == [1, 2]
        assert sum(map(len, answers)) == 40
        assert sitting.revision == 1 + 80
