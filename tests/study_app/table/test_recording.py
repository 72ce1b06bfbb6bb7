"""Acts are written down once each, whoever sends them and however often."""

import threading

import pytest

from study_app import create_app, sittings, studies
from study_app.config import Settings
from study_app.db import db, writing
from study_app.errors import NotFound
from study_app.models import Act, Scan
from study_app.table import recording, recording_page
from study_app.table.recording import BadAct, NotRecording, Wanted
from tests.table_fixtures import ids, make_set, make_sitting


@pytest.fixture
def sitting(session, study_id):
    with writing():
        study = studies.get(session, study_id)
        made = make_sitting(session, study, make_set(session, study))
    return made


def piles(session, sitting):
    """Card numbers by group number."""
    card = {s.id: s.card for s in sitting.set.stimuli}
    groups = recording_page.table(session, sitting)["groups"]
    return {g["number"]: [card[s] for s in g["cards"]] for g in groups}


def act(session, sitting, client_id, kind, placements, **more):
    of = ids(sitting)
    placements = [(key, [of[card] for card in cards]) for key, cards in placements]
    return recording.record(session, sitting, Wanted(client_id, kind, placements, **more))


def test_cards_go_into_numbered_groups(session, sitting):
    with writing():
        act(session, sitting, "a", "place", [("x", [1, 2])])
        act(session, sitting, "b", "place", [("header-4", [3])])
        act(session, sitting, "c", "place", [("y", [4])])
        act(session, sitting, "d", "place", [("header-5", [5])])
    assert piles(session, sitting) == {1: [1, 2], 4: [3], 5: [4], 6: [5]}


def test_a_card_that_lies_elsewhere_stays_and_is_named(session, sitting):
    with writing():
        act(session, sitting, "a", "place", [("x", [1])])
        elsewhere = act(session, sitting, "b", "place", [("y", [1, 2])])
        assert elsewhere == {ids(sitting)[1]: 1}
        assert piles(session, sitting) == {1: [1], 2: [2]}
        again = act(session, sitting, "b", "place", [("y", [1, 2])])
    assert again == elsewhere


def test_an_act_sent_twice_happens_once(session, sitting):
    with writing():
        for _ in range(3):
            act(session, sitting, "a", "place", [("x", [1, 2])])
    assert session.query(Act).count() == 1
    assert session.query(Scan).count() == 2


def test_move_merge_split_take_away_and_their_reasons(session, sitting):
    with writing():
        act(session, sitting, "a", "place", [("x", [1, 2, 3]), ("y", [4, 5])])
        act(session, sitting, "b", "move", [("y", [3])])
        act(session, sitting, "c", "split", [("z", [4])])
        act(session, sitting, "d", "merge", [("x", [4])], reason="merged group 3 into 1")
        act(session, sitting, "e", "take_away", [("off", [2, 6])])
    assert piles(session, sitting) == {1: [1, 4], 2: [5, 3], 3: []}
    reasons = [a.reason for a in session.query(Act).order_by(Act.id)]
    assert reasons == ["", "moved", "group split", "merged group 3 into 1", ""]
    assert [a.kind for a in session.query(Act).order_by(Act.id)][-1] == "take_away"
    assert session.query(Scan).count() == 5 + 1 + 1 + 1 + 1


def test_rows_say_when_by_whom_and_how(session, sitting):
    with writing():
        act(session, sitting, "a", "place", [("x", [1])], how="scanner")
    (scan,) = session.query(Scan)
    assert (scan.how, scan.margin, scan.photo_id) == ("scanner", None, None)
    assert scan.act.at is not None and scan.group.number == 1


def test_undo_puts_back_and_is_itself_undone(session, sitting):
    with writing():
        act(session, sitting, "a", "place", [("x", [1, 2])])
        act(session, sitting, "b", "move", [("y", [2])])
        recording.undo(session, sitting, "u", "b")
        recording.undo(session, sitting, "u", "b")
        assert piles(session, sitting)[1] == [1, 2]
        recording.undo(session, sitting, "v", "u")
        assert piles(session, sitting) == {1: [1], 2: [2]}
        recording.undo(session, sitting, "w", "a")
        assert piles(session, sitting) == {1: [], 2: [2]}
    assert session.query(Act).filter_by(kind="undo").count() == 3


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


def test_what_the_page_cannot_have_meant_is_refused(session, sitting):
    first = ids(sitting)[1]
    for change, says in IMPOSSIBLE:
        asked = {"client_id": "a", "kind": "place", "placements": [("x", [1])], **change}
        asked["placements"] = [
            (key, [first if s == 1 else s for s in stimuli]) for key, stimuli in asked["placements"]
        ]
        with pytest.raises(BadAct, match=says), writing():
            recording.record(session, sitting, Wanted(**asked))
    with pytest.raises(NotFound), writing():
        act(session, sitting, "a", "confirm", [("x", [1])], photos=(7,))
    with pytest.raises(BadAct), writing():
        recording.undo(session, sitting, "u", "never")
    assert session.query(Scan).count() == 0


def test_only_a_table_that_is_being_recorded_is_written_to(session, study_id):
    with writing():
        study = studies.get(session, study_id)
        planned = make_sitting(session, study, make_set(session, study), recording=False)
    for attempt in (
        lambda: act(session, planned, "a", "place", [("x", [1])]),
        lambda: recording.undo(session, planned, "u", "a"),
        lambda: recording.describe(session, planned, "x", "", ""),
    ):
        with pytest.raises(NotRecording, match="T001"), writing():
            attempt()


def test_a_group_has_a_name_and_a_note(session, sitting):
    with writing():
        act(session, sitting, "a", "place", [("x", [1])])
        recording.describe(session, sitting, "x", " swivel chairs ", "took long")
        with pytest.raises(NotFound):
            recording.describe(session, sitting, "y", "", "")
    (group,) = recording_page.table(session, sitting)["groups"]
    assert (group["name"], group["note"]) == ("swivel chairs", "took long")


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_two_tablets_write_at_once(database, tmp_path, request):
    address = request.getfixturevalue("postgres_url") if database == "postgres" else None
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
                    sitting = sittings.find(session, study_id, "T001", lock=True)
                    wanted = Wanted(f"{name}-{card}", "place", [(name, [of[card]])])
                    answers.append(recording.record(session, sitting, wanted))
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
    with app.app_context():
        sitting = sittings.find(db.session, study_id, "T001")
        shown = piles(db.session, sitting)
        assert sorted(card for pile in shown.values() for card in pile) == cards
        assert sorted(shown) == [1, 2]
        assert sum(map(len, answers)) == 40
        assert sitting.revision == 1 + 80
        db.session.remove()
        db.engine.dispose()
