"""The measures of a participant, worked by hand; flags; the page, the CSV, a preview."""

import csv
import io
import re

import pytest

from study_app.core.database import db, writing
from study_app.models import Participant as Person
from study_app.models.base import Base
from study_app.models.participation import WebSitting
from study_app.models.ranking import RankingTask
from study_app.participation.people import exclusion
from study_app.ranking.plan import plan_of
from study_app.ranking.progress.duration import duration_of
from study_app.ranking.progress.quality import quality_of
from study_app.ranking.scores.entries import Entry
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task


@pytest.fixture
def task_id(app, tmp_path):
    """A task of two queries with twelve images each."""
    return make_task(app, tmp_path / "p", queries=2, images=12)


def _score(somebody, value, took):
    for position, _, order in somebody.queries:
        entries = [
            Entry(
                f"{somebody.sitting_id}-{position}-{image}",
                "score",
                position,
                image,
                value(image),
                response_ms=took(place),
            )
            for place, image in enumerate(order)
        ]
        done = Entry(f"{somebody.sitting_id}-{position}-done", "submitted", position)
        assert somebody.send(*entries, done).refused == []


@pytest.fixture
def measured(app, task_id):
    """Four careful people, one too fast and one with a single score."""
    for shift in range(4):
        somebody = Participant(app, make_link(app, task_id))
        _score(somebody, lambda image: 1 + image % 7, lambda _, s=shift: 1800 + 100 * s)
    fast = Participant(app, make_link(app, task_id))
    _score(fast, lambda image: 1 + image % 7, lambda place: 200 if place % 2 else 900)
    line = Participant(app, make_link(app, task_id))
    _score(line, lambda _: 4, lambda _: 1500)
    with app.app_context():
        return {
            one.code: one for one in quality_of(db.session, db.session.get(RankingTask, task_id))
        }


def test_the_measures_of_each_participant_by_hand(measured):
    first, fast, line = (measured[code] for code in ("P001", "P005", "P006"))
    assert (first.scores, first.median_ms) == (24, 1800)
    assert first.active_minutes == pytest.approx(24 * 1.8 / 60)
    assert (fast.fast_share, fast.median_ms) == (0.5, 550)
    # 24 images in a row got a 4, so there is no order and no agreement.
    assert (line.longest_run, line.agreement) == (24, 0)
    assert first.agreement > 0.9
    assert {code: one.flags for code, one in measured.items() if one.flags} == {
        "P005": ("fast", "pace"),
        "P006": ("one score", "chance", "disagrees"),
    }


def test_excluded_participants_are_not_among_the_others(app, task_id, request):
    for turned in (False, True, True):
        somebody = Participant(app, make_link(app, task_id))
        _score(somebody, lambda image, t=turned: 7 - image % 7 if t else 1 + image % 7, int)
    before = _agreement(app, task_id)
    assert before["P001"] < -0.9
    with app.app_context(), writing() as session:
        study_id = session.get(RankingTask, task_id).study_id
        for code in ("P002", "P003"):
            person = session.query(Person).filter_by(code=code).one()
            exclusion.exclude(
                session, study_id, exclusion.Excluded(participant_id=person.id), "late"
            )
    request.getfixturevalue("measured")
    after = _agreement(app, task_id)
    # With four others who score as P001 does, the two who do not only disagree themselves.
    assert after["P001"] > 0.9 and after["P002"] == after["P003"] < -0.9


def _agreement(app, task_id):
    with app.app_context():
        task = db.session.get(RankingTask, task_id)
        return {one.code: one.agreement for one in quality_of(db.session, task)}


def test_the_page_flags_participants_and_the_csv_has_every_measure(app, client, task_id, measured):
    with app.app_context():
        study_id = db.session.get(RankingTask, task_id).study_id
    place = f"/studies/{study_id}/ranking/{task_id}/quality"
    page = " ".join(client.get(place).get_data(as_text=True).split())
    assert "Flagged: 2 of 6 participants." in page and "P006: 24" in page
    rows = list(csv.DictReader(io.StringIO(client.get(f"{place}.csv").get_data(as_text=True))))
    found = {row["code"]: row for row in rows}
    assert found["P006"]["flags"] == "one score; chance; disagrees"
    assert (found["P005"]["fast_share"], found["P005"]["repeat_difference"]) == ("0.5", "")


def test_the_page_and_the_csv_say_who_is_excluded(app, client, task_id, measured):
    with app.app_context(), writing() as session:
        study_id = session.get(RankingTask, task_id).study_id
        sitting = session.query(WebSitting).order_by(WebSitting.number).first()
        exclusion.exclude(session, study_id, exclusion.Excluded(web_sitting_id=sitting.id), "slept")
        code = sitting.participant.code
    place = f"/studies/{study_id}/ranking/{task_id}/quality"
    page = " ".join(client.get(place).get_data(as_text=True).split())
    marked = re.findall(r'<th scope="row">(\w+)</th> <td data-name="state">([^<]*)<span', page)
    assert marked == [(code, " complete ")]
    rows = csv.DictReader(io.StringIO(client.get(f"{place}.csv").get_data(as_text=True)))
    assert [row["code"] for row in rows if row["excluded"] == "true"] == [code]


def test_the_estimated_duration_uses_the_pace_so_far(app, task_id, request):
    with app.app_context():
        task = db.session.get(RankingTask, task_id)
        guess = duration_of(db.session, task)
        assert (guess.queries, guess.images, guess.pace.people) == (2, 24, 0)
        # 24 images of 4 s and two reviews of 15 s.
        assert guess.minutes == round((24 * 4 + 2 * 15) / 60)
    request.getfixturevalue("measured")
    with app.app_context():
        pace = duration_of(db.session, db.session.get(RankingTask, task_id)).pace
        # The median of 1.8, 1.9, 2, 2.1, 0.55 and 1.5 s.
        assert (pace.people, pace.image_s) == (6, pytest.approx(1.85))
        # The estimate on the ranking page continues that of the welcome page.
        shown_pace = plan_of(db.session, db.session.query(WebSitting).first())["pace"]
        assert shown_pace == {"image": pytest.approx(1850), "review": 1000 * pace.review_s}


def test_a_preview_stores_nothing_and_leaves_the_task_as_it_was(app, client, task_id):
    def counts():
        with app.app_context():
            tables = Base.metadata.sorted_tables
            return {table.name: db.session.query(table).count() for table in tables}

    with app.app_context(), writing() as session:
        task = session.get(RankingTask, task_id)
        place = f"/studies/{task.study_id}/ranking/{task_id}"
    before = counts()
    assert "Preview: nothing is stored" in client.get(f"{place}/preview/").get_data(as_text=True)
    assert client.get(f"{place}/preview/rank").status_code == 200
    plan = client.get(f"{place}/preview/plan").json
    image = plan["queries"][0]["images"][0]
    assert client.get(f"{place}/preview/pictures/{image}").status_code == 200
    for query in plan["queries"]:
        done = {"key": "a-long-enough", "kind": "submitted", "position": query["position"]}
        answer = client.post(f"{place}/preview/entries", json={"entries": [done]}).json
        assert answer["saved"] == ["a-long-enough"]
    assert answer["state"] == "finished"
    assert client.get(f"{place}/preview/thanks").status_code == 200
    assert counts() == before
    assert "can still be changed" in client.get(f"{place}/settings").get_data(as_text=True)


def test_reloading_the_page_of_new_links_creates_no_further_links(app, client, task_id):
    with app.app_context():
        place = f"/studies/{db.session.get(RankingTask, task_id).study_id}/ranking/{task_id}"
    form = {"kind": "personal", "count": "3", "form_key": "a" * 32}
    # A refused form is corrected and sent again.
    assert client.post(f"{place}/links", {**form, "count": "0"}).status_code == 400
    assert client.post(f"{place}/links", form).status_code == 200
    assert client.post(f"{place}/links", form).status_code == 302
    assert client.post(f"{place}/links", {**form, "form_key": "b" * 32}).status_code == 200
    page = client.get(f"{place}/").get_data(as_text=True)
    assert "6 links" in page
    with app.app_context():
        assert db.session.query(WebSitting).count() == 0


def test_the_form_of_endings_saves_its_fields(app, client, task_id):
    with app.app_context():
        place = f"/studies/{db.session.get(RankingTask, task_id).study_id}/ranking/{task_id}/flow"
    form = {
        "people": "30",
        "attempts": "3",
        "laptop_only": "yes",
        "comprehension": "1 means: * similar | different",
        "end_questions": "Mühe: wenig | viel",
        "asks_comment": "yes",
        "debriefing": "About.",
        "time_up_code": "LATE",
        "time_up_text": "Too late.",
    }
    assert client.post(place, form).status_code == 302
    page = client.get(place).get_data(as_text=True)
    assert "1 means: * similar | different" in page and "Too late." in page
    with app.app_context():
        task = db.session.get(RankingTask, task_id)
        assert (task.people, task.attempts, task.laptop_only, task.asks_comment) == (
            30,
            3,
            True,
            True,
        )
        assert task.endings == {"time_up": {"text": "Too late.", "code": "LATE"}}
    refused = client.post(place, {**form, "withdrew_code": "LATE"})
    assert refused.status_code == 400 and "two endings" in refused.get_data(as_text=True)
