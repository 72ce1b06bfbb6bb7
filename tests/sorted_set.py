"""A set of six letters, sorted by four people, and one of four chairs, sorted by three."""

import pytest

from study_app.core.database import writing
from study_app.models import StimulusSet
from tests.study_app.judged import make_set, sort_set

STIMULI = ["a", "b", "c", "d", "e", "f"]


SORTED = [[0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 2, 2], [0, 0, 1, 1, 1, 2], [0, 1, 1, 1, 2, 2]]


@pytest.fixture
def set_id(app, study_id):
    """A set without sittings."""
    with app.app_context(), writing() as session:
        return make_set(session, study_id, "letters", STIMULI).id


@pytest.fixture
def sorted_set(app, set_id):
    """The set, sorted by four people."""
    with app.app_context(), writing() as session:
        sort_set(session, session.get(StimulusSet, set_id), SORTED)
    return set_id


@pytest.fixture
def sorted_chairs(session, study_id):
    """A set of four chairs, sorted by three assessors, two of them alike."""
    with writing():
        made = make_set(session, study_id, "chairs", ["a", "b", "c", "d"])
        sort_set(session, made, [[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]])
        return made.id
