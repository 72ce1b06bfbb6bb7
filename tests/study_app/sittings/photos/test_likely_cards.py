"""Missing cards that an unread card in a photo may be."""

import cv2
import numpy as np
import pytest

from study_app.core.database import writing
from study_app.core.storage import photo_store, pictures
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.stores import FileMissing
from study_app.models import Photo, Stimulus
from study_app.sittings import sittings
from study_app.sittings.photos import likely_cards
from study_app.sittings.recording import events
from study_app.studies import studies
from tests.printed_table import plan_sitting, print_set
from tests.table_fixtures import make_photo

PX_PER_MM = 6
CARD = np.array([[0, 0], [66, 0], [66, 46], [0, 46]], float)


@pytest.fixture
def printed(app, study_id, tmp_path):
    """Six printed shapes, and a planned sitting of them."""
    made = print_set(app, study_id, tmp_path, 6)
    plan_sitting(app, study_id, made.set_id)
    return made


def at(number):
    """The outline of a card in a row, millimetres."""
    return CARD + np.array([20 + 80 * number, 20])


@pytest.fixture
def photo(app, session, study_id, printed):
    """A photo of cards 1 to 4 in a row. Their codes are covered; say that 1 and 2 were read."""
    picture = np.full((90 * PX_PER_MM, 360 * PX_PER_MM), 90, np.uint8)
    size = (66 * PX_PER_MM, 46 * PX_PER_MM)
    for number in range(4):
        face = cv2.resize(printed.cards[printed.names[number]].face, size)
        left, top = (at(number)[0] * PX_PER_MM).astype(int)
        picture[top : top + size[1], left : left + size[0]] = face
        picture[top : top + size[1], left + 40 * PX_PER_MM : left + size[0]] = 60
    content = cv2.imencode(".jpg", picture)[1].tobytes()
    ids = stimuli(session, printed)
    read = [
        {
            "stimulus": ids[number],
            "outline": (at(number) * PX_PER_MM).tolist(),
            "place_mm": at(number).tolist(),
        }
        for number in (0, 1)
    ]
    unread = [at(number).tolist() for number in (2, 3)]
    with writing():
        sha256 = photo_store.save(app.config["SETTINGS"], content)
        made = make_photo(session, sitting_of(session, study_id), sha256, read, unread)
        made.reading = {**made.reading, "unread_mm": unread}
    return made


def sitting_of(session, study_id):
    return sittings.find(session, study_id, "T001")


def stimuli(session, printed):
    """The stimuli by card number, from 0."""
    held = session.query(Stimulus).filter_by(set_id=printed.set_id).order_by(Stimulus.card)
    return [one.id for one in held]


def test_the_likeliest_of_the_missing_cards_is_the_one_whose_sketch_is_in_sight(
    app, session, study_id, printed, photo
):
    settings, sitting = app.config["SETTINGS"], sitting_of(session, study_id)
    ids = stimuli(session, printed)
    for place, number in enumerate((2, 3)):
        unread = likely_cards.unread_card(session, sitting, photo, place)
        assert [card.id for card in unread.missing] == ids[2:]
        np.testing.assert_allclose(
            unread.to_table / unread.to_table[2, 2],
            np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1]),
            atol=1e-6,
        )
        likely = unread.likely(settings)
        assert likely[0] == ids[number] and sorted(likely) == ids[2:]
    # a card in a group is not missing, whether or not the photo shows it
    with writing():
        sittings.begin_recording(session, sitting)
        events.record(session, sitting, events.Wanted("a", "place", [("one", [ids[2]])]))
    unread = likely_cards.unread_card(session, sitting, photo, 0)
    assert [card.id for card in unread.missing] == ids[3:]
    assert ids[2] not in unread.likely(settings)
    # nor is one that another photo of the table shows
    other = Photo(reading={"cards": [{"stimulus": ids[5]}]})
    unread = likely_cards.unread_card(session, sitting, photo, 1, [other])
    assert [card.id for card in unread.missing] == ids[3:5]


def test_without_the_card_or_any_read_card_nothing_is_likely(session, study_id, photo, monkeypatch):
    sitting = sitting_of(session, study_id)
    # four cards are missing
    for most, compared in ((4, True), (3, False)):
        monkeypatch.setattr(likely_cards, "MOST_COMPARED", most)
        assert (likely_cards.unread_card(session, sitting, photo, 0) is not None) == compared
    assert likely_cards.unread_card(session, sitting, photo, 2) is None
    first = photo.reading["cards"][0]
    flat = {**first, "outline": [[5.0, 5.0]] * 4}
    for cards in ([flat], []):
        with writing():
            photo.reading = {**photo.reading, "cards": cards}
        assert likely_cards.unread_card(session, sitting, photo, 0) is None
    # or any missing card
    monkeypatch.undo()
    with writing():
        every = [{**first, "stimulus": stimulus.id} for stimulus in sitting.set.stimuli]
        photo.reading = {**photo.reading, "cards": every}
    assert likely_cards.unread_card(session, sitting, photo, 0) is None
    # as photos were stored that were read by an older version
    with writing():
        photo.reading = {key: photo.reading[key] for key in photo.reading.keys() - {"unread_mm"}}
    assert likely_cards.unread_card(session, sitting, photo, 0) is None


def test_a_lost_sketch_is_not_named_and_a_lost_photo_is_an_error(
    app, session, study_id, printed, photo
):
    settings, sitting = app.config["SETTINGS"], sitting_of(session, study_id)
    unread = likely_cards.unread_card(session, sitting, photo, 0)
    (lost,) = (card for card in unread.missing if card.id == stimuli(session, printed)[2])
    store_of(settings).delete(pictures.thumbnail_name(lost.sha256))
    likely_cards._lines.cache_clear()
    assert lost.id not in unread.likely(settings)
    photo_store.delete(settings, [photo.sha256])
    with pytest.raises(FileMissing):
        unread.likely(settings)
    for card in unread.missing:
        store_of(settings).delete(pictures.thumbnail_name(card.sha256))
    likely_cards._lines.cache_clear()
    assert unread.likely(settings) is None


def test_the_page_asks_for_its_own_photos_only(client, session, study_id, printed, photo):
    address = f"/studies/{study_id}/sittings/T001/photos/{photo.id}/likely"
    assert client.get(f"{address}/1").json["likely"][0] == stimuli(session, printed)[3]
    assert client.get(f"{address}/7").json == {"likely": None}
    with writing():
        chosen = sitting_of(session, study_id).set
        plan = sittings.Plan([chosen], [[("P02", None, None)]])
        sittings.plan(session, studies.get(session, study_id), plan)
    other = address.replace("T001", "T002")
    assert client.get(f"{other}/1").status_code == 404
