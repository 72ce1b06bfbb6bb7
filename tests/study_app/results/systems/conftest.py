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
    images = ["a", "b", "c"]
    none, nobody = np.empty(0, dtype=int), np.empty(0, dtype=bool)
    ratings = Ratings([], [], [], none, none, none, np.empty(0), nobody, "high", [])
    return TaskGold("mark", ratings, ["P1", "P2"], ["q", "r"], [images, images], scores, found)
