"""The scores of many participants are written as they are read, never all at once."""

import tracemalloc

import pytest

from study_app.core.database import writing
from study_app.models import Study
from study_app.results.exports import ranking
from study_app.results.exports.tables import Tables
from tests.bench.large_studies import Size, build
from tests.export_fixtures import read_rows

PEOPLE, QUERIES, IMAGES = 40, 10, 20


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
    assert most < 3_000_000
