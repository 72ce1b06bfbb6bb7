"""Queries on the pages: added from folders, picked."""

import re

from study_app.core.database import db
from study_app.models.ranking import RankingTask
from study_app.stimuli.importing.run import ImportChoice, import_paths
from tests.ranking_form import make_by_form
from tests.ranking_setup import draw_pictures, set_of


def test_folders_are_added_to_an_existing_task(app, client, study_id, table, tmp_path):
    task = make_by_form(client, study_id, table, source="page").headers["Location"]
    queries = task.removesuffix("/pick")
    with app.app_context():
        for name in ("q1", "q2"):
            folder = draw_pictures(tmp_path / name, [f"{name}-{n}" for n in range(3)])
            import_paths(app.config["SETTINGS"], ImportChoice(study_id, name), [folder])
        sketches = set_of(db.session, study_id, "sketches").id
    form = {"source": "sets", "sketch_set": sketches}
    assert client.post(queries, form).status_code == 302
    assert client.get(queries).get_data(as_text=True).count('aria-label="Remove the query') == 2
    again = client.post(queries, form)
    assert again.status_code == 400
    assert "Two queries have the name" in again.get_data(as_text=True)


def test_queries_are_chosen_on_the_page(app, client, study_id, table):
    answer = make_by_form(client, study_id, table, source="page")
    assert answer.headers["Location"].endswith("/queries/pick")
    page = client.get(answer.headers["Location"]).get_data(as_text=True)
    sketches = re.findall(r'name="sketch"\s+value="(\d+)"', page)
    images = re.findall(r'name="images"\s+value="(\d+)"', page)
    form = {"sketch": sketches[0], "images": images[1:4], "practice": "yes"}
    assert client.post(answer.headers["Location"], form).status_code == 302
    with app.app_context():
        (query,) = db.session.query(RankingTask).one().queries
        assert (query.practice, len(query.candidates)) == (True, 3)
