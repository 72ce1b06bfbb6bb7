"""A folder of folders becomes a ranking task, or is refused before anything is stored."""

import zipfile

import pytest

from study_app.core.background import jobs
from study_app.core.errors import StudyError
from study_app.core.storage import pictures as stored
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.stores import StoreUnavailable
from study_app.models import StimulusSet
from study_app.models.ranking import RankingTask
from study_app.ranking.refusals import ListUnclear
from study_app.ranking.tasks import folder_import, tasks
from study_app.stimuli.importing import uploads
from study_app.stimuli.importing.sources import Named, files_of
from tests.ranking_setup import draw_pictures
from tests.waiting import until

BIRDS, PLANES = [f"b{n}" for n in range(3)], [f"p{n}" for n in range(2)]


def _folders(place, sketches="sketches", **folders):
    folders = {sketches: ["01_airplane", "bird"], **folders}
    for name, pictures in folders.items():
        draw_pictures(place / name, pictures)
    return place


def _task(place, sketches="sketches"):
    return _folders(place, sketches, **{"01_airplane": PLANES, "bird": BIRDS})


@pytest.mark.parametrize("sketches", ["sketches", "Queries", "drawn by hand"])
def test_the_task_has_a_query_for_each_sketch(app, session, study_id, tmp_path, sketches):
    files = files_of([_task(tmp_path / "task", sketches)])
    choice = folder_import.choice_of("Alike?", "high")
    report, task_id, _ = folder_import.import_task(app.config["SETTINGS"], study_id, choice, files)
    task = session.get(RankingTask, task_id)
    assert (report.imported, task.name, task.most_similar_end) == (7, "Alike?", "high")
    assert (task.low_label, task.high_label) == ("not similar", "very similar")
    asked = {q.stimulus.name: [c.stimulus.name for c in q.candidates] for q in task.queries}
    assert asked == {"01_airplane": PLANES, "bird": BIRDS}
    with pytest.raises(ListUnclear, match="already has a set '01_airplane'"):
        folder_import.import_task(app.config["SETTINGS"], study_id, choice, files)


def test_a_zip_is_imported_like_a_folder(tmp_path):
    place = _task(tmp_path / "task")
    with zipfile.ZipFile(tmp_path / "task.zip", "w") as packed:
        for file in sorted(place.rglob("*.png")):
            packed.write(file, file.relative_to(tmp_path))
    found = folder_import.layout_of([Named(tmp_path / "task.zip", "task.zip")])
    assert found.sketches == "sketches" and set(found.folders) == {
        "sketches",
        "01_airplane",
        "bird",
    }


@pytest.mark.parametrize(
    ("folders", "message"),
    [
        ({"bird": BIRDS}, "no images for the sketch '01_airplane'"),
        ({"01_airplane": PLANES, "bird": ["b"]}, "'bird' has 1 image; a query needs at least 2"),
        ({"01_airplane": PLANES, "bird": BIRDS, "cat": PLANES}, "'cat' belongs to no sketch"),
        ({"01_airplane": PLANES, "bird": BIRDS, "queries": PLANES}, "Several folders can be"),
    ],
)
def test_invalid_folders_are_refused_and_nothing_is_stored(
    app, session, study_id, tmp_path, folders, message
):
    files = files_of([_folders(tmp_path / "task", **folders)])
    choice = folder_import.choice_of("Alike?", "low")
    with pytest.raises(ListUnclear, match=message):
        folder_import.import_task(app.config["SETTINGS"], study_id, choice, files)
    assert session.query(StimulusSet).count() == 0


def test_a_failed_import_stores_no_sets(app, session, study_id, tmp_path):
    place = _task(tmp_path / "task")
    for name in BIRDS[1:]:
        (place / "bird" / f"{name}.png").write_bytes((place / "bird" / "b0.png").read_bytes())
    choice = folder_import.choice_of("Alike?", "low")
    with pytest.raises(StudyError, match="'bird' has 1 image"):
        folder_import.import_task(app.config["SETTINGS"], study_id, choice, files_of([place]))
    assert session.query(StimulusSet).count() == 0
    whole = files_of([_task(tmp_path / "whole")])
    report, *_ = folder_import.import_task(app.config["SETTINGS"], study_id, choice, whole)
    assert report.imported == 7


def test_an_import_whose_process_dies_leaves_no_sets_without_their_task(
    app, session, study_id, tmp_path, monkeypatch
):
    def die(*_):
        raise SystemExit

    place, settings = _task(tmp_path / "task"), app.config["SETTINGS"]
    choice, asked = folder_import.choice_of("Alike?", "low"), (settings, study_id)
    with monkeypatch.context() as dying, pytest.raises(SystemExit):
        dying.setattr(tasks, "make_task", die)
        folder_import.import_task(*asked, choice, files_of([place]))
    assert session.query(StimulusSet).count() == 0
    report, *_ = folder_import.import_task(*asked, choice, files_of([place]))
    assert report.imported == 7


def test_a_folder_without_sketches_is_refused(tmp_path):
    draw_pictures(tmp_path / "task" / "bird", BIRDS)
    draw_pictures(tmp_path / "task" / "cat", PLANES)
    with pytest.raises(ListUnclear, match="No folder can be the folder of sketches"):
        folder_import.layout_of(files_of([tmp_path / "task"]))


def test_an_import_begins_again_after_an_outage_and_makes_one_task(
    app, session, study_id, tmp_path, monkeypatch
):
    place, settings = _task(tmp_path / "task"), app.config["SETTINGS"]
    sent = [(f.relative_to(tmp_path).as_posix(), f.read_bytes()) for f in place.rglob("*.png")]
    save, saved = stored.save, []

    def away_once(*about):
        saved.append(about)
        if len(saved) == 5:
            raise StoreUnavailable("s3://bucket", "dispatch failure")
        return save(*about)

    monkeypatch.setattr(stored, "save", away_once)
    monkeypatch.setattr(jobs, "WRITE_PAUSE_SECONDS", 0)
    token = uploads.save(settings, study_id, sorted(sent))
    asked = {"token": token, "name": "Alike?", "most_similar_end": "high"}
    job_id = jobs.start(study_id, "import_task", **asked)

    def ended():
        session.rollback()
        job = jobs.find(study_id, job_id)
        return job.state != "running" and job

    job = until(ended)
    assert job.state == "done", job.message
    assert [task.name for task in session.query(RankingTask)] == ["Alike?"]
    assert {one.name: len(one.stimuli) for one in session.query(StimulusSet)} == {
        "sketches": 2,
        "01_airplane": 2,
        "bird": 3,
    }
    assert not any(store_of(settings).names("uploads"))
