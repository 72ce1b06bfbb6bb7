"""Readings of photos in terms of their table."""

import cv2
import numpy as np
import psycopg
import pytest
from sqlalchemy.exc import OperationalError

from printables.cards.codes import CardCode, encode, header_code
from printables.reading.findings import Code, Finding
from printables.reading.reader import PhotoReading, ReadSymbol
from printables.tabletop.grouping import plan_table
from study_app.core.database import db, writing
from study_app.core.errors import NotFound
from study_app.core.storage import photo_store
from study_app.core.storage.stores import FileMissing, StoreUnavailable
from study_app.models import Photo, Scan
from study_app.sittings.photos import photo_files, unfinished
from study_app.sittings.recording import events, known_cards, wrong_cards
from study_app.sittings.recording.stored_events import NotRecording
from study_app.studies import studies
from study_app.studies.people import withdrawal
from tests.study_app.results.exports.whole_study import photo_with_place
from tests.table_fixtures import ids, make_deck, make_photo, make_sitting
from tests.table_fixtures import photo_files as stored_photos

FACTS = {"count": 1, "cause": "covered"}


def symbol(card, group, at, how="decoded", margin=None, deck=1, edition=1):
    """A symbol of 40 pixels, upright, at a place of its own."""
    x, y = 200 * at, 100.0
    corners = np.array([[x, y], [x + 40, y], [x + 40, y + 40], [x, y + 40]])
    return ReadSymbol(encode(CardCode(1, card, deck, edition)), corners, how, margin, group)


def reading(symbols, foreign=()):
    plan = plan_table(np.array([s.corners for s in symbols])) if symbols else None
    unread = np.array([[[5.0, 5], [9, 5], [9, 9], [5, 9]]])
    findings = (Finding(Code.CARDS_UNREAD, FACTS),)
    return PhotoReading(2000, 1000, tuple(symbols), tuple(foreign), unread, findings, plan)


def add(session, sitting, seen, sha256="a" * 64):
    deck = known_cards.deck_of(session, sitting)
    return photo_files.add(session, sitting, sha256, photo_files.Upload(deck, seen, 1234))


def edition(photo):
    """Why its first wrong card does not belong to the table, and the edition of the card."""
    wrong = photo.reading["wrong"][0]
    return wrong["code"], wrong["facts"]["its_edition"]


def test_a_reading_has_cards_wrong_cards_and_unread_cards(session, sitting):
    header = ReadSymbol(encode(header_code(7)), symbol(1, 0, 5).corners, "decoded")
    seen = reading(
        [symbol(1, 1, 0), symbol(2, 1, 1, "matched", 0.3), symbol(1, 2, 2), header],
        [symbol(3, 0, 6, deck=2)],
    )
    with writing():
        kept = add(session, sitting, seen)
    found, of = kept.reading, ids(sitting)
    assert [(c["stimulus"], c["group"], c["how"], c["margin"]) for c in found["cards"]] == [
        (of[1], 1, "decoded", None),
        (of[2], 1, "matched", 0.3),
    ]
    assert found["cards"][1]["corners"] == [[200, 100], [240, 100], [240, 140], [200, 140]]
    assert len(found["cards"][0]["outline"]) == 4
    twice, other_deck = found["wrong"]
    assert (twice["code"], twice["stimulus"]) == ("twice_apart", of[1])
    assert twice["facts"] == {"card": 1, "first": 1, "second": 2}
    assert (len(twice["place_mm"]), twice["group"]) == (4, 2)
    assert other_deck["code"] == "other_deck"
    assert other_deck["facts"] == {"card": 3, "its_deck": "B", "deck": "A"}
    assert "deck B; this sitting is for deck A" in wrong_cards.in_words(other_deck)
    (led,) = found["headers"]
    # it is far from the cards that were read
    assert (led["number"], led["beside"]) == (7, None)
    assert led["corners"] == [[1000, 100], [1040, 100], [1040, 140], [1000, 140]]
    assert len(led["outline"]) == 4
    assert found["unread"] == [[[5, 5], [9, 5], [9, 9], [5, 9]]]
    assert found["findings"] == [{"code": "cards_unread", "facts": FACTS}]


def test_rows_have_the_photo_and_the_position_in_it(session, sitting):
    with writing():
        photo = add(session, sitting, reading([symbol(1, 1, 0), symbol(2, 1, 1, "matched", 0.25)]))
        of = ids(sitting)
        placements = [("x", [of[1], of[2], of[3]])]
        wanted = events.Wanted("a", "confirm", placements, photos=(photo.id,))
        events.record(session, sitting, wanted)
    rows = session.query(Scan).order_by(Scan.id).all()
    assert [(r.how, r.margin, r.photo_id) for r in rows] == [
        ("decoded", None, photo.id),
        ("matched", 0.25, photo.id),
        ("hand", None, None),
    ]
    assert rows[0].corners == [[0, 100], [40, 100], [40, 140], [0, 140]]
    assert photo.settled_by_id is not None


def test_duplicate_photos_and_photos_of_another_table(session, sitting):
    with writing():
        photo = add(session, sitting, reading([symbol(1, 1, 0)]))
        before = sitting.revision
        assert add(session, sitting, reading([symbol(1, 1, 0)])) is photo
        assert sitting.revision == before
        study = studies.get(session, sitting.study_id)
        other = make_sitting(session, study, sitting.set, "P02")
        with pytest.raises(NotFound):
            photo_files.find(session, other, photo.id)


def test_a_discarded_photo_that_is_chosen_again_awaits_review(session, sitting):
    seen = reading([symbol(1, 1, 0)])
    with writing():
        photo = add(session, sitting, seen)
        events.set_aside(session, sitting, "c1", [photo.id])
        before = sitting.revision
        assert add(session, sitting, seen) is photo
    assert photo.settled_by_id is None
    assert sitting.revision > before
    # one that was confirmed stays so
    with writing():
        placements = [("x", [ids(sitting)[1]])]
        wanted = events.Wanted("c2", "confirm", placements, photos=(photo.id,))
        events.record(session, sitting, wanted)
        add(session, sitting, seen)
    assert photo.settled_by_id is not None


def test_a_photo_is_read_again_after_a_reprint(session, sitting):
    of = ids(sitting)
    with writing():
        photo = add(session, sitting, reading([symbol(1, 1, 0)], [symbol(2, 0, 1, edition=2)]))
    assert edition(photo) == ("unknown_edition", 2)
    before = sitting.revision
    with writing():
        make_deck(session, sitting.set, edition=2)
        seen = reading([symbol(2, 1, 0, edition=2)], [symbol(1, 0, 1)])
        assert add(session, sitting, seen) is photo
    assert [card["stimulus"] for card in photo.reading["cards"]] == [of[2]]
    assert edition(photo) == ("older_edition", 1)
    assert sitting.revision > before


def test_a_card_read_as_one_of_a_deck_that_was_reprinted_meanwhile(session, sitting):
    with writing():
        before = known_cards.deck_of(session, sitting)
        make_deck(session, sitting.set, edition=2)
        upload = photo_files.Upload(before, reading([symbol(1, 1, 0)]), 1234)
        photo = photo_files.add(session, sitting, "a" * 64, upload)
    assert photo.reading["cards"] == []
    assert edition(photo) == ("older_edition", 1)


def test_file_names_are_content_hashes(app, tmp_path):
    settings = app.config["SETTINGS"]
    name = photo_store.save(settings, b"one")
    assert (settings.instance / "photos" / name[:2] / name).read_bytes() == b"one"
    assert photo_store.save(settings, b"one") == name


def test_a_photo_that_arrives_after_its_sitting_was_finished_is_refused(session, sitting):
    with writing():
        sitting.state = "finished"
        with pytest.raises(NotRecording):
            add(session, sitting, reading([symbol(1, 1, 0)]))
    assert session.query(Photo).count() == 0


@pytest.mark.parametrize("is_away", [False, True])
def test_a_photo_whose_row_cannot_be_written_is_not_kept(app, session, monkeypatch, is_away):
    """Nobody's withdrawal would ever delete it."""
    settings = app.config["SETTINGS"]
    lost = OperationalError("COMMIT", {}, psycopg.OperationalError("the connection is lost"))

    def away(*_about):
        raise lost

    with monkeypatch.context() as outage, pytest.raises(OperationalError):
        if is_away:
            outage.setattr(unfinished, "unused_photos", away)
        with unfinished.saved(settings, [b"a photo", b"another"]):
            raise lost
    assert len(stored_photos(app)) == (2 if is_away else 0)
    withdrawal.catch_up(settings)
    assert stored_photos(app) == [] and not list(settings.instance.glob("unfinished_photos/*"))


def test_photos_that_were_sent_before_the_store_failed_are_not_kept(app, session, monkeypatch):
    settings, save, sent = app.config["SETTINGS"], photo_store.save, []

    def away_later(settings, content):
        sent.append(content)
        if len(sent) == 2:
            raise StoreUnavailable("s3://bucket", "dispatch failure")
        return save(settings, content)

    with monkeypatch.context() as outage, pytest.raises(StoreUnavailable):
        outage.setattr(photo_store, "save", away_later)
        with unfinished.saved(settings, [b"a photo", b"another"]):
            pass
    assert stored_photos(app) == []


def test_photos_that_are_being_stored_stay(app, session):
    settings = app.config["SETTINGS"]
    with unfinished.saved(settings, [b"a photo"]):
        withdrawal.catch_up(settings)
        assert len(stored_photos(app)) == 1
    assert len(stored_photos(app)) == 1


def test_a_photo_that_is_deleted_while_its_copy_is_drawn_has_no_copy(
    app, session, sitting, monkeypatch
):
    settings, draw = app.config["SETTINGS"], cv2.imencode
    with writing():
        shown = make_photo(session, sitting, photo_store.save(settings, photo_with_place()))

    def withdrawn_meanwhile(*about):
        photo_store.delete(settings, [shown.sha256])
        return draw(*about)

    monkeypatch.setattr(cv2, "imencode", withdrawn_meanwhile)
    with pytest.raises(FileMissing):
        photo_files.shown_name(settings, shown)
    assert stored_photos(app) == []


def test_no_connection_is_held_while_a_copy_is_drawn(app, client, session, sitting, monkeypatch):
    """Photos are drawn one after the other; those that wait would take every connection."""
    draw, held = cv2.imencode, []
    with writing():
        sha256 = photo_store.save(app.config["SETTINGS"], photo_with_place())
        shown = make_photo(session, sitting, sha256)
        address = f"/studies/{sitting.study_id}/sittings/{sitting.code}/photos/{shown.id}"

    def counted(*about):
        held.append(db.engine.pool.checkedout())
        return draw(*about)

    monkeypatch.setattr(cv2, "imencode", counted)
    session.rollback()
    assert client.get(address).status_code == 200
    assert held == [0]
