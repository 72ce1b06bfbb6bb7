"""The pages and requests of sittings, from browsers and attackers."""

import io
import re

import pytest
from PIL import Image
from sqlalchemy import event

from printables.cards.codes import CardCode, encode
from study_app.core.database import db, writing
from study_app.models import Photo, Scan, StimulusSet
from study_app.models.base import now
from study_app.sittings import sittings
from study_app.sittings.recording import known_cards
from study_app.studies import studies
from tests.printed_table import plan_sitting, print_set
from tests.table_fixtures import make_deck, make_set, make_sitting


@pytest.fixture
def address(study_id):
    return f"/studies/{study_id}/sittings"


def text(answer):
    return answer.get_data(as_text=True)


def test_a_sitting_planned_started_and_described(app, client, session, study_id, address):
    assert "Import pictures" in text(client.get(f"{address}/"))
    with writing():
        set_id = make_set(session, studies.get(session, study_id)).id
    form = {"set": set_id, "assessors": "P01\nP02+P03", "decks": "A, B", "limit": "60"}
    assert client.post(f"{address}/plan", form).status_code == 302
    page = text(client.get(f"{address}/"))
    assert "P02+P03" in page and "0 of 2" in page
    for step in ("start", "stop", "sort-on", "stop"):
        assert client.post(f"{address}/T001/steps/{step}").status_code == 302
        assert client.get(f"{address}/T001").status_code == 200
    assert client.post(f"{address}/T001/steps/start").status_code == 409
    assert client.post(f"{address}/T001/steps/fly").status_code == 404
    client.post(f"{address}/instructions", {"text": "Sort by <b>looks</b>."})
    assert "Sort by &lt;b&gt;looks&lt;/b&gt;." in text(client.get(f"{address}/T001/instructions"))
    client.post(f"{address}/T002/change", {"notes": "calm", "limit": "", "deck": "C"})
    assert "deck C" in text(client.get(f"{address}/T002"))
    for form in ({"deck": "?"}, {"limit": "soon"}, {"limit": "-1"}):
        assert client.post(f"{address}/T002/change", form).status_code == 400
    for form in ({}, {"set": set_id, "assessors": "Ada Lovelace"}, {"set": 99, "assessors": "P1"}):
        assert client.post(f"{address}/plan", form).status_code in (400, 404)
    assert client.post(f"{address}/T002/remove").status_code == 302
    assert client.get(f"{address}/T002").status_code == 404
    assert client.post(f"{address}/T001/finish", {}).status_code == 409


def test_the_form_preselects_printed_sets_or_all_sets(client, session, study_id, address):
    with writing():
        study = studies.get(session, study_id)
        sorted_, ranked = (
            make_set(session, study, name="chairs"),
            make_set(session, study, name="clips"),
        )
        ids = sorted_.id, ranked.id

    def proposed():
        page = text(client.get(f"{address}/"))
        return [int(i) for i in re.findall(r'name="set"\s+value="(\d+)"\s+checked', page)]

    assert proposed() == list(ids)
    with writing():
        make_deck(session, session.get(StimulusSet, ids[0])).printed_at = now()
    assert proposed() == [ids[0]]


def test_malformed_requests(app, client, session, study_id, address):
    with writing():
        study = studies.get(session, study_id)
        plan = sittings.Plan([make_set(session, study)], [[("P01", None, None)]])
        (sitting,) = sittings.plan(session, study, plan)
        sittings.begin_recording(session, sitting)
    base = f"{address}/T001"
    good = {"id": "a", "kind": "place", "placements": [{"key": "x", "cards": [1]}]}
    for route, message in (
        ("acts", []),
        ("acts", {}),
        ("acts", {**good, "placements": 5}),
        ("acts", {**good, "placements": [{"key": "x", "cards": ["1; drop table"]}]}),
        ("acts", {**good, "placements": [{"key": "x", "cards": [9**40]}]}),
        ("acts", {**good, "id": "x" * 100}),
        ("undo", {}),
        ("undo", ["a"]),
        ("groups", {"key": 5, "name": "", "note": ""}),
    ):
        answer = client.post(f"{base}/{route}", json=message)
        assert answer.status_code == 400 and answer.json["error"], (route, message)
    assert client.get(f"{base}/card?typed={'9' * 5000}").json["refused"]
    assert client.post(f"{base}/photos", {"one_group": "yes"}).status_code == 400
    assert client.get(f"{base}/proposal?photos=1,2,x").status_code == 404
    assert client.get(f"{base}/photos/1").status_code == 404
    assert session.query(Scan).count() == 0
    answer = client.post(f"{base}/acts", json=good).json
    assert answer["elsewhere"] == {} and answer["table"]["groups"][0]["cards"] == [1]
    revision = answer["table"]["revision"]
    assert client.get(f"{base}/table?since={revision}").json == {"revision": revision}
    assert client.get(f"{base}/table?since=0").json["groups"]


def test_a_card_that_does_not_belong_is_reported_with_its_picture(
    client, session, study_id, address
):
    with writing():
        study = studies.get(session, study_id)
        chair, car = make_set(session, study, "chair"), make_set(session, study, "car")
        make_deck(session, chair, edition=2)
        make_sitting(session, study, chair)
        pictures = {
            name: f"/studies/{study_id}/sketches/thumbnails/{stimulus.id}"
            for name, stimulus in (("chair03", chair.stimuli[2]), ("car05", car.stimuli[4]))
        }

    def look_up(*code):
        return client.get(f"{address}/T001/card?typed={encode(CardCode(*code))}").json

    for code, words, shown in (
        ((1, 3, 2, 2), "of deck B", "chair03"),
        ((2, 5, 1, 1), "of the set 'car'", "car05"),
        ((1, 3, 1, 1), "of the older edition 1", "chair03"),
    ):
        answer = look_up(*code)
        assert words in answer["refused"] and answer["picture"] == pictures[shown]
    ours = look_up(1, 3, 1, 2)
    assert "refused" not in ours and ours["picture"] == pictures["chair03"]
    # an unknown card has no picture
    for typed in ("77", "nonsense", encode(CardCode(99, 3, 1, 1))):
        answer = client.get(f"{address}/T001/card?typed={typed}").json
        assert answer["refused"] and "picture" not in answer


@pytest.mark.slow
def test_photos_and_proposals(app, client, study_id, address, tmp_path):
    printed = print_set(app, study_id, tmp_path)
    plan_sitting(app, study_id, printed.set_id)
    client.post(f"{address}/T001/steps/stop")
    original = io.BytesIO()
    picture = Image.open(io.BytesIO(printed.photo([[1, 2], [3, 4, 5]], megapixels=3.0)))
    exif = Image.Exif()
    exif[0x010F], exif[0x0112] = "SecretCamera", 6
    picture.convert("RGB").rotate(90, expand=True).save(original, "JPEG", exif=exif, quality=80)
    content = original.getvalue()
    sent = {"photo": (io.BytesIO(content), "../../etc/table.jpg")}
    photo = client.post(f"{address}/T001/photos", sent).json
    assert len(photo["reading"]["cards"]) == 5 and photo["reading"]["unread"] == []
    with app.app_context():
        deck = known_cards.deck_of(db.session, sittings.find(db.session, study_id, "T001"))
        card = {s.id: s.card for s in deck.stimuli.values()}
        db.session.remove()
    groups = client.get(f"{address}/T001/proposal?photos={photo['id']}").json["groups"]
    assert sorted(sorted(card[s] for s in g["cards"]) for g in groups) == [[1, 2], [3, 4, 5]]
    shown = client.get(photo["picture"])
    assert shown.mimetype == "image/jpeg" and b"SecretCamera" not in shown.data
    assert shown.headers["Cache-Control"] == "no-store"
    upright = Image.open(io.BytesIO(shown.data))
    assert upright.width > upright.height and (photo["width"], photo["height"]) == picture.size
    kept = app.config["SETTINGS"].instance / "photos"
    assert content in [path.read_bytes() for path in kept.glob("*/*")]
    # the same photo again is the same photo
    again = client.post(f"{address}/T001/photos", {"photo": (io.BytesIO(content), "x")}).json
    assert again["id"] == photo["id"]
    for junk in (b"", b"GIF89a", b"\xff\xd8\xff\xe0 cut"):
        for route, field in (("photos", "photo"), ("frames", "frame")):
            sent = {field: (io.BytesIO(junk), "x.jpg")}
            assert client.post(f"{address}/T001/{route}", sent).status_code == 400
    with app.app_context():
        assert db.session.query(Photo).count() == 1
    for sent in ({"id": "b"}, {"id": "b", "photos": ["1"]}, {"photos": [photo["id"]]}):
        assert client.post(f"{address}/T001/aside", json=sent).status_code == 400
    client.post(f"{address}/T001/aside", json={"id": "b", "photos": [photo["id"]]})
    assert client.get(f"{address}/T001/table").json["photos"][0]["settled"]


def test_groupings_are_imported_on_the_page(client, session, study_id, address):
    with writing():
        make_set(session, studies.get(session, study_id), "chair", 3)

    def send(content):
        sent = {"file": (io.BytesIO(content.encode()), "../sorts.csv"), "set": "chair"}
        return client.post(f"{address}/import", sent)

    header = "participant_id,stimulus_id,group_id\n"
    refused = send(header + "P1,chair01,1\nP1,stool,1\n")
    assert refused.status_code == 400
    assert "sorts.csv:3: there is no sketch" in text(refused) and "/tmp" not in text(refused)
    assert send("").status_code == 400
    assert send(header + "P1,chair01,1\nP1,chair02,1\n").status_code == 302
    page = text(client.get(f"{address}/"))
    assert "imported" in page and "1 of 1" in page
    assert "imported from sorts.csv" in text(client.get(f"{address}/T001"))
    looked_at = text(client.get(f"{address}/T001"))
    assert 'aria-label="Group 1"' in looked_at and "2 cards" in looked_at
    assert looked_at.count('class="stimulus"') == 3 and "1 not placed" in looked_at
    # it has no table to record, so its address leads to the sitting
    assert client.get(f"{address}/T001/record").headers["Location"].endswith("/T001")


def test_a_large_table_is_shown_in_parts(client, session, study_id, address, monkeypatch):
    monkeypatch.setattr("study_app.web.sittings.one.CARDS_A_PAGE", 4)
    with writing():
        make_set(session, studies.get(session, study_id), "chair", 9)
    rows = "".join(f"P1,chair{n:02d},{1 if n < 4 else 2}\n" for n in range(1, 8))
    content = f"participant_id,stimulus_id,group_id\n{rows}".encode()
    client.post(f"{address}/import", {"file": (io.BytesIO(content), "sorts.csv"), "set": "chair"})
    for page, cards in ((1, "1234"), (2, "5678"), (3, "9")):
        shown = text(client.get(f"{address}/T001?page={page}"))
        assert re.findall(r'"stimulus" title="(?:Card )?(\d)', shown) == list(cards)
        # Each heading counts all of its cards.
        assert "2 groups" in shown and "2 not placed" in shown
        assert ("3 cards" in shown and "1 to 4 of 9" in shown) == (page == 1)


def test_a_second_entry_is_compared_card_by_card(client, session, study_id, address):
    with writing():
        study = studies.get(session, study_id)
        plan = sittings.Plan([make_set(session, study, count=4)], [[("P01", None, None)]])
        (sitting,) = sittings.plan(session, study, plan)
        sittings.begin_recording(session, sitting)
    assert client.post(f"{address}/T001/again").status_code == 302
    for code, cards in (("T001", ([1, 2], [3, 4])), ("T002", ([1, 2, 3], [4]))):
        placements = [{"key": f"g{at}", "cards": group} for at, group in enumerate(cards)]
        placement = {"id": f"{code}a", "kind": "place", "placements": placements}
        assert client.post(f"{address}/{code}/acts", json=placement).status_code == 200
    page = text(client.get(f"{address}/T001/compared"))
    assert "<strong>1</strong> card differs" in page
    assert "chair03" in page and "chair01" not in page


@pytest.mark.slow
def test_the_grid_with_filters_the_day_plan_and_a_retest(client, session, study_id, address):
    with writing():
        study = studies.get(session, study_id)
        chairs, cars = (make_set(session, study, name, 3) for name in ("chairs", "cars"))
        ids = chairs.id, cars.id
    form = {"set": [*ids], "assessors": "P01\nP02", "decks": "A", "day": "2027-03-01"}
    assert client.post(f"{address}/plan", form).status_code == 302
    page = text(client.get(f"{address}/"))
    assert page.count('class="cell"') == 4 and "0 of 4" in page
    # Two sets, two rows of the square: the second assessor sorts them the other way round.
    assert re.findall(r'title="Place in the order">\s*(\d)\.', page) == ["1", "2", "2", "1"]
    for asked, cells in (
        ("find=p02", 2),
        (f"set={ids[1]}", 2),
        (f"set={ids[1]}&find=P01", 1),
        ("state=finished", 0),
        ("day=2027-03-01", 4),
        ("day=2027-03-02", 0),
    ):
        assert text(client.get(f"{address}/?{asked}")).count('class="cell"') == cells, asked
    assert client.get(f"{address}/?day=soon").status_code == 400
    day = text(client.get(f"{address}/day?day=2027-03-01"))
    assert re.findall(r'(?s)>T00(\d)<.*?"place">(\d)', day) == [*zip("1423", "1122", strict=True)]
    assert "No sittings are planned for this day" in text(client.get(f"{address}/day"))
    assert "40 mm between groups" in text(client.get(f"{address}/checklist"))
    client.post(f"{address}/T001/steps/stop")
    assert client.post(f"{address}/T001/retest").status_code == 409
    for code in ("T001", "T005"):
        if code == "T005":
            assert client.post(f"{address}/T001/retest").headers["Location"].endswith("/T005")
            client.post(f"{address}/T005/steps/stop")
        placement = {"id": "a", "kind": "place", "placements": [{"key": "g", "cards": [1, 2, 3]}]}
        assert client.post(f"{address}/{code}/acts", json=placement).status_code == 200
        assert client.post(f"{address}/{code}/finish", {}).status_code == 302
    page = text(client.get(f"{address}/"))
    assert "Test–retest agreement" in page and "T001, T005" in page and "1.00" in page
    assert "Retest of" in text(client.get(f"{address}/T005"))


def test_an_empty_second_entry_is_deleted_from_its_page(client, session, study_id, address):
    with writing():
        study = studies.get(session, study_id)
        make_sitting(session, study, make_set(session, study, count=2))
    client.post(f"{address}/T001/again")
    assert "twice" not in text(client.get(f"{address}/"))
    assert "Delete this empty second entry" in text(client.get(f"{address}/T002"))
    assert client.post(f"{address}/T002/remove").status_code == 302
    assert client.get(f"{address}/T002").status_code == 404


def test_no_transaction_is_open_while_a_photo_is_read(app, client, session, study_id, address):
    with writing():
        made = make_set(session, studies.get(session, study_id))
        make_deck(session, made)
        make_sitting(session, studies.get(session, study_id), made)
    asked = []

    def look(_connection, _cursor, statement, *_more):
        asked.append(re.search(r"FROM (\w+)|$", statement)[1])

    photo = io.BytesIO()
    Image.new("RGB", (640, 480), "tan").save(photo, "JPEG")
    event.listen(db.engine, "before_cursor_execute", look)
    sent = {"photo": (io.BytesIO(photo.getvalue()), "t.jpg")}
    assert client.post(f"{address}/T001/photos", sent).status_code == 200
    event.remove(db.engine, "before_cursor_execute", look)
    tables = ("deck", "deck_card", "stimulus", "stimulus_set")
    # Under the lock, only the deck's edition is queried again, as it may be reprinted meanwhile.
    assert [asked.count(table) for table in tables] == [2, 0, 1, 1]


def test_unusable_photos_are_refused_with_one_sentence(client, session, study_id, address):
    with writing():
        study = studies.get(session, study_id)
        make_sitting(session, study, make_set(session, study))
    bare = io.BytesIO()
    Image.new("RGB", (640, 480), "tan").save(bare, "JPEG")
    jpeg = bare.getvalue()
    for content, message in (
        (b"", "No photo arrived. Choose or take it again."),
        (jpeg[:300], "is damaged; copy it again from the camera"),
        (jpeg[: len(jpeg) // 2], "is damaged or truncated; copy it again from the camera"),
        (b"no photo", "is not a photo that can be read; give JPEG, PNG, WebP, TIFF or BMP"),
    ):
        answer = client.post(f"{address}/T001/photos", {"photo": (io.BytesIO(content), "t.jpg")})
        assert answer.status_code == 400
        assert text(answer).count(message) == 1, text(answer)
    assert session.query(Photo).count() == 0
    answer = client.post(f"{address}/T001/photos", {"photo": (io.BytesIO(jpeg), "t.jpg")})
    (finding,) = answer.get_json()["reading"]["findings"]
    assert finding == {"code": "nothing_found", "facts": {"blurred": False}}


def test_many_assessors_are_paged(client, session, study_id, address, monkeypatch):
    monkeypatch.setattr("study_app.web.sittings.planning.ASSESSORS_A_PAGE", 2)
    with writing():
        study = studies.get(session, study_id)
        chairs = make_set(session, study)
        for code in ("P01", "P02", "P13"):
            make_sitting(session, study, chairs, code, recording=code == "P13")
    first, last = text(client.get(f"{address}/")), text(client.get(f"{address}/?page=2"))
    assert [code for code in ("T001", "T002", "T003") if f">{code}<" in first] == ["T001", "T002"]
    assert ">T003<" in last and "3 to 3 of 3" in last and "0 of 3" in last
    # Filters apply before paging.
    found = text(client.get(f"{address}/?find=p1"))
    assert ">T003<" in found and ">T001<" not in found
