"""Many participants are measured by a job; pages then show the same numbers as without it."""

import re
import threading
from dataclasses import replace
from types import SimpleNamespace

import pytest

from study_app.core.caching import cache
from study_app.core.caching.cache import cached
from study_app.core.database import db, writing
from study_app.models import Job
from study_app.models.ranking import RankingTask
from study_app.participation.people import exclusion
from study_app.participation.people.exclusion import Excluded
from study_app.participation.people.people import person_named
from study_app.ranking.progress import agreement, measuring, overview
from study_app.ranking.scores import arrays
from study_app.studies.people import rules, withdrawal
from tests.waiting import until


@pytest.fixture
def place(app, task_id, arrive, client):
    """The address of a task of four people who have finished, one of them unlike the rest."""
    for number in range(4):
        arrive().rank(lambda image, n=number: 7 - image % 7 if n == 3 else 1 + image % 7)
    with app.app_context(), writing() as session:
        study = session.get(RankingTask, task_id).study
        rules.set_rule(session, study, "same_answer", 1)
        return f"/studies/{study.id}/ranking/{task_id}"


@pytest.fixture
def by_jobs(monkeypatch):
    """Has everything that is new measured by jobs, as if there were thousands of it."""
    monkeypatch.setattr(measuring, "QUERIES_AT_ONCE", 0)
    monkeypatch.setattr(agreement, "AT_ONCE", 0)


def _wait(app):
    def ended():
        with app.app_context():
            return not db.session.query(Job).filter_by(state="running").count()

    until(ended)


def _pages(client, place):
    study = place.split("/ranking")[0]
    asked = (f"{place}/quality", f"{place}/quality.csv", f"{study}/people/exclusions")
    shown = [client.get(path).get_data(as_text=True) for path in asked]
    # Without random parts of pages.
    live = client.get(f"{place}/live").get_json()["html"].split('class="enough')[-1]
    parts = [page.split("<main")[-1] for page in shown] + [live.split("</p>")[0]]
    return [re.sub(r'(csrf[^>]* value=)"[^"]*"', r"\1", part) for part in parts]


def test_pages_show_the_same_numbers_from_a_job_as_computed_directly(
    app, client, place, monkeypatch
):
    expected = _pages(client, place)
    assert all("P004" in page for page in expected[:3])
    with app.app_context():
        cached().clear()
    monkeypatch.setattr(measuring, "QUERIES_AT_ONCE", 0)
    # The job waits until the page that shows its progress has been seen.
    seen, held = threading.Event(), SimpleNamespace(**vars(overview))
    held.people_of = lambda *asked: seen.wait(60) and overview.people_of(*asked)
    monkeypatch.setattr(measuring, "overview", held)
    file = client.get(f"{place}/quality.csv")
    assert file.status_code == 302 and file.location.endswith("/quality")
    waiting = client.get(f"{place}/quality").get_data(as_text=True)
    assert "data-job=" in waiting and "P004" not in waiting
    seen.set()
    _wait(app)
    assert _pages(client, place) == expected
    with app.app_context():
        assert db.session.query(Job).filter_by(kind=measuring.KIND).count() == 1


def test_scores_are_read_after_a_restart_only_for_what_is_measured_again(
    app, client, place, task_id, by_jobs, monkeypatch
):
    client.get(f"{place}/quality")
    _wait(app)
    shown = _pages(client, place)
    with app.app_context():
        # As in a server that starts again.
        cached().clear()
    assert _pages(client, place) == shown
    monkeypatch.setattr(arrays, "_read", None)
    with app.app_context():
        assert cached().get(arrays.key_of(task_id)) is None
        with writing() as session:
            study_id = session.get(RankingTask, task_id).study_id
            person = person_named(session, study_id, "P004")
            exclusion.exclude(session, study_id, Excluded(participant_id=person.id), "late")
    assert _pages(client, place) != shown
    with app.app_context():
        assert len(cached().get(arrays.key_of(task_id))) == 4


def test_the_live_page_shows_the_last_agreement_during_a_job(
    app, client, place, arrive, by_jobs, monkeypatch
):
    monkeypatch.setattr(agreement, "SLOW_SECONDS", -1)
    assert "being computed" in client.get(f"{place}/live").get_json()["html"]
    _wait(app)
    assert "n = 4 participants" in client.get(f"{place}/live").get_json()["html"]
    arrive().rank()
    monkeypatch.setattr(measuring, "QUERIES_AT_ONCE", 100)
    monkeypatch.setattr(agreement, "WAITS", 1_000_000)
    assert "n = 4 participants" in client.get(f"{place}/live").get_json()["html"]
    monkeypatch.setattr(agreement, "WAITS", 0)
    assert "n = 4 participants" in client.get(f"{place}/live").get_json()["html"]
    _wait(app)
    monkeypatch.setattr(agreement, "WAITS", 1_000_000)
    assert "n = 5 participants" in client.get(f"{place}/live").get_json()["html"]


def test_the_agreement_is_computed_again_after_the_clock_was_set_back(
    app, task_id, place, arrive, monkeypatch
):
    monkeypatch.setattr(agreement, "SLOW_SECONDS", -1)
    monkeypatch.setattr(agreement, "WAITS", 1_000_000)
    with app.app_context():
        task = db.session.get(RankingTask, task_id)
        agreement.agreement_so_far(db.session, task)
        last = cached().get(agreement.key_of(task))
    arrive().rank()
    with app.app_context():
        task = db.session.get(RankingTask, task_id)
        assert not agreement.is_due(task, agreement.stamp_of(db.session, task))
        cached().put(agreement.key_of(task), replace(last, at=last.at + 86_400))
        assert agreement.is_due(task, agreement.stamp_of(db.session, task))


@pytest.mark.parametrize("way", ["withdrawn", "excluded"])
def test_withdrawn_participants_are_neither_shown_nor_counted(
    app, client, place, arrive, by_jobs, monkeypatch, way
):
    monkeypatch.setattr(agreement, "SLOW_SECONDS", -1)
    _pages(client, place)
    _wait(app)
    study_id = int(place.split("/")[2])
    with app.app_context(), writing() as session:
        person = person_named(session, study_id, "P004")
        if way == "withdrawn":
            withdrawal.withdraw_person(session, person)
        else:
            exclusion.exclude(session, study_id, Excluded(participant_id=person.id), "late")
        # The cache is not emptied, as that of another host for the first seconds.
    # More is submitted than was before.
    arrive().rank()
    arrive().rank()
    live = client.get(f"{place}/live").get_json()["html"]
    assert "n = 4 participants" not in live and "being computed" in live
    _wait(app)
    quality, csv, exclusions, live = _pages(client, place)
    assert "n = 5 participants" in live
    if way == "withdrawn":
        assert "P004" not in quality + csv + exclusions
    else:
        assert "P004" in quality and ">P004<" not in exclusions.split("Excluded when")[-1]
    agreed = {row.split(",")[0]: row.split(",")[-3] for row in csv.splitlines()[1:]}
    # The others agree completely without the participant who reversed the scale.
    assert {agreed[code] for code in ("P001", "P002", "P003")} == {"1"}


def test_a_withdrawal_during_the_job_leaves_no_results(app, place, monkeypatch):
    task_id = int(place.split("/")[4])

    def leave(session, task):
        cache.clear_everywhere(app.config["SETTINGS"])

    monkeypatch.setattr(measuring.answered, "answered_in", leave)
    with app.app_context():
        task = db.session.get(RankingTask, task_id)
        clears = cached().clears
        measuring.job_of(db.session, task)
        measuring.measure(lambda *_: None, task_id)
        assert cached().clears > clears
        assert cached().get(("scores", task_id)) is not None
