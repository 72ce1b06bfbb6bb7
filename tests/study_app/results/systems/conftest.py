"""Judgments: a set sorted by three people, and a task ranked by two."""

import numpy as np
import pytest

from study_app.core.database import writing
from study_app.results.gold.tasks import TaskGold
from tests.study_app.judged import make_set, sort_set
from tests.study_app.results.systems.added_systems import SORTED, STIMULI


@pytest.fixture
def sorted_set(app, study_id):
    """A set that three people sorted; its number."""
    with app.app_context(), writing() as session:
        made = make_set(session, study_id, "letters", STIMULI)
        sort_set(session, made, SORTED)
        return made.id


@pytest.fixture
def task_gold():
    """Two people who ranked three images for two queries, and agree."""
    from analysis.ratings.task_agreement import study_ratings
    from study_app.ranking.scores.ratings import Ratings

    scores = np.array([[[7.0, 4, 1], [7, 4, 1]], [[6, 3, 2], [6, 3, 2]]])
    found = study_ratings([scores[:, 0], scores[:, 1]], "high")
    people, queries, images = ["P1", "P2"], ["q", "r"], ["a", "b", "c"]
    places = (place.ravel() for place in np.indices(scores.shape))
    real = np.zeros(2, dtype=bool)
    ratings = Ratings(people, queries, images, *places, scores.ravel(), real, "high", [])
    return TaskGold("mark", ratings, people, queries, [images, images], found)
