"""Participants' pages on PostgreSQL: what they read without a transaction, and their waits for it.

While many people take part at once, each wait takes some milliseconds.
"""

import re

import psycopg
import pytest

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import close, db
from study_app.ranking.scores import recording
from tests.app_fixtures import Browser
from tests.ranking_setup import make_link, make_task
from tests.sent_statements import waits

pytestmark = pytest.mark.postgres


@pytest.fixture
def on_postgresql(upgraded_url, tmp_path):
    """An application on PostgreSQL, and a browser of a visitor."""
    app = create_app(Settings.of(tmp_path / "instance", upgraded_url))
    app.config["TESTING"] = True
    # The mark of the last restore is read again after some seconds, whatever is asked for.
    app.extensions["restored"] = float("inf"), ""
    yield app, Browser(app)
    close(app)


def _agree(browser, link):
    """Agree to take part; where the own pages are."""
    page = browser.get(link).text
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
    answer = browser.post(link, {**form, "agreed": "yes"})
    return answer.headers["Location"].removesuffix("rank")


def _entry(plan):
    entry = {"key": "key-of-0-0", "kind": "score", "position": 1, "value": 3}
    return {"entries": [entry | {"image": plan["queries"][0]["images"][0]}]}


def test_arriving_and_scoring(on_postgresql, tmp_path, monkeypatch):
    # Now and then, a save also counts what is stored.
    monkeypatch.setattr(recording, "COUNT_EVERY", 10**9)
    app, browser = on_postgresql
    link = f"/take-part/{make_link(app, make_task(app, tmp_path / 'pictures'), 'open')}/"
    with app.app_context():
        engine = db.engine
    with waits(engine) as count:
        # The first page of a process reads more.
        browser.get(link)
        count()
        browser.get(link)
        waited = {"welcome": count()}
        base = _agree(browser, link)
        waited["agree"] = count() - waited["welcome"]
        browser.get(f"{base}rank")
        waited["rank"] = count()
        plan = browser.get(f"{base}plan").json
        waited["plan"] = count()
        browser.get(f"{base}pictures/{plan['queries'][0]['images'][1]}")
        waited["picture"] = count()
        receipt = browser.post(f"{base}entries", json=_entry(plan)).json
        waited["save"] = count()
    assert receipt["saved"] == ["key-of-0-0"]
    most = {"welcome": 4, "agree": 17, "rank": 1, "plan": 5, "picture": 1, "save": 6}
    assert {page: min(waited[page], most[page]) for page in most} == waited
    assert all(waited.values()), waited


def test_ended_connections_are_not_noticed(on_postgresql, postgres_server, upgraded_url, tmp_path):
    app, browser = on_postgresql
    link = f"/take-part/{make_link(app, make_task(app, tmp_path / 'pictures'), 'open')}/"
    base = _agree(browser, link)
    plan = browser.get(f"{base}plan").json
    end = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        for ask in (
            lambda: browser.get(f"{base}pictures/{plan['queries'][0]['images'][0]}"),
            lambda: browser.get(f"{base}rank"),
            lambda: browser.post(f"{base}entries", json=_entry(plan)),
        ):
            connection.execute(end, (upgraded_url.rpartition("/")[2],))
            assert ask().status_code == 200


def test_each_page_opens_and_a_withdrawal_is_stored(on_postgresql, tmp_path):
    app, browser = on_postgresql
    link = f"/take-part/{make_link(app, make_task(app, tmp_path / 'pictures'), 'open')}/"
    base = _agree(browser, link)
    while browser.get(f"{base}plan").json["state"] == "ranking":
        for query in browser.get(f"{base}plan").json["queries"]:
            at = {"position": query["position"]}
            scores = [
                {
                    **at,
                    "kind": "score",
                    "image": image,
                    "value": 3,
                    "key": f"{at['position']}-{image:08}",
                }
                for image in query["images"]
            ]
            done = {**at, "kind": "submitted", "key": f"{at['position']}-submitted"}
            browser.post(f"{base}entries", json={"entries": [*scores, done]})
    pages = ("", "check", "rank", "plan", "thanks", "part", "data", "withdraw", "worker.js")
    statuses = {page: browser.get(base + page).status_code for page in (*pages, "app.webmanifest")}
    moved = dict.fromkeys(("", "check", "rank", "part"), 302)
    assert statuses == dict.fromkeys(statuses, 200) | moved
    assert browser.get(f"{link}offline").status_code == 200
    assert browser.get(f"{link}rank").headers["Location"] == link
    assert browser.post(f"{base}withdraw", {}).status_code == 302
    assert browser.get(f"{base}plan").json["state"] == "withdrawn"
