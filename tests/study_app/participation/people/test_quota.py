"""The total number of participants, and the places of those who are away."""

import pytest

from study_app.core.database import db, writing
from study_app.models.ranking import RankingTask
from study_app.participation.refusals import NoPlaceLeft
from study_app.ranking.allocation import quota
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task


def test_a_quota_of_participants_is_balanced_over_the_queries(app, tmp_path):
    task_id = make_task(app, tmp_path / "p", queries=6, images=2, part_size=4, quota=1)
    with app.app_context(), writing() as session:
        session.get(RankingTask, task_id).people = 8
    for _ in range(8):
        Participant(app, make_link(app, task_id))
    with app.app_context():
        # 8 people x 4 of 6 queries: 32 places, so that every query has five or six.
        taken = quota.taken(db.session, db.session.get(RankingTask, task_id)).values()
        assert sum(taken) == 32 and set(taken) == {5, 6}
    with pytest.raises(NoPlaceLeft):
        Participant(app, make_link(app, task_id))
