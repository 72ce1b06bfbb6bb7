"""A phone may record the one sitting that it was let into, and nothing else."""

import io
from datetime import timedelta

import pytest
from sqlalchemy import update

from study_app.accounts import researchers
from study_app.core.database import db, writing
from study_app.core.errors import StudyError
from study_app.models import Event, PhoneLink, Researcher, now
from study_app.sittings import phone_links, sittings
from study_app.studies import studies
from study_app.web.security import security
from study_app.web.sittings.phones import origin_for_phones
from tests.app_fixtures import Browser
from tests.table_fixtures import make_set, make_sitting


@pytest.fixture
def tables(app, study_id):
    """Two sittings of one set, and one of another set, all being recorded."""
    app.config["SERVED_AT"] = ["http://127.0.0.1:8000", "http://192.0.2.7:8000"]
    with app.app_context(), writing() as session:
        study = studies.get(session, study_id)
        chair, car = make_set(session, study, "chair"), make_set(session, study, "car")
        made = [make_sitting(session, study, chair, f"P0{n}") for n in (1, 2)]
        made.append(make_sitting(session, study, car, "P03"))
        return [(sitting.code, sitting.set.stimuli[0].id) for sitting in made]


@pytest.fixture
def base(study_id):
    return f"/studies/{study_id}/sittings"


def show_link(client, base, code="T001"):
    """The path of a fresh link."""
    answer = client.post(f"{base}/{code}/phones")
    assert answer.status_code == 200, answer.json
    assert answer.json["picture"].startswith("data:image/svg+xml;base64,")
    assert answer.json["address"].startswith("http://192.0.2.7:8000/phone/")
    return answer.json["address"].removeprefix("http://192.0.2.7:8000")


@pytest.fixture
def phone(app, client, tables, base):
    """A browser without a sign-in that opened a link to T001."""
    browser = Browser(app)
    path = show_link(client, base)
    assert "T001" in browser.get(path).get_data(as_text=True)
    answer = browser.post(path)
    assert answer.headers["Location"] == f"{base}/T001/record"
    return browser


def place(stimulus, client_id="a"):
    placements = [{"key": "x", "cards": [stimulus]}]
    return {"id": client_id, "kind": "place", "placements": placements}


def test_a_phone_records_as_the_researcher_who_connected_it(app, phone, tables, base, monkeypatch):
    code, stimulus = tables[0]
    page = phone.get(f"{base}/{code}/record")
    assert page.status_code == 200 and "Sign out" not in page.get_data(as_text=True)
    answer = phone.post(f"{base}/{code}/acts", json=place(stimulus))
    assert answer.json["table"]["groups"][0]["cards"] == [stimulus]
    with app.app_context():
        of = db.session.query(Event).one().researcher_id
        assert of == db.session.query(Researcher).one().id
    for path in ("table", "card?typed=1", "proposal?photos="):
        assert phone.get(f"{base}/{code}/{path}").status_code == 200, path
    assert phone.get(f"{base}/{code}/photos/1/likely/0").status_code == 404
    # a stranger could not send so much
    monkeypatch.setattr(security, "VISITOR_BYTES", 1000)
    large = {"photo": (io.BytesIO(b"x" * 5000), "a.jpg")}
    assert phone.post(f"{base}/{code}/photos", large).status_code == 400
    finished = phone.post(f"{base}/{code}/finish", {"reason": "lost"})
    assert finished.headers["Location"] == f"{base}/{code}/record"
    assert phone.get(f"{base}/{code}/record").status_code == 200


def test_a_phone_that_comes_back_to_its_link_goes_on_recording(app, client, tables, base):
    """As with the back button, or by scanning the code again."""
    phone, stranger = Browser(app), Browser(app)
    path, other = show_link(client, base), show_link(client, base)
    phone.post(path)
    for answer in (phone.get(path), phone.post(path)):
        assert answer.headers["Location"] == f"{base}/T001/record"
    assert stranger.get(path).status_code == stranger.post(path).status_code == 410
    assert phone.get(other).status_code == 200
    client.post(f"{base}/T001/phones/disconnect")
    assert phone.get(path).status_code == 410


def test_a_phone_can_open_nothing_else(phone, tables, base, study_id):
    other, _ = tables[1]
    sketches = f"/studies/{study_id}/sketches/thumbnails"
    for path in (
        f"{base}/",
        f"{base}/T001",
        f"{base}/T001/phones",
        f"{base}/{other}/record",
        f"{base}/{other}/table",
        f"{base}/{other}/photos/1/likely/0",
        f"{sketches}/{tables[2][1]}",
        f"/studies/{study_id}/sketches/pictures/{tables[0][1]}",
        f"/studies/{study_id}",
        "/",
        "/account/",
    ):
        answer = phone.get(path, headers={"Accept": "application/json"})
        assert answer.status_code in (401, 302), path
        assert "/sign-in" in answer.headers.get("Location", "/sign-in"), path
    for path in (
        f"{base}/{other}/acts",
        f"{base}/T001/phones",
        f"{base}/T001/reopen",
        f"{base}/T001/change",
        f"{base}/T001/remove",
        "/researchers/link",
    ):
        assert phone.post(path, json={}).status_code == 401, path


def test_a_phone_link_works_once_and_expires(app, client, tables, base):
    path = show_link(client, base)
    first, second = Browser(app), Browser(app)
    # a program that only looks at the address does not use it up
    for _ in range(2):
        assert first.get(path).status_code == 200
    assert second.get(path).status_code == 200
    assert first.post(path).status_code == 302
    assert second.post(path).status_code == 410
    assert second.get(path).status_code == 410
    late = show_link(client, base)
    with app.app_context(), writing() as session:
        session.execute(update(PhoneLink).values(expires_at=now() - timedelta(seconds=1)))
    assert second.post(late).status_code == 410
    assert second.get(f"{base}/T001/record").status_code == 302
    assert first.get(f"{base}/T001/record").status_code == 200


def test_a_phone_link_needs_the_csrf_token(app, client, tables, base):
    path = show_link(client, base)
    assert app.test_client().post(path).status_code == 400
    assert Browser(app).post(path).status_code == 302


def test_when_a_phone_is_disconnected(app, phone, client, tables, base):
    page = f"{base}/T001/record"

    def may():
        return phone.get(page).status_code == 200

    assert may() and client.get(f"{base}/T001/phones").json == {"connected": 1}
    with app.app_context(), writing() as session:
        sittings.find(session, 1, "T001").state = "sorting"
    assert not may()
    with app.app_context(), writing() as session:
        sittings.find(session, 1, "T001").state = "recording"
        link = session.query(PhoneLink).one()
        ends, link.ends_at = link.ends_at, now()
    assert not may()
    with app.app_context(), writing() as session:
        session.query(PhoneLink).one().ends_at = ends
    assert may()
    with app.app_context(), writing() as session:
        researchers.sign_out_everywhere(session, session.query(Researcher).one())
    assert not may()


def test_the_laptop_disconnects_a_phone(phone, client, tables, base):
    assert client.post(f"{base}/T001/phones/disconnect").json == {"connected": 0}
    assert phone.get(f"{base}/T001/record").status_code == 302


def test_tokens_of_phones_are_stored_as_hashes(app, client, tables, base):
    token = show_link(client, base).removeprefix("/phone/")
    with app.app_context(), writing() as session:
        link, own = phone_links.connect(session, token)
        secret = own.partition(".")[2]
        stored = {link.token_hash, link.phone_hash}
        assert len(stored) == 2 and not stored & {token, own, secret}
        assert phone_links.of_phone(session, own) is link
        for forged in ("", ".", "1", f"{link.id}.", f"{link.id}.{link.phone_hash}", f"9.{secret}"):
            assert phone_links.of_phone(session, forged) is None


def test_a_phone_sees_only_a_table_that_is_being_recorded(app, tables):
    with app.app_context(), writing() as session:
        sitting = sittings.find(session, 1, "T001")
        sitting.state = "finished"
        with pytest.raises(StudyError):
            phone_links.make(session, sitting, Researcher(name="Ada"))


def test_the_link_has_an_address_that_phones_can_reach(app, client, tables, base):
    for address, named in (
        ("http://192.0.2.5:8000", "http://192.0.2.5:8000"),
        ("https://lab.example.org", "https://lab.example.org"),
        ("http://[2001:db8::5]:8000", "http://[2001:db8::5]:8000"),
        ("http://[::1]:8000", "http://192.0.2.7:8000"),
        ("http://127.0.0.1:8000", "http://192.0.2.7:8000"),
    ):
        with app.test_request_context(base_url=address):
            assert origin_for_phones() == named
    app.config["SERVED_AT"] = ["http://127.0.0.1:8000"]
    refused = client.post(f"{base}/T001/phones")
    assert refused.status_code == 409
    assert "--host 0.0.0.0" in refused.get_data(as_text=True)
    with app.app_context():
        assert db.session.query(PhoneLink).count() == 0
