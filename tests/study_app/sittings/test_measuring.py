"""Many sittings are measured by a job; pages then show the same numbers as without it."""

import re
import threading
from types import SimpleNamespace

import pytest

from study_app.core.caching.cache import cached
from study_app.core.database import db, writing
from study_app.models import Job, Sitting, Study
from study_app.participation.people import exclusion
from study_app.participation.people.exclusion import Excluded
from study_app.sittings import measuring, overview
from study_app.studies.people import rules
from tests.study_app.judged import make_set, sort_set
from tests.waiting import until

ALIKE, ALONE = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3], [*range(12)]


@pytest.fixture
def pages(app, client, study_id):
    """Asks for the pages of a set that three people sort alike and a fourth does not."""
    with app.app_context(), writing() as session:
        letters = make_set(session, study_id, "letters", [*"abcdefghijkl"])
        sort_set(session, letters, [ALIKE, ALIKE, ALIKE, ALONE])
        rules.set_rule(session, session.get(Study, study_id), "same_answer", 90)

    def asked():
        study = f"/studies/{study_id}"
        paths = f"{study}/sittings/quality", f"{study}/people/exclusions"
        found = [client.get(path).get_data(as_text=True).split("<main")[-1] for path in paths]
        return [re.sub(r'(csrf[^>]* value=)"[^"]*"', r"\1", page) for page in found]

    return asked


def test_pages_show_the_same_numbers_from_a_job_as_computed_directly(
    app, client, study_id, pages, monkeypatch
):
    expected = pages()
    assert all("T004" in page for page in expected)
    with app.app_context():
        cached().clear()
    monkeypatch.setattr(measuring, "PLACED_AT_ONCE", 0)
    # The job waits until the pages that show its progress have been seen.
    seen, held = threading.Event(), SimpleNamespace(**vars(overview))
    held.lines = lambda *asked: seen.wait(60) and overview.lines(*asked)
    monkeypatch.setattr(measuring, "overview", held)
    file = client.get(f"/studies/{study_id}/sittings/quality.csv")
    assert file.status_code == 302 and file.location.endswith("/sittings/quality")
    waiting, _ = pages()
    assert "data-job" in waiting and "T004" not in waiting
    seen.set()
    _wait(app)
    assert pages() == expected
    # Excluded assessors are in neither, before and after the job.
    with app.app_context(), writing() as session:
        gone = session.query(Sitting).filter_by(number=4).one()
        exclusion.exclude(session, gone.study_id, Excluded(sitting_id=gone.id), "late")
    quality, exclusions = pages()
    assert "data-job" in quality and "T004:" not in exclusions
    _wait(app)
    assert "T003" in pages()[0] and "T004" not in pages()[0]
    with app.app_context():
        assert db.session.query(Job).filter_by(kind=measuring.KIND).count() == 2


def _wait(app):
    def ended():
        with app.app_context():
            return not db.session.query(Job).filter_by(state="running").count()

    until(ended)
