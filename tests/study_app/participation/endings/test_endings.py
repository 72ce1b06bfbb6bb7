"""Each ending has its own text, state, code and address, on the page, in every list and the CSV."""

import csv
import html
import io
import re
from datetime import timedelta

import pytest

from study_app.core.database import db, writing
from study_app.models import now
from study_app.models.participation import EarlyEnding, PlatformIdentity, WebSitting
from study_app.models.ranking import RankingTask
from study_app.participation.consent.questions import parse_comprehension, parse_questions
from study_app.participation.endings import endings
from study_app.participation.flow import Flow, change_flow
from study_app.participation.people import people
from study_app.participation.refusals import TaskUnclear
from study_app.ranking import ratings_of
from study_app.ranking.allocation import quota
from study_app.ranking.progress import overview
from study_app.results.exports import ranking as ranking_export
from tests.app_fixtures import Browser
from tests.ranking_setup import make_link, make_task

CODES = {
    "complete": "DONE1",
    "time_up": "TIME2",
    "screened_out": "OUT3",
    "failed_checks": "FAIL4",
    "no_consent": "NOT5",
    "withdrew": "GONE6",
}
OTHERS = {name: code for name, code in CODES.items() if name != "complete"}
TEXTS = {name: f"A text of its own for {name}." for name in CODES}
RETURN = "https://app.prolific.com/submissions/complete?cc="
STATES = {
    "complete": "complete",
    "time_up": "timed out",
    "screened_out": "screened out",
    "failed_checks": "failed checks",
    "withdrew": "withdrew",
}
SORRY = "Unfortunately you can't take part in this study. Thank you for your interest."
RETURN_IT = "Please return your submission on the platform"
# Title, text and text for participants of a platform, if the researcher writes none.
FIRST = {
    "complete": ("Thank you", *["Everything is saved. There is nothing more to do."] * 2),
    "time_up": (
        "Your time is up",
        *["Your time ended before the last sketch. What you scored is saved."] * 2,
    ),
    "screened_out": ("This study is not for you", SORRY, f"{SORRY} {RETURN_IT}."),
    "failed_checks": (
        "Thank you",
        *[
            "Everything is saved. Some attention checks were not passed, so your scores can't be"
            " used."
        ]
        * 2,
    ),
    "no_consent": (
        "You did not agree to take part",
        "Nothing about you was stored. You can close this page.",
        f"Nothing about you was stored. {RETURN_IT}.",
    ),
    "withdrew": (
        "You withdrew",
        "Your scores and answers were deleted.",
        f"Your scores and answers were deleted. {RETURN_IT}, or write to the researchers there.",
    ),
}
DECISIONS = {
    "complete": "approve",
    "time_up": "review",
    "screened_out": "return",
    "failed_checks": "reject",
    "withdrew": "return",
}


@pytest.fixture
def task_id(app, tmp_path):
    """A task with a comprehension check, attention checks and a code for each ending."""
    task_id = make_task(app, tmp_path / "pictures", checks=2, checks_needed=1, minutes=30, quota=20)
    with app.app_context(), writing() as session:
        task = session.get(RankingTask, task_id)
        task.completion_url, task.completion_code = f"{RETURN}{{code}}", CODES["complete"]
        task.questions = parse_questions("Sight: good | ! poor\nHand: left | right")
        change_flow(
            task,
            Flow(
                comprehension=parse_comprehension("What is 1? * very similar | not similar"),
                end_questions=parse_questions("Mühe: wenig | viel\n年齢"),
                asks_comment=True,
                debriefing="What it was **about**.",
                endings={
                    name: {"text": TEXTS[name]} | ({"code": OTHERS[name]} if name in OTHERS else {})
                    for name in CODES
                },
            ),
        )
    return task_id


class Visitor:
    """A platform participant with their own browser."""

    def __init__(self, app, link, person):
        self.browser = Browser(app)
        self.link = f"/take-part/{link}/"
        self.ids = {"PROLIFIC_PID": person, "STUDY_ID": "st", "SESSION_ID": f"se-{person}"}

    def open(self):
        query = "&".join(f"{name}={value}" for name, value in self.ids.items())
        page = self.browser.get(f"{self.link}?{query}").get_data(as_text=True)
        hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page)
        self.form = {name: html.unescape(value) for name, value in hidden}
        return page

    def leave(self, ending):
        self.open()
        return self.browser.post(f"{self.link}leave", {**self.form, "ending": ending})

    def agree(self, **answers):
        self.open()
        answer = self.browser.post(self.link, {**self.form, "agreed": "yes", **answers})
        self.base = "/".join(answer.headers["Location"].split("/")[:3]) + "/"
        return answer.headers["Location"]

    def check(self, answer):
        sent = {"what_is_1": answer}
        return self.browser.post(f"{self.base}check", sent).headers["Location"]

    def rank(self, own_score):
        """Score all images 3, and the sketch itself as given; 1 is the most similar score."""
        plan = self.browser.get(f"{self.base}plan").json
        for query in plan["queries"]:
            place = {"position": query["position"]}
            scores = [
                {
                    "key": f"key-of-{query['position']}-{image}",
                    "kind": "score",
                    "image": image,
                    "value": own_score if image == query["sketch"] else 3,
                    **place,
                }
                for image in query["images"]
            ]
            done = {"key": f"done-key-{query['position']}", "kind": "submitted", **place}
            receipt = self.browser.post(f"{self.base}entries", json={"entries": [*scores, done]})
            assert receipt.json["refused"] == []

    def close(self, **answers):
        return self.browser.post(f"{self.base}thanks", answers)

    def thanks(self):
        return self.browser.get(f"{self.base}thanks").get_data(as_text=True)


@pytest.fixture
def everybody(app, task_id):
    """The page at which each ending arrives, by its name."""
    link = make_link(app, task_id, "prolific")
    visitors = {name: Visitor(app, link, f"pid-{name}") for name in CODES}
    pages = {"no_consent": visitors.pop("no_consent").leave("no_consent").get_data(as_text=True)}
    for name, visitor in visitors.items():
        assert visitor.agree(sight="good").endswith("/check"), name
    assert visitors["screened_out"].check("not similar").endswith("/check")
    again = visitors["screened_out"].browser.get(f"{visitors['screened_out'].base}check")
    assert "At least one answer was wrong" in again.get_data(as_text=True)
    assert visitors["screened_out"].check("not similar").endswith("/thanks")
    for name in ("complete", "time_up", "failed_checks", "withdrew"):
        assert visitors[name].check("very similar").endswith("/rank")
    visitors["complete"].rank(own_score=1)
    visitors["failed_checks"].rank(own_score=7)
    _let_time_pass(app, task_id, visitors["time_up"])
    visitors["withdrew"].browser.get(f"{visitors['withdrew'].base}withdraw")
    visitors["withdrew"].browser.post(f"{visitors['withdrew'].base}withdraw")
    for name in ("complete", "time_up", "failed_checks"):
        assert "A few last questions" in visitors[name].thanks()
        visitors[name].close(mühe="viel", 年齢="7歳", comment="Mine\r\nis long")
    return pages | {name: visitor.thanks() for name, visitor in visitors.items()}


def _let_time_pass(app, task_id, visitor):
    with app.app_context(), writing() as session:
        named = session.query(PlatformIdentity).filter_by(person="pid-time_up").one()
        sitting = session.get(WebSitting, named.sitting_id)
        sitting.agreed_at = sitting.ready_at = now() - timedelta(minutes=31)
    over = {"key": "time-is-over", "kind": "time_up", "position": 0}
    visitor.browser.get(f"{visitor.base}rank")
    receipt = visitor.browser.post(f"{visitor.base}entries", json={"entries": [over]}).json
    assert receipt["state"] == "finished"


def test_the_page_of_every_ending_has_its_own_text_code_and_address(everybody):
    for name, code in CODES.items():
        page = everybody[name]
        assert TEXTS[name] in page, name
        assert f'<output id="code">{code}</output>' in page, name
        assert f'href="{RETURN}{code}"' in page, name
        assert not [other for other in CODES.values() if other != code and other in page], name
        # Everybody who agreed gets the debriefing, even after withdrawing.
        assert ("What it was <strong>about</strong>." in page) == (name != "no_consent"), name


def test_lists_show_the_ending_and_only_counted_endings_fill_the_quota(
    app, client, task_id, everybody
):
    with app.app_context():
        task = db.session.get(RankingTask, task_id)
        assert people.endings_of(db.session, task) == dict.fromkeys(CODES, 1)
        states = {p.state for p in overview.people_of(db.session, task)}
        assert states == set(STATES.values())
        summary = overview.summary_of(db.session, task)
        assert (summary.finished, summary.under_way) == (1, 0)
        # The one who completed it; who ran out of time submitted nothing.
        assert set(quota.taken(db.session, task).values()) == {1}
        assert {row.participant for row in ratings_of(db.session, task)} == {"P001"}
        assert db.session.query(EarlyEnding).one().people == 1
        study_id = task.study_id
        rows = ranking_export._sittings(db.session, task)
        exported = [ranking_export._sitting_row(task.study, task, row, False)[5] for row in rows]
        assert sorted(exported) == sorted(set(STATES.values()) - {"withdrew"})
    progress = " ".join(client.get(f"/studies/{study_id}/ranking/{task_id}/live").text.split())
    assert "participants who failed the checks are left out: n = 1 of 2, 2 of 4" in progress
    page = client.get(f"/studies/{study_id}/ranking/{task_id}/platform").get_data(as_text=True)
    for name, state in STATES.items():
        assert state in page and f"pid-{name}" in page


def test_the_payment_list_has_decisions_with_reasons(app, client, task_id, everybody):
    with app.app_context():
        study_id = db.session.get(RankingTask, task_id).study_id
    place = f"/studies/{study_id}/ranking/{task_id}/platform"
    answer = client.get(f"{place}.csv")
    rows = list(csv.DictReader(io.StringIO(answer.get_data(as_text=True))))
    found = {row["platform_person"].removeprefix("pid-"): row for row in rows}
    assert {name: row["decision"] for name, row in found.items()} == DECISIONS
    assert {name: row["completion_code"] for name, row in found.items()} == {
        name: CODES[name] for name in DECISIONS
    }
    assert found["failed_checks"]["reason"] == "Passed 0 of 2 attention checks."
    assert found["time_up"]["reason"] == "The time limit ended after 0 of 2 trials."
    assert found["complete"]["platform_submission"] == "se-pid-complete"
    assert "no_consent" not in found
    client.post(f"{place}/forget")
    assert "No participants from a platform yet" in client.get(place).get_data(as_text=True)


def test_answers_in_any_script_are_stored_and_free_text_is_separate(app, task_id, everybody):
    with app.app_context():
        task = db.session.get(RankingTask, task_id)
        (about,) = [
            row for row in ranking_export._sittings(db.session, task) if row[0].ending == "complete"
        ]
        chosen, words = ranking_export._answers(task.study, task, *about[:2])
        assert {row[2]: row[3] for row in chosen} == {"sight": "good", "mühe": "viel"}
        assert {row[2]: row[3] for row in words} == {"年齢": "7歳", "comment": "Mine\nis long"}


def test_a_screened_out_participant_takes_no_place(app, task_id):
    link = make_link(app, task_id, "open")
    browser = Browser(app)
    page = browser.get(f"/take-part/{link}/").get_data(as_text=True)
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
    sent = {**form, "agreed": "yes", "sight": "poor"}
    thanks = browser.post(f"/take-part/{link}/", sent).headers["Location"]
    assert TEXTS["screened_out"] in browser.get(thanks).get_data(as_text=True)
    with app.app_context():
        assert set(quota.taken(db.session, db.session.get(RankingTask, task_id)).values()) == {0}


def test_trials_need_the_comprehension_check(app, task_id):
    somebody = Visitor(app, make_link(app, task_id, "prolific"), "pid-9")
    somebody.agree()
    entered = {"key": "a-long-enough", "kind": "entered", "position": 1}
    refused = somebody.browser.post(f"{somebody.base}entries", json={"entries": [entered]})
    assert refused.status_code == 409 and "instructions first" in refused.json["error"]
    assert somebody.browser.get(f"{somebody.base}rank").status_code == 302


def test_every_ending_has_a_text_without_the_researchers():
    task = RankingTask(completion_url="", completion_code="", endings={}, questions=[])
    for name, (title, text, platform_text) in FIRST.items():
        pages = [endings.page_of(task, name, platform=platform) for platform in (False, True)]
        assert [page.title for page in pages] == [title, title]
        assert [page.text for page in pages] == [text, platform_text]
    assert set(FIRST) == set(endings.NAMES)


def test_an_ending_without_a_code_does_not_return_as_complete():
    task = RankingTask(
        completion_url=f"{RETURN}PAID", completion_code="PAID", endings={}, questions=[]
    )
    for ending in OTHERS:
        page = endings.page_of(task, ending, platform="prolific")
        assert (page.code, page.address) == ("", "")
    task.endings = {"time_up": {"code": "LATE"}, "no_consent": {"address": "https://p.example/no"}}
    late = endings.page_of(task, "time_up", platform="prolific")
    assert (late.code, late.address) == ("LATE", f"{RETURN}LATE")
    assert (
        endings.page_of(task, "no_consent", platform="prolific").address == "https://p.example/no"
    )
    assert endings.page_of(task, "complete", platform="prolific").address == f"{RETURN}PAID"
    worker = endings.page_of(task, "complete", platform="mturk")
    assert (worker.code, worker.address) == ("PAID", "")


def test_two_endings_never_share_a_code():
    task = RankingTask(completion_code="PAID", completion_url="", questions=[], endings={})
    with pytest.raises(TaskUnclear, match="PAID is used for two endings"):
        change_flow(task, Flow(endings={"time_up": {"code": "PAID"}}))


def test_started_participants_are_not_counted_as_refusing_and_personal_links_count_once(
    app, task_id
):
    link, browser = f"/take-part/{make_link(app, task_id)}/", Browser(app)
    browser.get(link)
    for _ in range(2):
        left = browser.post(f"{link}leave", {"ending": "no_consent"})
        assert CODES["no_consent"] in left.text
    text = re.search(r'name="consent_text_id" value="(\d+)"', browser.get(link).text)[1]
    form = {"sight": "good", "consent_text_id": text}
    refused = browser.post(link, form)
    assert refused.status_code == 400 and "<h1>Request not completed</h1>" in refused.text
    assert browser.post(link, {**form, "agreed": "yes"}).location.endswith("/check")
    # From the previous page or a second tab: no code, and nothing is counted.
    left = browser.post(f"{link}leave", {"ending": "screened_out"})
    assert left.status_code == 302 and browser.get(left.location).location.endswith("/check")
    with app.app_context():
        early = db.session.query(EarlyEnding).all()
        assert [(one.ending, one.people) for one in early] == [("no_consent", 1)]
