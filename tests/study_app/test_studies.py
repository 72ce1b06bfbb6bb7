"""Studies are made, found and refused in words."""

import pytest

from study_app import road, studies
from study_app.db import db, writing
from study_app.errors import NotFound


def test_a_study_is_made_once(client):
    answer = client.post("/studies", {"name": " Chairs ", "lab": "Drawing Lab"})
    assert answer.headers["Location"] == "/studies/1/sketches/"
    again = client.post("/studies", {"name": "Chairs"})
    assert again.status_code == 400
    assert "There is a study &#39;Chairs&#39; already" in again.get_data(as_text=True)


def test_the_road_stands_on_every_page_of_a_study(client, study_id):
    page = client.get(f"/studies/{study_id}").get_data(as_text=True)
    for station in ("Sketches", "Cards", "Sittings", "Ranking", "Gold standard", "Systems"):
        assert station in page


def test_an_unknown_study_is_said_so(client):
    answer = client.get("/studies/99")
    assert answer.status_code == 404
    assert "There is no study &#39;99&#39;" in answer.get_data(as_text=True)


def test_a_fault_is_told_even_when_the_road_is_what_fails(client, study_id, monkeypatch):
    monkeypatch.setattr(road, "road", lambda session, study: 1 / 0)
    client._client.application.config["TESTING"] = False
    client._client.application.config["PROPAGATE_EXCEPTIONS"] = False
    answer = client.get(f"/studies/{study_id}")
    assert answer.status_code == 500
    assert "A fault of this program" in answer.get_data(as_text=True)


def test_a_study_is_renamed(client, study_id):
    client.post("/studies", {"name": "Taken"})
    assert client.post(f"/studies/{study_id}", {"name": "Taken"}).status_code == 400
    assert client.post(f"/studies/{study_id}", {"name": "Birds", "lab": "L"}).status_code == 302
    assert "<h1>Birds</h1>" in client.get(f"/studies/{study_id}").get_data(as_text=True)


def test_the_only_study_needs_no_name(app):
    with app.app_context(), writing() as session:
        with pytest.raises(NotFound):
            studies.named(session)
        made = studies.named(session, make_first=True)
        assert studies.named(session) is made
        studies.make(session, "Another")
        with pytest.raises(studies.WhichStudy, match="--study"):
            studies.named(session)
        db.session.rollback()
