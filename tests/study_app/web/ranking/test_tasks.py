"""The researcher's pages of ranking: a task made, opened, looked on, closed."""

import pytest

from study_app.core.database import db
from study_app.models.ranking import RankingTask
from study_app.stimuli.importing.run import ImportChoice, import_paths
from tests.ranking_form import FORM, make_by_form
from tests.ranking_setup import draw_pictures, make_task, set_of


def test_a_task_is_made_from_a_table(app, client, study_id, table):
    answer = make_by_form(client, study_id, table)
    assert answer.status_code == 302
    page = client.get(answer.headers["Location"]).get_data(as_text=True)
    assert "0 of 5" in page and "<strong>very</strong> is most similar" in page
    with app.app_context():
        task = db.session.query(RankingTask).one()
        assert [len(query.candidates) for query in task.queries] == [6, 6]
        assert task.questions[0]["name"] == "age_band"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"most_similar_end": ""}, "which end of the scale"),
        ({"points": ""}, "Points of the scale must be a whole number, 2–11."),
        ({"quota": "many"}, "Participants for each query must be a whole number, 1–10,000."),
    ],
)
def test_invalid_forms_are_refused_and_nothing_is_stored(
    app, client, study_id, table, changes, message
):
    answer = make_by_form(client, study_id, table, **changes)
    assert answer.status_code == 400
    assert message in answer.get_data(as_text=True)
    with app.app_context():
        assert db.session.query(RankingTask).count() == 0


def test_a_slider_needs_no_points(app, client, study_id, table):
    make_by_form(client, study_id, table, scale="slider", points="")
    with app.app_context():
        assert db.session.query(RankingTask).one().points is None


def test_folders_can_be_posted_as_queries(app, client, study_id, table, tmp_path):
    with app.app_context():
        sketches = set_of(db.session, study_id, "sketches").id
    answer = client.post(
        f"/studies/{study_id}/ranking/new", {**FORM, "source": "sets", "sketch_set": sketches}
    )
    assert answer.status_code == 400
    assert "there is no set of images" in answer.get_data(as_text=True)
    with app.app_context():
        for name in ("q1", "q2"):
            folder = draw_pictures(tmp_path / name, [f"{name}-{n}" for n in range(4)])
            import_paths(app.config["SETTINGS"], ImportChoice(study_id, name), [folder])
    answer = client.post(
        f"/studies/{study_id}/ranking/new", {**FORM, "source": "sets", "sketch_set": sketches}
    )
    assert answer.status_code == 302
    with app.app_context():
        queries = db.session.query(RankingTask).one().queries
        assert [(q.stimulus.name, len(q.candidates)) for q in queries] == [("q1", 4), ("q2", 4)]


def test_a_task_of_another_study_is_not_found(app, client, study_id, tmp_path):
    task_id = make_task(app, tmp_path / "other", study="Other")
    for page in ("", "live", "queries", "texts", "platform", "queries/pick", "settings"):
        assert client.get(f"/studies/{study_id}/ranking/{task_id}/{page}").status_code == 404


def test_the_step_shows_the_progress_of_ranking(app, client, study_id, table):
    make_by_form(client, study_id, table)
    assert "0 of 5" in client.get(f"/studies/{study_id}").get_data(as_text=True)
