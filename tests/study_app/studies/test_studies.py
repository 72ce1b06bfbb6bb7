"""Studies are made, found and refused in words."""

import re

import pytest

from study_app.accounts import researchers
from study_app.core.database import close, db, writing
from study_app.core.errors import NotFound
from study_app.models import Job, Study
from study_app.studies import steps, studies
from tests.app_fixtures import PASSWORD, Browser


def test_a_study_is_made_once(client):
    answer = client.post("/studies", {"name": " Chairs ", "lab": "Drawing Lab"})
    assert answer.headers["Location"] == "/studies/1/sketches/"
    again = client.post("/studies", {"name": "Chairs"})
    assert again.status_code == 400
    assert "There is already a study &#39;Chairs&#39;" in again.get_data(as_text=True)


def message_of(answer):
    """The body of a refusal, without the number of its study."""
    return re.sub(r"study (&#39;|')\d+", "study", answer.text.split("<main")[-1])


def test_study_names_do_not_reveal_studies_of_others(app, client, study_id):
    with app.app_context(), writing() as session:
        name = session.get(Study, study_id).name
        token = researchers.make_link(session)
    grace = Browser(app)
    grace.post(f"/welcome/{token}", {"name": "Grace", "password": PASSWORD})
    for asked in (name, "Free"):
        assert grace.post("/studies", {"name": asked}).status_code == 302
        assert grace.post("/studies", {"name": asked}).status_code == 400
    assert grace.post("/studies/3", {"name": name}).status_code == 400
    # Neither does its address.
    there, not_there = (
        [
            (answer.status_code, message_of(answer))
            for answer in (
                grace.get(f"/studies/{number}"),
                grace.get(f"/studies/{number}/sittings/T001/record"),
                grace.get(f"/studies/{number}/sketches/thumbnails/1"),
                grace.post(f"/studies/{number}", {"name": "Mine"}),
                grace.post(f"/studies/{number}/sittings/T001/acts", json={}),
                grace.get(f"/studies/{number}/nothing"),
                grace.post(f"/studies/{number}/remove", {"name": name}),
            )
        ]
        for number in (study_id, 99)
    )
    assert there == not_there
    with app.app_context():
        with pytest.raises(studies.WhichStudy, match=rf"{name} \(1\), {name} \(2\)"):
            studies.named(db.session, name)
        assert studies.named(db.session, f"{name} (2)").id == 2
        for other in (f"{name} (3)", f"{name} (99)"):
            with pytest.raises(NotFound, match="Choose one of: "):
                studies.named(db.session, other)


def test_the_steps_are_on_every_page_of_a_study(client, study_id):
    page = client.get(f"/studies/{study_id}").get_data(as_text=True)
    for step in ("Pictures", "Cards", "Sittings", "Ranking", "Gold standard", "Systems"):
        assert step in page


def test_the_home_page_links_to_the_next_step(client, study_id, monkeypatch):
    home = client.get(f"/studies/{study_id}").get_data(as_text=True)
    first = home.split('class="button primary"')[1].split("</a>")[0]
    assert f"/studies/{study_id}/sketches/" in first and "Import pictures" in first
    monkeypatch.setattr(steps, "next_step", lambda steps: None)
    home = client.get(f"/studies/{study_id}").get_data(as_text=True)
    last = home.split('class="button primary"')[1].split("</a>")[0]
    assert f"/studies/{study_id}/export/" in last


def test_the_export_is_linked_on_every_page_and_highlighted(client, study_id):
    link = re.compile(r'href="([^"]+/export/)"\s+(aria-current="page")?')
    home = client.get(f"/studies/{study_id}").get_data(as_text=True)
    assert link.search(home).groups() == (f"/studies/{study_id}/export/", None)
    there = client.get(f"/studies/{study_id}/export/").get_data(as_text=True)
    assert link.search(there)[2] and there.count("aria-current") == 1


def test_an_unknown_study_is_not_found(client):
    answer = client.get("/studies/99")
    assert answer.status_code == 404
    page = answer.get_data(as_text=True)
    assert "There is no such study, or you are not a member of it." in page
    assert "<h1>Not found</h1>" in page and '<a href="/">All studies</a>' in page


def test_the_error_page_works_if_the_steps_fail(client, study_id, monkeypatch):
    monkeypatch.setattr(steps, "steps", lambda session, study: 1 / 0)
    client._client.application.config["TESTING"] = False
    client._client.application.config["PROPAGATE_EXCEPTIONS"] = False
    answer = client.get(f"/studies/{study_id}")
    assert answer.status_code == 500
    assert "Something went wrong in the program" in answer.get_data(as_text=True)


def test_a_database_failure_is_503(app, client, study_id, tmp_path):
    app.config["TESTING"] = app.config["PROPAGATE_EXCEPTIONS"] = False
    close(app)
    for path in tmp_path.glob("study.sqlite3*"):
        path.write_bytes(b"overwritten " * 1000)
    answer = client.get(f"/studies/{study_id}")
    assert answer.status_code == 503 and int(answer.headers["Retry-After"]) > 0
    assert "The database is not responding; nothing was half-saved" in answer.get_data(as_text=True)


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


def test_while_an_import_runs_its_progress_is_linked(app, client, study_id):
    with app.app_context(), writing() as session:
        session.add(Job(study_id=study_id, kind="import_task"))
    for page in ("", "/cards/"):
        shown = client.get(f"/studies/{study_id}{page}").get_data(as_text=True)
        assert "Pictures are being imported" in shown and "/sketches/imports/1" in shown
    with app.app_context(), writing() as session:
        session.get(Job, 1).state = "done"
    assert "being imported" not in client.get(f"/studies/{study_id}").get_data(as_text=True)
