"""The guide leads through the pages of the demo study, and shows in no other."""

import re

import pytest

from study_app.core.database import writing
from study_app.models import StimulusSet
from study_app.models.people import StudyMember
from study_app.models.ranking import RankingTask
from study_app.studies import studies
from study_app.web.studies.guide import STOPS
from tests.ranking_setup import make_task
from tests.study_app.judged import make_set, sort_set


@pytest.fixture
def demo_id(app):
    """A study with a sorted set, named and marked as the demo is."""
    with app.app_context(), writing() as session:
        study_id = studies.make(session, studies.DEMO, simulated=True).id
        sort_set(
            session, make_set(session, study_id, "letters", "abcd"), [[0, 0, 1, 1], [0, 0, 0, 1]]
        )
        return study_id


def test_next_visits_every_existing_page(client, demo_id):
    address, seen = f"/studies/{demo_id}", []
    while address:
        answer = client.get(address, follow_redirects=True)
        assert answer.status_code == 200
        page = answer.get_data(as_text=True)
        (title,) = re.findall(r'aria-current="step">\s*([^<]+?)\s*</a>', page)
        seen.append(title)
        following = re.search(r'href="([^"]+)" rel="next"', page)
        address = following and following[1]
    # This one has no participants.
    assert seen == [stop.title for stop in STOPS if stop.title != "Ranking"]
    assert len(STOPS) == 8


def test_other_pages_link_to_the_first_stop(client, demo_id):
    page = client.get(f"/studies/{demo_id}/members/").get_data(as_text=True)
    assert re.search(rf'href="/studies/{demo_id}" rel="next">\s*Start', page)


def test_a_conductor_reads_only_about_what_conductors_can_see_and_do(app, client, demo_id):
    told = {}
    for role in ("owner", "conductor"):
        with app.app_context(), writing() as session:
            session.query(StudyMember).filter_by(study_id=demo_id).one().role = role
            set_id = session.query(StimulusSet.id).filter_by(study_id=demo_id).one()[0]
        pages = (f"/studies/{demo_id}", f"/studies/{demo_id}/sketches/sets/{set_id}")
        told[role] = [client.get(page).get_data(as_text=True) for page in pages]
    assert ["assessors agree" in told[role][0] for role in told] == [True, False]
    assert ["Dropping a folder" in told[role][1] for role in told] == [True, False]


def test_only_the_demo_study_has_a_tour(app, client, study_id):
    assert "Two-minute tour" not in client.get(f"/studies/{study_id}").get_data(as_text=True)
    with app.app_context(), writing() as session:
        named = studies.make(session, studies.DEMO).id
    assert "Two-minute tour" not in client.get(f"/studies/{named}").get_data(as_text=True)


def test_a_preview_has_neither_the_tour_nor_its_script(app, client, tmp_path):
    task_id = make_task(app, tmp_path / "pictures", study=studies.DEMO)
    with app.app_context(), writing() as session:
        study = session.get_one(RankingTask, task_id).study
        study.simulated = True
        study_id = study.id
    assert "guide.js" in client.get(f"/studies/{study_id}").get_data(as_text=True)
    page = client.get(f"/studies/{study_id}/ranking/{task_id}/preview/").get_data(as_text=True)
    assert "Preview" in page and "guide" not in page
