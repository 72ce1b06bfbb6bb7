"""After a withdrawal only its fact remains: no answers, scores or results made from them."""

import zipfile

import pytest
from sqlalchemy import inspect, select

from study_app.core.database import db, writing
from study_app.models import Participant
from study_app.models.base import Base
from study_app.models.participation import WebSitting
from study_app.models.ranking import RankingTask
from study_app.models.systems import GoldFigure
from study_app.participation.people import payments, withdrawal
from study_app.results.exports import archive
from study_app.results.exports.archive import ExportGone, WithdrewMeanwhile
from study_app.results.gold import tasks as gold_tasks
from tests.app_fixtures import Browser
from tests.ranking_fixtures import Participant as Person
from tests.ranking_setup import make_link, make_task

PLATFORM = {"PROLIFIC_PID": "pid-77", "STUDY_ID": "st-78", "SESSION_ID": "se-79"}


@pytest.fixture
def task_id(app, tmp_path):
    """A task with practice, a repeated query and an attention check."""
    return make_task(app, tmp_path / "p", queries=3, practice=("q1",), repeats=1, checks=1, quota=9)


@pytest.fixture
def leaver(app, task_id):
    """A platform participant who ranked everything and answered all questions."""
    token = make_link(app, task_id, "prolific")
    somebody = Person(app, token, **PLATFORM)
    somebody.rank(lambda image: 7 - image % 7)
    with app.app_context(), writing() as session:
        sitting = session.get(WebSitting, somebody.sitting_id)
        sitting.answers = {"age_band": "18-29"}
        sitting.participant.age_band, sitting.participant.gender = "18-29", "woman"
        somebody.participant_id = sitting.participant_id
    return somebody


def _by_participant(app, client, task_id, leaver):
    browser = Browser(app)
    browser.get(f"/take-part/{leaver.token}/withdraw")
    assert browser.post(f"/take-part/{leaver.token}/withdraw").status_code == 302


def _by_researcher(app, client, task_id, leaver):
    with app.app_context():
        study_id = db.session.get(RankingTask, task_id).study_id
    page = f"/studies/{study_id}/ranking/{task_id}/people/{leaver.sitting_id}/withdraw"
    assert client.post(page).status_code == 302


WAYS = pytest.mark.parametrize("leave", [_by_participant, _by_researcher])


def _rows_about(session, leaver):
    """Every row of every table that names the sitting, the participant or a query of theirs."""
    own = {"web_sitting": {leaver.sitting_id}, "participant": {leaver.participant_id}}
    found = {}
    # Tables are in the order of their references, so that owners precede their rows.
    for table in Base.metadata.sorted_tables:
        for row in session.execute(select(table)).mappings():
            names = any(
                row[column.name] in own.get(key.column.table.name, ())
                for column in table.columns
                for key in column.foreign_keys
            )
            key = tuple(row[column.name] for column in table.primary_key)
            if names or (len(key) == 1 and key[0] in own.get(table.name, ())):
                found.setdefault(table.name, []).append(dict(row))
                if len(key) == 1:
                    own.setdefault(table.name, set()).add(key[0])
    return found


@WAYS
def test_only_the_fact_of_the_withdrawal_stays_in_the_database(app, client, task_id, leaver, leave):
    with app.app_context():
        before = _rows_about(db.session, leaver)
        assert set(inspect(db.engine).get_table_names()) >= set(before)
    for table in ("assigned_query", "score", "score_entry", "platform_identity"):
        assert before[table], table
    leave(app, client, task_id, leaver)
    with app.app_context():
        left = _rows_about(db.session, leaver)
        # Withdrawn participants are still paid: see the page of platform IDs.
        assert set(left) == {"participant", "web_sitting", "platform_identity"}
        (sitting,), (person,) = left["web_sitting"], left["participant"]
        assert (person["age_band"], person["gender"], sitting["answers"]) == (None, None, {})
        # That the task was completed stays too, since the platform has the code for it.
        assert sitting["finished_at"] and sitting["ending"] == "withdrew"
        task = db.session.get_one(RankingTask, task_id)
        task.completion_code = "DONE1"
        (paid,) = payments.payments_of(db.session, task)
        assert (paid.person, paid.decision, paid.completion_code) == ("pid-77", "approve", "DONE1")
        assert paid.reason == "Completed the task, then withdrew."
        db.session.rollback()
        assert sitting["withdrawn_by"] in ("participant", "researcher")
        assert sitting["seen_at"] == sitting["withdrawn_at"]


@pytest.mark.slow
@WAYS
def test_after_a_withdrawal_the_gold_standard_is_recomputed_and_the_export_says_so(
    app, client, task_id, leaver, leave, tmp_path
):
    for _ in range(2):
        Person(app, make_link(app, task_id)).rank(lambda image: 1 + image % 7)
    with app.app_context():
        task = db.session.get(RankingTask, task_id)
        study_id, settings = task.study_id, app.config["SETTINGS"]
        before = gold_tasks.compute(task.id)
        assert before.participants == [leaver.code, "P002", "P003"]
        assert before.found.kendall.w < 0.5
        archive.make(settings, study_id, True, lambda *_: None)
        assert archive.find(settings, study_id)
    leave(app, client, task_id, leaver)
    with app.app_context():
        # Their scores were also in the number shown at the step.
        assert db.session.get(GoldFigure, (study_id, f"task-{task_id}")) is None
        with pytest.raises(ExportGone):
            archive.find(settings, study_id)
        after = gold_tasks.compute(task_id)
        assert after.participants == ["P002", "P003"]
        assert after.found.kendall.w == 1
        db.session.rollback()
        assert db.session.get(GoldFigure, (study_id, f"task-{task_id}")).value == 1
        archive.make(settings, study_id, True, lambda *_: None)
        with zipfile.ZipFile(settings.instance / archive.find(settings, study_id)) as exported:
            files = {
                name: exported.read(name).decode("utf-8", "replace") for name in exported.namelist()
            }
    everything = "".join(f"{name}{content}" for name, content in files.items())
    for gone in (leaver.code, *PLATFORM.values()):
        assert gone not in everything
    assert "1 sitting was withdrawn and not included" in files["README.md"]
    assert files["data/description-withdrawals_data.csv"].count("\n") == 2
    page = client.get(f"/studies/{study_id}/gold/tasks/{task_id}").get_data(as_text=True)
    assert "1 withdrew; they are not included here" in page


def test_an_export_is_discarded_if_somebody_withdraws_meanwhile(app, task_id, leaver):
    settings = app.config["SETTINGS"]

    def progress(done, total, message=""):
        if message == "Computing gold standards":
            with writing() as session:
                sitting = session.get(WebSitting, leaver.sitting_id)
                withdrawal.withdraw(session, sitting, "participant")

    with app.app_context():
        study_id = db.session.get(RankingTask, task_id).study_id
        with pytest.raises(WithdrewMeanwhile):
            archive.make(settings, study_id, True, progress)
        with pytest.raises(ExportGone):
            archive.find(settings, study_id)


@pytest.mark.slow
def test_the_page_of_exports_says_why_the_last_one_was_deleted(app, client, task_id, leaver):
    with app.app_context():
        study_id = db.session.get(RankingTask, task_id).study_id
    page = f"/studies/{study_id}/export/"
    client.post(page)
    while "data-job" in (text := client.get(page).get_data(as_text=True)):
        pass
    assert "is ready" in text
    _by_researcher(app, client, task_id, leaver)
    text = client.get(page).get_data(as_text=True)
    assert (
        "because a person withdrew, or a photo was deleted, after it" in " ".join(text.split())
        and "Download ZIP" not in text
    )


def test_withdrawing_frees_the_place_and_the_person_cannot_join_again(app, tmp_path, client):
    task_id = make_task(app, tmp_path / "one", study="One", quota=1)
    link = make_link(app, task_id, "open", people=1)
    first = Person(app, link)
    with app.app_context(), writing() as session:
        withdrawal.withdraw(session, session.get(WebSitting, first.sitting_id), "participant")
    again = Browser(app).get(f"/take-part/{first.token}/")
    assert again.headers["Location"].endswith("/thanks")
    Person(app, link).rank()
    with app.app_context():
        assert db.session.query(Participant).count() == 2
