"""A participant's pages: only the own token opens anything, and a withdrawn one nothing."""

import io
import json
import re
import zipfile

import pytest

from study_app.core.database import db, writing
from study_app.core.storage.folder_store import FolderStore
from study_app.core.storage.stores import StoreUnavailable
from study_app.models.participation import WebSitting
from study_app.models.ranking import RankingTask
from tests.app_fixtures import Browser
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task


def _begin(app, path, **fields):
    """Agree; the browser, the base of the own pages and the plan."""
    browser = Browser(app)
    page = browser.get(path).get_data(as_text=True)
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
    answer = browser.post(path.split("?")[0], {**form, "agreed": "yes", **fields})
    assert answer.status_code == 302
    base = answer.headers["Location"].removesuffix("rank")
    browser.get(answer.headers["Location"])
    return browser, base, browser.get(f"{base}plan").json


@pytest.fixture
def begin(app, task_id):
    """Starts a sitting through a new link."""

    def beginning(kind="personal", query="", **options):
        return _begin(app, f"/take-part/{make_link(app, task_id, kind, **options)}/{query}")

    return beginning


def _score(plan, query=0, image=0, value=3):
    trial = plan["queries"][query]
    return {
        "key": f"key-of-{query}-{image}",
        "kind": "score",
        "position": trial["position"],
        "image": trial["images"][image],
        "value": value,
    }


@pytest.mark.parametrize("part_size", [None, 1])
def test_nobody_reads_the_consent_text_of_a_task_whose_queries_have_enough(
    app, tmp_path, part_size
):
    task_id = make_task(app, tmp_path / "p", quota=2, part_size=part_size)
    needed = 2 if part_size is None else 4
    links = [make_link(app, task_id) for _ in range(needed + 1)]
    for link in links[:needed]:
        assert Browser(app).get(f"/take-part/{link}/").status_code == 200
        Participant(app, link).rank()
    page = Browser(app).get(f"/take-part/{links[-1]}/")
    text = page.get_data(as_text=True)
    assert page.status_code == 409 and "agreed" not in text
    assert "This study has enough participants" in text and "try again" not in text
    tryout = make_link(app, task_id, purpose="tryout")
    assert Browser(app).get(f"/take-part/{tryout}/").status_code == 200


def test_a_person_comes_back_later_if_a_place_may_become_free(app, tmp_path):
    task_id = make_task(app, tmp_path / "p", quota=2)
    links = [make_link(app, task_id) for _ in range(3)]
    Participant(app, links[0]).rank()
    current = Participant(app, links[1])
    refused = Browser(app).get(f"/take-part/{links[2]}/").get_data(as_text=True)
    assert "All places are taken" in refused and "try again in an hour" in refused
    current.rank()
    refused = Browser(app).get(f"/take-part/{links[2]}/").get_data(as_text=True)
    assert "This study has enough participants" in refused


def test_a_browser_without_javascript_is_told_before_consent(app, task_id):
    page = Browser(app).get(f"/take-part/{make_link(app, task_id)}/").get_data(as_text=True)
    told = re.search(r"<noscript>.*?Scoring needs JavaScript\..*?</noscript>", page, re.DOTALL)
    assert told and told.end() < page.index('name="agreed"')


def test_participants_download_only_their_own_data(app, stranger, arrive):
    first, second = arrive(), arrive()
    first.rank(lambda image: 2)
    answer = stranger.get(f"/take-part/{first.token}/data")
    assert answer.headers["Content-Disposition"].endswith(f"{first.code}_data.zip")
    with zipfile.ZipFile(io.BytesIO(answer.data)) as packed:
        found = json.loads(packed.read("data.json"))
    assert [person["code"] for person in found["participant"]] == [first.code]
    assert len(found["score"]) == 12 and {row["value"] for row in found["score"]} == {2}
    assert "token" not in json.dumps(found)
    assert "/data" in stranger.get(f"/take-part/{first.token}/thanks").text
    # Shown with the trials, it would reveal which are attention checks.
    assert stranger.get(f"/take-part/{second.token}/data").status_code == 302
    assert stranger.get(f"/take-part/{first.token[:-1]}/data").status_code == 404


def test_a_score_is_saved_and_acknowledged(begin):
    browser, base, plan = begin()
    receipt = browser.post(f"{base}entries", json={"entries": [_score(plan)]})
    expected = {"saved": ["key-of-0-0"], "refused": [], "state": "ranking", "restored": ""}
    assert receipt.json == expected
    again = browser.get(f"{base}plan").json
    image = plan["queries"][0]["images"][0]
    assert again["queries"][0]["scores"] == {str(image): 3}
    assert again["here"] == {"position": 1, "image": image}
    assert [q["images"] for q in again["queries"]] == [q["images"] for q in plan["queries"]]


def test_tokens_do_not_open_the_data_of_others(app, begin, tmp_path):
    browser, base, plan = begin()
    browser.post(f"{base}entries", json={"entries": [_score(plan)]})
    other, other_base, other_plan = begin()
    assert all(query["scores"] == {} for query in other_plan["queries"])
    elsewhere = make_task(app, tmp_path / "other", study="Other")
    _, _, foreign = _begin(app, f"/take-part/{make_link(app, elsewhere)}/")
    theirs = foreign["queries"][0]["images"][0]
    assert other.get(f"{other_base}pictures/{theirs}").status_code == 404
    assert other.get(f"{other_base}pictures/{plan['queries'][0]['images'][0]}").status_code == 200
    refused = other.post(f"{other_base}entries", json={"entries": [_score(foreign)]})
    assert refused.json["saved"] == []


@pytest.mark.parametrize("page", ["", "rank", "plan", "thanks", "withdraw", "pictures/1"])
def test_an_unknown_token_opens_nothing(app, task_id, page):
    answer = Browser(app).get(f"/take-part/{'x' * 32}/{page}")
    assert answer.status_code == 404
    assert "Unknown link" in answer.get_data(as_text=True)


def test_pictures_need_consent(app, task_id):
    token = make_link(app, task_id)
    assert Browser(app).get(f"/take-part/{token}/pictures/1").status_code == 404
    with app.app_context():
        assert db.session.query(WebSitting).count() == 0


def test_participants_pictures_are_cached_privately(begin):
    browser, base, plan = begin()
    answer = browser.get(f"{base}pictures/{plan['queries'][0]['images'][0]}")
    assert answer.headers["Cache-Control"].startswith("private, max-age=2592000")
    assert answer.mimetype == "image/webp"
    large = browser.get(f"{base}pictures/{plan['queries'][0]['sketch']}?large")
    assert large.mimetype == "image/png"


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"entries": "x"},
        {"entries": [{}]},
        {"entries": [{"kind": "score", "key": "short"}]},
        {"entries": [{"kind": "score", "key": "long-enough", "position": -1}]},
        {"entries": [{"kind": "score", "key": "long-enough", "position": 1, "value": "7"}]},
        {"entries": [{"kind": "score", "key": "long-enough", "position": 1, "image": 10**30}]},
        {"entries": [{"kind": "entered", "key": "long-enough", "position": 1}] * 501},
        [],
    ],
)
def test_malformed_entries_are_refused(begin, sent):
    browser, base, _ = begin()
    answer = browser.post(f"{base}entries", json=sent, headers={"Accept": "application/json"})
    assert answer.status_code == 400
    assert answer.json["error"]


def test_entries_need_the_csrf_token(begin):
    browser, base, plan = begin()
    answer = browser._client.post(f"{base}entries", json={"entries": [_score(plan)]})
    assert answer.status_code == 400
    assert browser.get(f"{base}plan").json["queries"][0]["scores"] == {}


def test_agreeing_twice_starts_one_sitting(app, task_id):
    token = make_link(app, task_id, "open")
    browser = Browser(app)
    page = browser.get(f"/take-part/{token}/").get_data(as_text=True)
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
    answers = [browser.post(f"/take-part/{token}/", {**form, "agreed": "yes"}) for _ in range(2)]
    assert answers[0].headers["Location"] == answers[1].headers["Location"]
    with app.app_context():
        assert db.session.query(WebSitting).count() == 1


def test_a_platform_link_needs_an_id_and_recognises_it(app, begin, task_id):
    token = make_link(app, task_id, "prolific")
    assert Browser(app).get(f"/take-part/{token}/").status_code == 400
    query = "?PROLIFIC_PID=5f&STUDY_ID=s&SESSION_ID=t"
    browser, base, _ = _begin(app, f"/take-part/{token}/{query}")
    again = browser.get(f"/take-part/{token}/{query}")
    assert again.headers["Location"] == base
    _, other, _ = _begin(app, f"/take-part/{token}/?PROLIFIC_PID=60&STUDY_ID=s&SESSION_ID=t")
    assert other != base


def test_finished_participants_return_with_the_completion_code(app, task_id):
    with app.app_context(), writing() as session:
        task = session.get(RankingTask, task_id)
        task.completion_url, task.completion_code = "https://p.example/done?a=1", "AB12"
    person = Participant(app, make_link(app, task_id))
    person.rank()
    page = Browser(app).get(f"/take-part/{person.token}/thanks").get_data(as_text=True)
    assert 'href="https://p.example/done?a=1&amp;cc=AB12"' in page


def test_withdrawn_participants_are_informed_and_cannot_send(app, begin):
    browser, base, plan = begin()
    copy = app.config["SETTINGS"].instance / "replaced.zip"
    copy.write_bytes(b"with the scores")
    browser.post(f"{base}entries", json={"entries": [_score(plan)]})
    assert "deletes every score" in browser.get(f"{base}withdraw").get_data(as_text=True)
    browser.post(f"{base}withdraw")
    assert not copy.exists()
    assert "You withdrew" in browser.get(f"{base}thanks").get_data(as_text=True)
    assert browser.get(f"{base}rank").headers["Location"].endswith("/thanks")
    answer = browser.post(
        f"{base}entries",
        json={"entries": [_score(plan, image=1)]},
        headers={"Accept": "application/json"},
    )
    assert answer.status_code == 410


def test_participants_pages_have_no_researchers_links(client, app, task_id):
    page = client.get(f"/take-part/{make_link(app, task_id)}/").get_data(as_text=True)
    assert "Sign out" not in page and "/studies" not in page
    assert 'class="light"' in page


def test_a_lone_surrogate_is_no_valid_key(begin):
    browser, base, plan = begin()
    sent = {"entries": [{**_score(plan), "key": "\ud800" * 10}]}
    refused = browser.post(f"{base}entries", json=sent, headers={"Accept": "application/json"})
    assert refused.status_code == 400 and "letters, digits" in refused.json["error"]


@pytest.mark.parametrize("headers", [{}, {"Accept": "application/json"}])
def test_participants_do_not_learn_where_the_files_are(begin, monkeypatch, caplog, headers):
    browser, base, plan = begin()

    def away(*_about):
        raise StoreUnavailable("s3://secret-bucket", "dispatch failure")

    monkeypatch.setattr(FolderStore, "get", away)
    answer = browser.get(f"{base}pictures/{plan['queries'][0]['sketch']}", headers=headers)
    assert answer.status_code == 503 and int(answer.headers["Retry-After"]) > 0
    assert "The files are not available now" in answer.get_data(as_text=True)
    assert "secret-bucket" not in answer.get_data(as_text=True)
    assert "s3://secret-bucket" in caplog.text
