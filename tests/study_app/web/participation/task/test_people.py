"""The list of platform IDs: totals on top, a decision or a person at a time, in parts."""

import re

import pytest

from study_app.core.database import db
from study_app.models.ranking import RankingTask
from study_app.web.participation.task import people
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task


@pytest.fixture
def address(app, tmp_path):
    """The page of a task that four of a platform's people have begun and one has finished."""
    task_id = make_task(app, tmp_path / "pictures", quota=20)
    link = make_link(app, task_id, kind="prolific")
    for number in range(5):
        person = Participant(app, link, PROLIFIC_PID=f"pid-{number}")
        if number == 2:
            person.rank()
    with app.app_context():
        study_id = db.session.get(RankingTask, task_id).study_id
    return f"/studies/{study_id}/ranking/{task_id}/platform"


def test_the_list_can_be_filtered_and_searched_and_comes_in_parts(client, address, monkeypatch):
    def shown(query):
        page = client.get(address + query).text
        totals = re.findall(r"decision=\w+\"[^>]*>(\w+) (\d+)</a>", page)
        # The totals are always those of all.
        assert totals == [("approve", "1"), ("wait", "4")]
        assert "Delete 5 platform IDs" in page
        return re.findall(r'data-name="ID"><code>([^<]+)</code>', page)

    everybody = [f"pid-{number}" for number in range(5)]
    assert shown("") == everybody
    assert shown("?decision=approve") == shown("?find=pid-2") == shown("?find=P003") == ["pid-2"]
    assert shown("?find=nobody") == []
    monkeypatch.setattr(people, "PAYMENTS_A_PAGE", 2)
    assert [shown(f"?page={number}") for number in (1, 2, 3)] == [
        everybody[:2],
        everybody[2:4],
        everybody[4:],
    ]
    assert shown("?decision=wait&page=2") == ["pid-3", "pid-4"]
