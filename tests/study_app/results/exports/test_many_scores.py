"""Many scores and tables of many cards are written as they are read, never all at once."""

import tracemalloc

import pytest

from basics.progress import silent
from study_app.core.caching.cache import cached
from study_app.core.database import db, writing
from study_app.models import Study
from study_app.models.ranking import RankingTask
from study_app.ranking.scores.arrays import key_of
from study_app.results.exports import export_study, ranking, sorting
from study_app.results.exports.names import Pseudonyms
from study_app.results.exports.tables import Tables
from study_app.results.gold import tasks
from tests.bench.large_studies import Size, build
from tests.export_fixtures import read_rows

PEOPLE, QUERIES, IMAGES = 40, 10, 20
CARDS = 3_000


@pytest.fixture
def large(app):
    """A study with 8,000 scores."""
    with app.app_context(), writing() as session:
        return build(session, Size(QUERIES, 1, PEOPLE, QUERIES, IMAGES))["study_id"]


def test_scores_of_many_participants_are_written_as_they_are_read(session, large, tmp_path):
    codes = {f"W{number:05d}": f"W{number:05d}" for number in range(PEOPLE)}
    tracemalloc.start()
    try:
        ranking.write(session, session.get(Study, large), Tables(tmp_path), codes)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    of_one = [f"subject-W00007_{ranking.TASK}", f"raw/subject-W00007_{ranking.TASK}"]
    scores, entries = (read_rows(tmp_path / "data" / name) for name in of_one)
    assert len(scores) == len(entries) == QUERIES * IMAGES
    assert {row["participant_id"] for row in scores} == {"W00007"}
    assert [row["row_id"] for row in entries] == [str(n) for n in range(1, len(entries) + 1)]
    # All rows at once need 19 MB.
    assert most < 4_000_000


def test_an_export_keeps_no_scores_in_memory(app, tmp_path):
    with app.app_context():
        with writing() as session:
            known = build(session, Size(4, 1, 5, 3, 4))
        export_study(app.config["SETTINGS"], known["study_id"], tmp_path, silent)
        assert (tmp_path / "data" / "derived" / "task-Task1" / "ratings.csv").exists()
        assert cached().get(key_of(known["task_id"])) is None
        assert tasks.ready(db.session(), db.session.get(RankingTask, known["task_id"])) is None


def test_a_table_of_many_cards_is_written_as_it_is_read(app, session, tmp_path):
    with app.app_context(), writing() as inner:
        study_id = build(inner, Size(CARDS, 1, 1, 1, 1))["study_id"]
    study = session.get(Study, study_id)
    tracemalloc.start()
    try:
        sorting.write(session, study, Tables(tmp_path), Pseudonyms())
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    tidy, raw = (
        read_rows(tmp_path / "data" / folder / f"session-T001_{sorting.TASK}")
        for folder in ("", "raw")
    )
    assert len(tidy) == CARDS
    assert [row["row_id"] for row in raw] == [str(n) for n in range(1, len(raw) + 1)]
    assert [row["stimulus_id"] for row in raw if row["stimulus_id"]] == [
        row["stimulus_id"] for row in tidy
    ]
    # With an object for each card, it was 6 MB.
    assert most < 4_000_000
