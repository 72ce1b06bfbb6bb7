"""The form of a ranking task, sent as the page does."""

import io

import pytest

from tests.ranking_setup import make_stimuli

FORM = {
    "name": "Similarity",
    "source": "table",
    "wording": "How similar?",
    "scale": "points",
    "points": "7",
    "low_label": "very",
    "high_label": "not at all",
    "most_similar_end": "low",
    "quota": "5",
    "hold_minutes": "60",
    "repeats": "0",
    "checks": "0",
    "seed": "1",
    "questions": "Age band: 18–29 | 30–44\n",
}


@pytest.fixture
def table(app, study_id, tmp_path):
    """The table of a study with stimuli."""
    with app.app_context():
        return make_stimuli(app, study_id, tmp_path / "p")


def make_by_form(client, study_id, table, **changes):
    form = {**FORM, "table": (io.BytesIO(table.encode()), "queries.csv"), **changes}
    return client.post(f"/studies/{study_id}/ranking/new", form, content_type="multipart/form-data")
