"""Lost, wrong and doubled scores as the ranking benchmark counts them."""

from types import SimpleNamespace

import pytest
from sqlalchemy import inspect

from study_app.core.database import db, writing
from study_app.models.ranking import Score, ScoreEntry
from tests.bench.ranking_clients import compare


@pytest.fixture
def finished(arrive):
    """A client whose scores of all images were acknowledged."""
    somebody = arrive()
    value = {image: 1 + image % 7 for _, _, order in somebody.queries for image in order}
    somebody.rank(value.get)
    places = [(position, image) for position, _, order in somebody.queries for image in order]
    return SimpleNamespace(
        base=f"/take-part/{somebody.token}/",
        saved={place: value[place[1]] for place in places},
        keys={f"{somebody.sitting_id}-{position}-{image}" for position, image in places},
    )


def _compared(app, finished):
    return compare(app.config["SETTINGS"], [finished])


def test_matching_scores_are_counted(app, finished):
    counts = _compared(app, finished)
    assert (counts["scores"], counts["entries"]) == (12, 12)
    assert not any(counts[fault] for fault in ("lost", "wrong", "doubled", "unknown"))


def test_an_extra_row_counts_as_doubled(app, finished):
    with app.app_context(), writing() as session:
        one = session.query(ScoreEntry).first()
        columns = {c.key: getattr(one, c.key) for c in inspect(ScoreEntry).column_attrs}
        session.add(ScoreEntry(**{**columns, "id": None, "key": "the-same-again"}))
    counts = _compared(app, finished)
    assert (counts["doubled"], counts["entries"], counts["lost"]) == (1, 12, 0)


def test_lost_changed_and_unknown_scores_are_distinguished(app, finished):
    with app.app_context(), writing() as session:
        scores = session.query(Score).all()
        session.delete(scores[0])
        scores[1].value = 8 - scores[1].value if scores[1].value != 4 else 5
        session.delete(session.query(ScoreEntry).first())
    finished.saved.popitem()
    counts = _compared(app, finished)
    assert (counts["wrong"], counts["unknown"], counts["entries"]) == (1, 1, 11)
    # A score that is missing, and an entry that was deleted.
    assert counts["lost"] == 2
    with app.app_context():
        assert db.session.query(ScoreEntry).count() == 11
