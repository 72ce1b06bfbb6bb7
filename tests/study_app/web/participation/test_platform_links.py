"""A recruitment platform's people: with ids or without, twice, paid, and named in no export."""

import html
import re
import zipfile

import pytest

from study_app.core.database import db, writing
from study_app.core.tokens import token_hash
from study_app.models.participation import PlatformIdentity, WebSitting
from study_app.models.ranking import RankingTask
from study_app.participation import flow
from study_app.participation.people import payments
from study_app.participation.sittings.own_address import OwnTokens
from study_app.results.exports import archive
from tests.app_fixtures import Browser
from tests.ranking_setup import make_link

IDS = "?PROLIFIC_PID=pid-6af0&STUDY_ID=study-11ab&SESSION_ID=session-77cc"


@pytest.fixture
def link(app, task_id):
    """A platform's link to a task that sends people back."""
    with app.app_context(), writing() as session:
        task = session.get(RankingTask, task_id)
        task.completion_url = "https://platform.example/done?cc={code}"
        task.completion_code = "C0DE"
    return f"/take-part/{make_link(app, task_id, 'prolific')}/"


def _begin(app, address):
    """Open an address and agree; the browser, and where it is sent."""
    browser = Browser(app)
    page = browser.get(address).get_data(as_text=True)
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
    form = {name: html.unescape(value) for name, value in form.items()}
    return browser, browser.post(address.split("?")[0], {**form, "agreed": "yes"})


def _rank(browser, base):
    browser.get(f"{base}rank")
    for n, query in enumerate(browser.get(f"{base}plan").json["queries"]):
        scores = [
            {"key": f"key-of-{n}-{image}", "kind": "score", "image": image, "value": 3}
            for image in query["images"]
        ]
        done = {"key": f"done-key-{n}", "kind": "submitted"}
        entries = [{**entry, "position": query["position"]} for entry in (*scores, done)]
        receipt = browser.post(f"{base}entries", json={"entries": entries}).json
        assert receipt["refused"] == []


@pytest.mark.parametrize(
    "ids",
    [
        "",
        "?PROLIFIC_PID=",
        "?PROLIFIC_PID=%20&STUDY_ID=s",
        "?STUDY_ID=s&SESSION_ID=t",
        # As it is shown to the researcher, who opens it to see whether it works.
        "?PROLIFIC_PID={{%25PROLIFIC_PID%25}}&STUDY_ID={{%25STUDY_ID%25}}",
    ],
)
def test_a_platform_link_without_id_is_refused_with_a_reason(app, link, ids):
    answer = Browser(app).get(link + ids)
    assert answer.status_code == 400
    assert "Open the study from the platform" in answer.get_data(as_text=True)
    assert _begin(app, link)[1].status_code == 400
    with app.app_context():
        assert db.session.query(WebSitting).count() == 0


@pytest.mark.slow
def test_from_the_platform_and_back_with_the_code(app, client, link, task_id):
    browser, answer = _begin(app, link + IDS)
    base = answer.headers["Location"].removesuffix("rank")
    # The ids stay behind in the address that was opened.
    assert "pid-6af0" not in base
    _rank(browser, base)
    thanks = browser.get(f"{base}thanks").get_data(as_text=True)
    assert '<output id="code">C0DE</output>' in thanks
    assert 'href="https://platform.example/done?cc=C0DE"' in thanks
    again = browser.get(link + IDS)
    assert again.headers["Location"] == base
    assert Browser(app).get(base).headers["Location"].endswith("/thanks")
    with app.app_context():
        study_id = db.session.get(RankingTask, task_id).study_id
        known = db.session.query(PlatformIdentity).one()
        assert (known.person, known.platform_study, known.platform_session) == (
            "pid-6af0",
            "study-11ab",
            "session-77cc",
        )
    page = client.get(f"/studies/{study_id}/ranking/{task_id}/platform").get_data(as_text=True)
    assert "pid-6af0" in page and "session-77cc" in page and "approve" in page
    _ids_are_in_no_export(app, study_id)
    for elsewhere in ("", "live", "people"):
        shown = client.get(f"/studies/{study_id}/ranking/{task_id}/{elsewhere}")
        assert "pid-6af0" not in shown.get_data(as_text=True)


def _ids_are_in_no_export(app, study_id):
    settings = app.config["SETTINGS"]
    with app.app_context():
        archive.make(settings, study_id, True, lambda *_: None)
        with zipfile.ZipFile(settings.instance / archive.find(settings, study_id)) as exported:
            names = exported.namelist()
            content = [exported.read(name) for name in names]
    assert "data/subject-P001_task-rating_data.csv" in names
    for secret in (b"pid-6af0", b"study-11ab", b"session-77cc"):
        assert not [name for name, file in zip(names, content, strict=True) if secret in file]
        assert secret.decode() not in " ".join(names)


def test_a_person_from_another_platform_study_continues(app, link):
    browser, first = _begin(app, link + IDS)
    wave = IDS.replace("study-11ab", "study-22").replace("session-77cc", "session-88")
    answer = browser.get(link + wave)
    assert answer.headers["Location"] == first.headers["Location"].removesuffix("rank")
    with app.app_context():
        assert db.session.query(WebSitting).count() == 1


def test_after_a_restore_participants_continue_at_their_own_address(app, link):
    browser, answer = _begin(app, link + IDS)
    rank = answer.headers["Location"]
    app.config["SECRET_KEY"] = b"a restored installation draws a key of its own"
    assert Browser(app).get(rank.removesuffix("rank")).headers["Location"] == rank
    # The cookie of this browser was signed with the previous key.
    assert browser.get(link + IDS).status_code == 409
    with app.app_context():
        assert db.session.query(WebSitting).count() == 1


def test_a_second_link_does_not_admit_the_same_person_twice(app, link, task_id):
    browser, _ = _begin(app, link + IDS)
    other = f"/take-part/{make_link(app, task_id, 'prolific')}/"
    for somebody in (browser, Browser(app)):
        answer = somebody.get(other + IDS)
        assert answer.status_code == 409
        assert "has already started this study" in answer.get_data(as_text=True)
    assert _begin(app, other + IDS.replace("pid-6af0", "pid-7"))[1].status_code == 302
    with app.app_context():
        assert db.session.query(WebSitting).count() == 2


WAVE = IDS.replace("study-11ab", "study-22").replace("session-77cc", "session-88")


@pytest.fixture
def half(app, link, task_id):
    """A browser in which the first of two parts is done, and the address of its own."""
    with app.app_context(), writing() as session:
        wanted = flow.Flow(parts=2, part_hours=0, part_codes=["HALF"])
        flow.change_flow(session.get(RankingTask, task_id), wanted)
    browser, begun = _begin(app, link + IDS)
    base = begun.headers["Location"].removesuffix("rank")
    _rank(browser, base)
    return browser, base


def _paid(app, task_id):
    with app.app_context():
        db.session.rollback()
        found = payments.payments_of(db.session, db.session.get(RankingTask, task_id))
        return [(one.submission, one.state, one.decision, one.completion_code) for one in found]


def test_a_later_part_can_be_a_separate_platform_study(app, link, task_id, half):
    browser, base = half
    page = browser.get(f"{base}part").get_data(as_text=True)
    assert 'href="https://platform.example/done?cc=HALF"' in page
    assert _paid(app, task_id) == [("session-77cc", "between parts", "approve", "HALF")]
    other = f"/take-part/{make_link(app, task_id, 'prolific')}/"
    # Another browser has only the ID, which is not secret, so it sees nothing.
    stranger = Browser(app).get(other + WAVE)
    assert stranger.status_code == 409 and base not in stranger.get_data(as_text=True)
    # The browser of part 1 continues, through the same link or another one.
    for way in (link, other):
        came = browser.get(way + WAVE).headers["Location"]
        assert came == f"{base}part?study=study-22&submission=session-88"
    page = browser.get(came).get_data(as_text=True)
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
    browser.post(f"{base}part", form)
    assert _paid(app, task_id) == [
        ("session-77cc", "part 1 done", "approve", "HALF"),
        ("session-88", "taking part", "wait", ""),
    ]
    _rank(browser, base)
    assert _paid(app, task_id)[1] == ("session-88", "complete", "approve", "C0DE")
    # With the code of the whole task, and once: a third submission is not another part.
    assert ">C0DE<" in browser.get(other + IDS, follow_redirects=True).get_data(as_text=True)
    browser.post(f"{base}part", {**form, "submission": "session-99"})
    assert len(_paid(app, task_id)) == 2


def test_an_unsigned_link_opens_no_sitting_of_a_signed_one(app, link, task_id, half):
    browser, _ = half
    with app.app_context(), writing() as session:
        first = session.query(WebSitting).one().invitation
        first.platform = "prolific_secured"
        own = OwnTokens(app.config["SECRET_KEY"], first, "pid-6af0").of_signed_person()
        session.query(WebSitting).one().token_hash = token_hash(own)
    other = f"/take-part/{make_link(app, task_id, 'prolific')}/"
    for somebody in (browser, Browser(app)):
        answer = somebody.get(other + WAVE)
        assert answer.status_code == 409 and own not in str(answer.headers)


def test_own_addresses_of_platform_participants_cannot_be_guessed(app, link):
    bases = {
        _begin(app, link + IDS.replace("pid-6af0", f"pid-{n}"))[1].headers["Location"]
        for n in range(3)
    }
    assert len(bases) == 3
    assert all(len(base.split("/")[2]) >= 43 for base in bases)
