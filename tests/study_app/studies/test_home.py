"""The home page shows the sets and tasks of a study, each with its progress and agreement."""

import re

import pytest

from study_app.core.background import jobs
from study_app.core.database import db, writing
from study_app.models import Sitting, Study
from study_app.models.systems import GoldFigure
from study_app.participation.people.exclusion import Excluded, exclude, undo
from study_app.ranking.tasks import tasks
from study_app.ranking.tasks.tasks import TaskChoice
from study_app.results.gold import sets
from study_app.sittings.sittings import find
from study_app.studies import home
from tests.study_app.judged import make_set, sort_set
from tests.waiting import until

SORTED = [[0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 1, 1]]


@pytest.fixture
def letters(app, study_id):
    """A set that three of four assessors have sorted."""
    with app.app_context(), writing() as session:
        made = make_set(session, study_id, "letters", "abcd")
        sort_set(session, made, [*SORTED, SORTED[0]])
        session.query(Sitting).order_by(Sitting.id.desc()).first().state = "planned"
        return made.id


def test_a_set_has_its_pictures_its_sittings_and_its_agreement(session, study_id, letters):
    study = session.get(Study, study_id)
    (one,) = home.home(session, study).sets
    assert ([s.name for s in one.few], one.count) == (list("abcd"), 4)
    assert (one.finished, one.planned, one.figure) == (3, 4, None)
    mean = sets.compute(one.set.id).result.mean
    session.rollback()
    figure = session.query(GoldFigure).one()
    assert (figure.value, figure.chance, figure.people) == (mean.f, mean.f_random, 3)


@pytest.fixture
def shown(client, study_id):
    """The text of the home page, its agreement and n, and the job it waits for."""

    def shown():
        page = client.get(f"/studies/{study_id}").text
        text = re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", page))
        agreement = re.search(r"Agreement F.*?n = \d+( of \d+)?", text)
        job = re.search(r'data-job="[^"]*?(\d+)" data-reload', page)
        return text, agreement and agreement[0], job and int(job[1])

    return shown


def _wait(app):
    def ended():
        with app.app_context():
            return not jobs.are_running()

    until(ended)


def test_the_page_says_agreement_with_chance_and_n(client, study_id, letters, shown):
    text, agreement, job = shown()
    assert "letters 4 pictures" in text and "3 of 4 sittings finished" in text
    assert re.fullmatch(r"Agreement F \.\d\d · by chance \.\d\d · n = 3", agreement)
    assert job is None
    page = client.get(f"/studies/{study_id}").text
    assert page.count("/thumbnails/") == 4 and f"/gold/sets/{letters}" in page


def test_the_page_waits_for_a_job_if_the_agreement_takes_long(
    app, study_id, letters, shown, monkeypatch
):
    monkeypatch.setattr(sets, "AT_ONCE", 0)
    _, agreement, job = shown()
    assert agreement is None and job
    _wait(app)
    _, agreement, job = shown()
    assert agreement.endswith("n = 3") and job is None


def test_an_old_agreement_is_shown_with_its_n_until_a_job_has_computed_it_again(
    app, study_id, letters, shown, monkeypatch
):
    assert shown()[1].endswith("n = 3")
    monkeypatch.setattr(sets, "AT_ONCE", 0)
    with app.app_context(), writing() as session:
        session.query(Sitting).filter_by(state="planned").one().state = "finished"
    _, agreement, job = shown()
    assert agreement.endswith("n = 3") and job is None
    _wait(app)
    assert shown()[1].endswith("n = 4")


def test_a_figure_of_other_judgments_is_replaced_if_the_result_is_cached(app, letters, shown):
    before = shown()[1]
    with app.app_context(), writing() as session:
        figure = session.query(GoldFigure).one()
        figure.fingerprint, figure.people = "of judgments before a change that was undone", 2
    assert shown()[1] == before


def test_an_agreement_that_is_undefined_is_computed_once(app, study_id, shown):
    with app.app_context(), writing() as session:
        made = make_set(session, study_id, "letters", "ab")
        # Nobody placed what the other one did.
        sort_set(session, made, [[0, -1], [-1, 0]])
    assert shown()[1:] == (None, None) and shown()[1:] == (None, None)
    with app.app_context():
        assert jobs.newest(study_id, "gold") is None


def test_an_excluded_assessor_is_left_out_at_once_and_counted_beside(app, study_id, letters, shown):
    _, before, _ = shown()
    with app.app_context():
        what = Excluded(sitting_id=find(db.session, study_id, "T001").id)
    with app.app_context(), writing() as session:
        made = exclude(session, study_id, what, "drunk").id
    assert before.endswith("n = 3") and shown()[1].endswith("n = 2 of 3")
    with app.app_context(), writing() as session:
        undo(session, study_id, made)
    assert shown()[1] == before


def test_the_home_page_shows_the_first_of_many_sets(session, study_id):
    for number in range(home.MOST + 2):
        make_set(session, study_id, f"s{number}", "ab")
    shown = home.home(session, session.get(Study, study_id))
    assert (len(shown.sets), shown.set_count) == (home.MOST, home.MOST + 2)


def test_a_study_shows_the_steps_of_its_methods_and_those_with_data(client, study_id, letters):
    def names():
        page = client.get(f"/studies/{study_id}").text
        return re.findall('<span class="name">([^<]*)</span> <span class="state">', page)

    def change(methods):
        form = {"name": "Chairs", "methods": methods}
        return client.post(f"/studies/{study_id}", form).status_code

    assert names() == ["Pictures", "Cards", "Sittings", "Ranking", "Gold standard", "Systems"]
    assert change("sorting") == 302
    assert names() == ["Pictures", "Cards", "Sittings", "Gold standard", "Systems"]
    assert change("ranking") == 302
    assert names() == ["Pictures", "Sittings", "Ranking", "Gold standard", "Systems"]
    assert change("tasting") == 400
    client.post("/studies", {"name": "Web only", "methods": "ranking"})
    page = client.get("/studies/2").text
    assert "Cards" not in page and "Ranking" in page


def test_the_step_of_several_tasks_counts_tasks_and_adds_no_participants(client, app, study_id):
    with app.app_context(), writing() as session:
        for name in ("First", "Second"):
            tasks.make_task(session, study_id, TaskChoice(name, "low", "q", "a", "b"))
    page = client.get(f"/studies/{study_id}").text
    assert '<span class="name">Ranking</span> <span class="state">0 of 2 tasks</span>' in page
