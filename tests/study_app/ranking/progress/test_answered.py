"""Measures of a participant's answers by hand, during the sitting and afterwards."""

import pytest

from study_app.core.database import db
from study_app.models.ranking import RankingTask
from study_app.ranking.progress.answered import Answered, answered_in, same_shares_in
from study_app.ranking.scores.entries import Entry


def _found(app, task_id):
    with app.app_context():
        task = db.session.get(RankingTask, task_id)
        return answered_in(db.session, task), same_shares_in(db.session, task)


def test_by_hand(app, task_id, arrive):
    somebody = arrive()
    (position, _, images), (other, _, rest) = somebody.queries
    times, values = (100, 200, 400, 900, 1000), (1, 1, 1, 2, 3)
    given = zip(images, times, values, strict=False)
    for at, (image, ms, value) in enumerate(given):
        somebody.send(Entry(f"first-{at:06}", "score", position, image, value, response_ms=ms))
    somebody.send(Entry("not-loaded", "not_loaded", position, images[5], response_ms=5000))
    again = {"in_review": True, "response_ms": 50}
    somebody.send(Entry("a-review-1", "score", position, images[0], 2, **again))
    answered, same = _found(app, task_id)
    # Times of five scores: median 400; with the image that did not load, 650.
    assert answered == {somebody.sitting_id: Answered(6, 5, 400.0, 2 / 5, 3, 2650, 650.0)}
    # After the review: 2, 1, 1, 2, 3.
    assert same == {somebody.sitting_id: pytest.approx(2 / 5)}
    somebody.send(Entry("submitted-1", "submitted", position))
    entries = [Entry(f"rest-{n:06}", "score", other, n, 7, response_ms=400) for n in rest]
    somebody.send(*entries, Entry("submitted-2", "submitted", other))
    for _ in range(2):
        answered, same = _found(app, task_id)
        assert answered == {somebody.sitting_id: Answered(12, 11, 400.0, 2 / 11, 6, 5050, 400.0)}
        assert same == {somebody.sitting_id: pytest.approx(6 / 11)}
