"""Pages with nothing to show say what comes next, and link to it."""

import re

import pytest

from study_app.core.database import writing
from study_app.models import StimulusSet
from study_app.ranking.tasks import tasks
from study_app.ranking.tasks.tasks import TaskChoice
from study_app.studies import studies
from tests.bench.bench_growth import pages

EMPTY = re.compile(r'(?s)<(p|div) class="empty[^"]*"[^>]*>(.*?)</\1>')
LINK = re.compile(r"<(a|button)\s")
# The form is below; the comparison has found nothing, which is its result.
WITHOUT_LINK = {"sittings.page", "stimuli.near_duplicates"}


@pytest.fixture
def known(app):
    """The numbers of a study without pictures, and of its task without queries."""
    with app.app_context(), writing() as session:
        study = studies.make(session, "Nothing yet")
        task = tasks.make_task(session, study.id, TaskChoice("Task", "low", "q", "a", "b"))
        session.add(StimulusSet(study_id=study.id, name="cards", number=1))
        session.flush()
        return {"study_id": study.id, "task_id": task.id, "set_id": 1, "cards_id": 1}


def test_every_empty_page_links_to_the_next_step(app, client, known):
    lacking, found = {}, 0
    for name, path in pages(app, known):
        answer = client.get(path)
        if answer.status_code != 200 or answer.mimetype != "text/html":
            continue
        for _tag, inside in EMPTY.findall(answer.text):
            found += 1
            if not LINK.search(inside) and name not in WITHOUT_LINK:
                lacking[name] = " ".join(re.sub("<.*?>", "", inside).split())
    assert found > 10
    assert lacking == {}


def test_a_study_without_pictures_asks_for_pictures_before_results_from_elsewhere(client, study_id):
    page = client.get(f"/studies/{study_id}/sittings/import").text
    assert "This study has no pictures yet." in page and 'type="file"' not in page
