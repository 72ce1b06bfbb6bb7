"""Nothing of a study is reachable without signing in; a link signs in once."""

import pytest

from study_app import researchers
from study_app.db import writing
from tests.app_fixtures import PASSWORD, Browser


def test_a_link_works_once(app, stranger):
    with app.app_context(), writing() as session:
        token = researchers.make_link(session)
    assert stranger.get(f"/welcome/{token}").status_code == 200
    form = {"name": "Ada", "password": PASSWORD}
    assert stranger.post(f"/welcome/{token}", form).status_code == 302
    assert stranger.get("/").status_code == 200
    assert Browser(app).post(f"/welcome/{token}", form).status_code == 410


def test_a_short_password_spends_nothing(app, stranger):
    with app.app_context(), writing() as session:
        token = researchers.make_link(session)
    refused = stranger.post(f"/welcome/{token}", {"name": "Ada", "password": "short"})
    assert refused.status_code == 400
    assert "at least 10 characters" in refused.get_data(as_text=True)
    assert stranger.get(f"/welcome/{token}").status_code == 200


def test_only_the_hash_of_a_link_is_stored(app):
    with app.app_context(), writing() as session:
        token = researchers.make_link(session)
    for path in app.config["SETTINGS"].instance.parent.glob("study.sqlite3*"):
        assert token.encode() not in path.read_bytes()


def test_signing_in_again(app, client):
    client.post("/sign-out")
    assert client.get("/").status_code == 302
    assert client.post("/sign-in", {"name": "Ada", "password": "wrong"}).status_code == 403
    answer = client.post("/sign-in?next=/studies/7", {"name": "Ada", "password": PASSWORD})
    assert answer.headers["Location"] == "/studies/7"


@pytest.mark.parametrize(
    "elsewhere",
    ["https://example.org", "//example.org", "/\\example.org", "/%09/example.org", "/%0A/x.org"],
)
def test_signing_in_leads_nowhere_else(client, elsewhere):
    answer = client.post(f"/sign-in?next={elsewhere}", {"name": "Ada", "password": PASSWORD})
    assert answer.headers["Location"] == "/"


def test_guessing_is_slowed_down(client, stranger):
    for _ in range(researchers.FREE_FAILURES):
        assert stranger.post("/sign-in", {"name": "Ada", "password": "guess"}).status_code == 403
    locked = stranger.post("/sign-in", {"name": "Ada", "password": PASSWORD})
    assert locked.status_code == 429
    assert "try again in" in locked.get_data(as_text=True)


def test_a_new_password_ends_older_sign_ins(app, client):
    with app.app_context(), writing() as session:
        token = researchers.make_link(session, "Ada")
    assert (
        Browser(app).post(f"/welcome/{token}", {"password": "another long one"}).status_code == 302
    )
    assert client.get("/").status_code == 302


def test_a_form_without_its_token_is_refused(app, client):
    refused = client._client.post("/studies", data={"name": "Forged"})
    assert refused.status_code == 400
    assert "Forged" not in client.get("/").get_data(as_text=True)
