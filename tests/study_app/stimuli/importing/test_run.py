"""Whole imports: imported pictures, their names and numbers, and the report of the rest."""

import hashlib
import sys

import pytest
from sqlalchemy import func, select

from basics.wordings import unpacked
from study_app.core.background import jobs, workers
from study_app.core.database import db
from study_app.core.storage import pictures
from study_app.models import Picture, Stimulus
from study_app.stimuli import stimuli
from study_app.stimuli.importing import uploads
from study_app.stimuli.importing.run import ImportChoice, NothingImported, import_paths
from tests.study_app.stimuli.importing.pictures_made import (
    line,
    png,
    png_that_claims,
    saved,
    sketch,
    svg,
    zipped,
)


@pytest.fixture
def settings(app):
    """The store of the installation."""
    return app.config["SETTINGS"]


@pytest.fixture
def folder(tmp_path):
    """A folder for files to import, apart from the installation's own."""
    made = tmp_path / "files"
    made.mkdir()
    return made


@pytest.fixture
def bring(session, settings, study_id):
    """Import paths into a set and give the report."""

    def bring(*paths, set_name="chairs", **choices):
        return import_paths(settings, ImportChoice(study_id, set_name, **choices), paths)

    return bring


def names(study_id, set_name="chairs"):
    """Card numbers and names of a set."""
    found = stimuli.set_named(db.session, study_id, set_name)
    return [(s.card, s.name) for s in stimuli.stimuli_of(db.session, found.id)]


def test_cards_are_numbered_in_natural_order(bring, study_id, folder):
    for number in (10, 9, 1):
        (folder / f"s{number}.png").write_bytes(png(number))
    assert bring(folder / "s10.png", folder / "s9.png", folder / "s1.png").imported == 3
    assert names(study_id) == [(1, "s1"), (2, "s9"), (3, "s10")]


def test_the_original_file_is_stored_unchanged(bring, settings, folder):
    content = saved(sketch(1), "BMP")
    (folder / "a.bmp").write_bytes(content)
    bring(folder / "a.bmp")
    picture = db.session.scalar(select(Picture))
    assert picture.sha256 == hashlib.sha256(content).hexdigest()
    assert (settings.instance / pictures.original_name(picture.sha256)).read_bytes() == content
    assert pictures.printable_name(settings, picture).endswith(".png")
    assert (picture.width, picture.height, picture.form) == (120, 90, "bitmap")


def test_two_files_with_the_same_stem_get_different_names(bring, study_id, folder):
    for number, name in enumerate("abc"):
        (folder / name).mkdir()
        (folder / name / "one.png").write_bytes(png(number))
    bring(folder)
    assert [name for _, name in names(study_id)] == ["one", "one-2", "one-3"]


def test_duplicate_pictures_are_skipped_and_reported(bring, study_id, folder):
    (folder / "a.png").write_bytes(png(1))
    (folder / "b.png").write_bytes(saved(sketch(1), "BMP"))
    report = bring(folder)
    place = f"{folder.name}/"
    assert report.skipped == [
        {"place": f"{place}b.png", "reason": f"is the same picture as '{place}a.png'"}
    ]
    assert bring(folder / "a.png").skipped[0]["reason"] == "is the same picture as 'a'"
    assert names(study_id) == [(1, "a")]


def test_duplicate_pictures_are_refused_on_request(bring, study_id, folder):
    (folder / "a.png").write_bytes(png(1))
    (folder / "b.png").write_bytes(png(1))
    with pytest.raises(NothingImported, match=r"b\.png: is the same picture as .* remove the"):
        bring(folder, duplicates="refuse")
    assert stimuli.sets_of(db.session, study_id) == []


def test_a_picture_can_be_in_two_sets(bring, study_id, folder):
    (folder / "a.png").write_bytes(png(1))
    bring(folder / "a.png")
    assert bring(folder / "a.png", set_name="stools").imported == 1
    assert db.session.scalar(select(func.count()).select_from(Picture)) == 1


def test_one_bad_file_does_not_stop_the_others(bring, study_id, folder):
    whole = png(1)
    bad = {
        "empty.png": b"",
        "half.png": whole[:150],
        "text.png": b"this is no picture",
        "vast.png": png_that_claims(30000, 20000),
        "notes.txt": b"hello",
        "odd.svg": svg('<image href="http://127.0.0.1/a.png"/>'),
    }
    for name, content in (bad | {"good.png": whole, "lying.png": saved(sketch(2), "GIF")}).items():
        (folder / name).write_bytes(content)
    report = bring(folder)
    assert {note["place"].split("/")[1] for note in report.refused} == set(bad)
    assert [name for _, name in names(study_id)] == ["good", "lying"]
    assert report.remarks[0]["reason"] == "is named as PNG but is imported as GIF"
    assert report.sentence() == "2 imported, 6 refused."


def test_an_import_without_pictures_is_refused(bring, folder):
    (folder / "notes.txt").write_bytes(b"hello")
    with pytest.raises(NothingImported, match=r"notes\.txt: is not a picture"):
        bring(folder / "notes.txt")
    (folder / "none").mkdir()
    with pytest.raises(NothingImported, match="No pictures found"):
        bring(folder / "none")
    with pytest.raises(NothingImported, match="there is no such file or folder"):
        bring(folder / "nowhere")


def test_a_sample_has_exactly_its_size_and_is_the_same_for_a_seed(bring, study_id, folder):
    for number in range(12):
        (folder / f"{number}.png").write_bytes(png(number))
    (folder / "bad.png").write_bytes(b"no picture")
    assert bring(folder, set_name="a", limit=11, seed=5).imported == 11
    for name, seed in (("b", 1), ("c", 1), ("d", 2)):
        assert bring(folder, set_name=name, limit=4, seed=seed).imported == 4
    sampled = [{name for _, name in names(study_id, set_name)} for set_name in "bcd"]
    assert sampled[0] == sampled[1] != sampled[2]
    assert sampled[0] != {"0", "1", "2", "3"}
    with pytest.raises(NothingImported, match="has 12 usable pictures, fewer than the 13"):
        bring(folder, set_name="e", limit=13, seed=1)


def test_the_limit_imports_the_first_pictures(bring, study_id, folder):
    path = folder / "bird.ndjson"
    path.write_bytes(b"".join(line(f"k{n}", [[0, 9 + n], [5, 200]]) for n in range(9)))
    assert bring(path, limit=4).imported == 4
    again = bring(path, limit=4)
    assert (again.imported, len(again.skipped)) == (0, 4)
    assert [name for _, name in names(study_id)] == ["k0", "k1", "k2", "k3"]


def test_one_set_per_folder(bring, study_id, folder):
    for place, content in {
        "cars/1.png": png(1),
        "boats/1.png": png(1),
        "birds.zip": zipped({"x.png": png(2), "owls/y.png": png(3)}),
        "fish.ndjson": line("k", [[0, 9], [5, 200]]),
    }.items():
        (folder / "all" / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / "all" / place).write_bytes(content)
    report = bring(folder / "all", set_name=None)
    assert report.sets == {"birds": 1, "boats": 1, "cars": 1, "fish": 1, "owls": 1}
    numbers = [(s.name, s.number) for s, _ in stimuli.sets_of(db.session, study_id)]
    assert numbers == [("birds", 1), ("boats", 2), ("cars", 3), ("fish", 4), ("owls", 5)]


def test_progress_increases_to_the_total(session, settings, study_id, folder):
    for number in range(30):
        (folder / f"{number}.png").write_bytes(png(number))
    reports = []
    import_paths(
        settings, ImportChoice(study_id, "s"), [folder], lambda *event: reports.append(event[:2])
    )
    assert [done for done, _ in reports] == sorted(done for done, _ in reports)
    assert reports[0] == (0, 30)
    assert reports[-1] == (30, 30)
    assert {total for _, total in reports} == {30}


def test_rendering_is_deterministic(app, session, settings, shared_data):
    from study_app.core.database import writing
    from study_app.studies import studies

    seen = []
    for name in ("one", "two"):
        with writing() as writer:
            study_id = studies.make(writer, name).id
        choice = ImportChoice(study_id, None, limit=12)
        sketches = shared_data / "sketches" / "png512_8x30"
        import_paths(settings, choice, [sketches / "bird", sketches / "car"])
        rows = select(Stimulus.card, Stimulus.name, Stimulus.sha256).join(stimuli.StimulusSet)
        rows = rows.where(stimuli.StimulusSet.study_id == study_id)
        seen.append(sorted(map(tuple, db.session.execute(rows))))
    assert seen[0] == seen[1]
    assert len(seen[0]) == 24


def test_identical_files_share_a_picture(bring, folder):
    (folder / "a.png").write_bytes(png(1))
    bring(folder / "a.png")
    bring(folder / "a.png", set_name="stools")
    (folder / "a.png").write_bytes(saved(sketch(1), "BMP"))
    bring(folder / "a.png", set_name="third")
    assert db.session.scalar(select(func.count()).select_from(Picture)) == 2


def test_existing_pictures_are_not_rendered_again(bring, study_id, folder, monkeypatch):
    from study_app.stimuli.importing import run

    for number in range(4):
        (folder / f"{number}.png").write_bytes(png(number))
    bring(folder)
    prepare, prepared = run.prepare, []

    def counted(content, *more):
        prepared.append(content)
        return prepare(content, *more)

    monkeypatch.setattr(run, "prepare", counted)
    (folder / "9.png").write_bytes(png(9))
    report = bring(folder)
    assert (report.imported, len(report.skipped), len(prepared)) == (1, 4, 1)
    assert report.skipped[0]["reason"] == "is the same picture as '0'"
    # another set has not seen them
    assert bring(folder, set_name="others").imported == 5


def test_a_refused_import_leaves_no_files(bring, settings, folder):
    (folder / "a.png").write_bytes(png(1))
    bring(folder / "a.png")
    for number in (1, 2, 3):
        (folder / f"b{number}.png").write_bytes(png(number))
    with pytest.raises(NothingImported, match="nothing was imported"):
        bring(folder, duplicates="refuse")
    kept = [p for p in settings.instance.glob("originals/*/*") if p.is_file()]
    assert [p.name for p in kept] == [hashlib.sha256(png(1)).hexdigest()]


def test_removing_and_importing_a_picture_at_once_loses_nothing(
    bring, settings, folder, monkeypatch
):
    """Its files existed when the import checked, and were deleted before it wrote its rows."""
    (folder / "a.png").write_bytes(png(1))
    save = pictures.save

    def store_and_delete(*arguments):
        save(*arguments)
        pictures.delete(settings, arguments[1])

    monkeypatch.setattr(pictures, "save", store_and_delete)
    with pytest.raises(NothingImported, match=r"a\.png: was deleted .* import it again"):
        bring(folder / "a.png")
    monkeypatch.undo()
    assert db.session.scalar(select(func.count()).select_from(Picture)) == 0
    assert bring(folder / "a.png").imported == 1


def test_pictures_imported_again_meanwhile_are_not_deleted(bring, settings, folder):
    (folder / "a.png").write_bytes(png(1))
    bring(folder / "a.png")
    sha256 = hashlib.sha256(png(1)).hexdigest()
    stimuli.forget_pictures(settings, [sha256])
    assert pictures.are_stored(settings, sha256, "bitmap")


def test_a_million_bad_lines_make_a_short_report(bring, folder, monkeypatch):
    monkeypatch.setattr("study_app.stimuli.importing.report.MOST_NOTES", 5)
    content = line("1", [[0, 9], [0, 9]]) + b'{"drawing": 0}\n' * 20
    (folder / "birds.ndjson").write_bytes(content)
    report = bring(folder / "birds.ndjson")
    assert report.sentence() == "1 imported, 20 refused."
    assert len(report.refused) == 5 and report.as_dict()["untold"] == {"refused": 15}


def test_an_import_whose_process_dies_after_its_rows_were_written_is_done(
    app, session, settings, study_id, monkeypatch
):
    jobs.run_by(app, lambda job_id: None)
    token = uploads.save(settings, study_id, [("one.png", png(1))])
    job_id = jobs.start(study_id, "import", token=token, set_name="chairs", duplicates="skip")
    with monkeypatch.context() as dying:
        dying.setattr(uploads, "discard", sys.exit)
        with pytest.raises(SystemExit):
            jobs.perform(app, job_id)
    # Repeated, it would skip what it had imported itself.
    assert workers.left_by_process(app, {job_id: 1}) == {}
    job = jobs.find(study_id, job_id)
    assert (job.state, unpacked(job.message)) == ("done", "1 imported.")
    assert job.result["sets"] == {"chairs": 1} and job.result["imported"] == 1
