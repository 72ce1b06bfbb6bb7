"""Participants are found by their codes, and counted."""

import pytest

from study_app.core.database import db
from study_app.core.errors import NotFound
from study_app.models.ranking import RankingTask
from study_app.participation.people import people


def test_people_are_found_by_code_and_listed_by_part_of_it(app, task_id, arrive):
    for _ in range(2):
        arrive()
    with app.app_context():
        task = db.session.get(RankingTask, task_id)
        assert people.count_people(db.session, task) == 2
        assert people.count_people(db.session, task, "002") == 1
        person = people.person_named(db.session, task.study_id, "P002")
        assert people.web_sitting_of(db.session, person).participant_id == person.id
        with pytest.raises(NotFound, match="P00"):
            people.person_named(db.session, task.study_id, "P00")
