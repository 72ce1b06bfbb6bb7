"""Places in queries are held for participants who are away, then freed."""

from datetime import timedelta

import pytest

from study_app.core.database import db, writing
from study_app.models import now
from study_app.models.participation import WebSitting
from study_app.participation.people import withdrawal
from study_app.participation.refusals import (
    NoPlaceLeft,
)
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task
from tests.sent_statements import sent_statements


def test_places_are_held_and_freed(app, tmp_path):
    task_id = make_task(app, tmp_path / "p", quota=1)
    first = Participant(app, make_link(app, task_id))
    with pytest.raises(NoPlaceLeft):
        Participant(app, make_link(app, task_id))
    with app.app_context(), writing() as session:
        session.get(WebSitting, first.sitting_id).seen_at = now() - timedelta(minutes=61)
    second = Participant(app, make_link(app, task_id))
    second.rank()
    with app.app_context(), writing() as session:
        withdrawal.withdraw(session, session.get(WebSitting, second.sitting_id), "researcher")
    Participant(app, make_link(app, task_id)).rank()


def test_all_queries_of_a_participant_are_stored_in_one_statement(app, tmp_path):
    token = make_link(app, make_task(app, tmp_path / "p", queries=5, quota=9))
    with app.app_context():
        engine = db.engine
    with sent_statements(engine) as sent:
        assert len(Participant(app, token).queries) == 5
    assert sum(text.startswith("INSERT INTO assigned_query") for text in sent) == 1
