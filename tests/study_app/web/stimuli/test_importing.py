"""Pictures are uploaded in pieces, imported and reported."""

import io
import json

import pytest

from study_app.core.database import db, writing
from study_app.models import Job
from tests.study_app.stimuli.importing.pictures_made import png, zipped


def test_files_are_imported_and_reported(client, upload, study_id, app):
    page, job = upload(
        {"chairs/1.png": png(1), "chairs/2.png": png(2), "chairs/notes.txt": b"hello"},
        set_name="chairs",
    )
    assert job["state"] == "done"
    assert job["message"] == "2 imported, 1 refused."
    report = client.get(page).get_data(as_text=True)
    assert "notes.txt" in report and "is not a picture" in report
    assert "chairs" in client.get(f"/studies/{study_id}/sketches/").get_data(as_text=True)
    assert list((app.config["SETTINGS"].instance / "uploads").iterdir()) == []


def test_one_set_per_folder(upload, app, study_id):
    _, job = upload({"a/1.png": png(1), "b/1.png": png(1), "z.zip": zipped({"x.png": png(2)})})
    assert job["result"]["sets"] == {"a": 1, "b": 1, "z": 1}


def test_a_folder_of_folders_becomes_a_ranking_task(client, upload, study_id):
    files = {"t/sketches/cat.png": png(1), "t/cat/1.png": png(2), "t/cat/2.png": png(3)}
    page, job = upload(files, task={"name": "Alike?", "most_similar_end": "low"})
    assert job["result"]["sets"] == {"cat": 2, "sketches": 1}
    report = client.get(page).get_data(as_text=True)
    assert f'href="/studies/{study_id}/ranking/{job["result"]["task_id"]}/"' in report
    room = client.post(f"/studies/{study_id}/sketches/uploads").get_json()
    for form in ({"name": "B"}, {"name": "Alike?", "most_similar_end": "low"}, "B"):
        assert client.post(room["finish"], json={"task": form}).status_code == 400


def test_another_job_is_no_import(client, study_id, app):
    with app.app_context(), writing() as session:
        export = Job(study_id=study_id, kind="export", state="done", message="1 table")
        session.add(export)
        session.flush()
        address = f"/studies/{study_id}/sketches/imports/{export.id}"
    assert client.get(address).status_code == 404


def test_an_empty_import_is_reported(client, upload):
    page, job = upload({"notes.txt": b"hello"}, set_name="chairs")
    assert job["state"] == "failed"
    assert "notes.txt: is not a picture" in client.get(page).get_data(as_text=True)


def test_uploaded_names_are_escaped(client, upload, app):
    hostile = "<script>alert(1)</script>/../../evil.png"
    page, _ = upload({hostile: b"x", "a.png": png(1)}, set_name="<b>chairs</b>")
    report = client.get(page).get_data(as_text=True)
    assert "<script>alert" not in report and "&lt;script&gt;alert" in report
    assert "<b>chairs" not in report
    assert not list(app.config["SETTINGS"].instance.rglob("evil*"))


def test_pieces_and_their_description_must_match(client, study_id):
    room = client.post(f"/studies/{study_id}/sketches/uploads").get_json()
    for about in ("", "[]", "{", '{"a": 1}', "[null]"):
        form = {"about": about, "pieces": [(io.BytesIO(b"x"), "piece")]}
        answer = client.post(room["pieces"], form, headers={"Accept": "application/json"})
        assert answer.status_code == 400
        assert answer.get_json()["error"]


@pytest.mark.parametrize("task", [None, {"name": "Alike?", "most_similar_end": "low"}])
def test_an_upload_whose_import_could_not_be_started_can_be_imported(app, client, study_id, task):
    room = client.post(f"/studies/{study_id}/sketches/uploads").get_json()
    about = json.dumps([{"number": 0, "name": "1.png", "offset": 0}])
    client.post(room["pieces"], {"about": about, "pieces": [(io.BytesIO(png(1)), "piece")]})
    with app.app_context(), db.engine.begin() as connection:
        connection.exec_driver_sql(
            "CREATE TRIGGER away BEFORE INSERT ON job BEGIN SELECT RAISE(ABORT, 'away'); END"
        )
    assert client.post(room["finish"], json={"task": task}).status_code == 500
    with app.app_context(), db.engine.begin() as connection:
        connection.exec_driver_sql("DROP TRIGGER away")
    assert client.post(room["finish"], json={"task": task}).status_code == 200
    assert client.post(room["finish"], json={"task": task}).status_code in (404, 409)


def test_an_upload_belongs_to_its_study(client, study_id):
    room = client.post(f"/studies/{study_id}/sketches/uploads").get_json()
    elsewhere = room["finish"].replace(f"/studies/{study_id}/", "/studies/99/")
    assert client.post(elsewhere, json={}).status_code == 404
