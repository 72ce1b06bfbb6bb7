"""A missing stored file: its page stays usable, and the file is named."""

import hashlib
import logging

import pytest

from study_app.cards import printing
from study_app.commands.backup import backup
from study_app.commands.export import export
from study_app.core.database import db
from study_app.core.storage import content, missing_files, photo_store, pictures
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.stores import FileDamaged, FileMissing
from study_app.models import Photo, Stimulus
from study_app.results.exports.archive import make
from study_app.stimuli import stimuli
from study_app.stimuli.importing.run import ImportChoice, import_paths
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task
from tests.study_app.results.exports import whole_study
from tests.study_app.stimuli.importing.pictures_made import line, png

pytestmark = pytest.mark.slow

STUDY = "Chairs and cars"


@pytest.fixture
def settings(session, app):
    """The store of the installation."""
    return app.config["SETTINGS"]


@pytest.fixture
def chairs(settings, study_id, tmp_path):
    """The path of an imported file, and how to import it again."""
    path = tmp_path / "chair.png"
    path.write_bytes(png(1))

    def bring():
        return import_paths(settings, ImportChoice(study_id, "chairs"), [path])

    assert bring().imported == 1
    return bring


SHA256 = hashlib.sha256(png(1)).hexdigest()


@pytest.mark.parametrize("kind", ["thumbnail", "picture"])
def test_a_missing_picture_gives_an_error_and_one_log_line(
    client, chairs, settings, study_id, caplog, kind
):
    name = getattr(pictures, f"{kind}_name")(SHA256)
    (settings.instance / name).unlink()
    stimulus = stimuli.stimuli_of(db.session, 1)[0].id
    db.session.rollback()
    with caplog.at_level(logging.WARNING):
        answer = client.get(f"/studies/{study_id}/sketches/{kind}s/{stimulus}")
    assert answer.status_code == 404
    assert "restore a backup" in answer.get_data(as_text=True)
    assert str(settings.instance) not in answer.get_data(as_text=True)
    assert [(r.getMessage().count(name), r.exc_info) for r in caplog.records] == [(1, None)]
    assert client.get(f"/studies/{study_id}/sketches/sets/1").status_code == 200


@pytest.mark.parametrize("kind", ["original", "picture", "thumbnail"])
def test_a_damaged_file_is_reported_listed_and_repaired(client, chairs, settings, study_id, kind):
    name = getattr(pictures, f"{kind}_name")(SHA256)
    whole = (settings.instance / name).read_bytes()
    (settings.instance / name).write_bytes(whole[:-1] + b"x")
    store = store_of(settings)
    stimulus = stimuli.stimuli_of(db.session, 1)[0].id
    db.session.rollback()
    if kind == "original":
        with pytest.raises(FileDamaged, match=name):
            content.read(store, name)
    else:
        answer = client.get(f"/studies/{study_id}/sketches/{kind}s/{stimulus}")
        assert answer.status_code == 404 and "damaged" in answer.get_data(as_text=True)
    assert missing_files.files(db.session, settings) == [name]
    assert store.exists(content.DAMAGED + name)
    assert len(chairs().skipped) == 1
    assert missing_files.files(db.session, settings) == [] and content.read(store, name) == whole


def test_a_file_rendered_by_another_version_is_not_damaged(chairs, settings):
    store, name = store_of(settings), pictures.thumbnail_name(SHA256)
    assert content.read(store, name)
    store.put(name, b"other bytes")
    content.note(store, SHA256, {name: b"other bytes"})
    assert content.read(store, name) == b"other bytes"
    store.delete(content.checksums_name(SHA256))
    store.put(name, b"of an installation without checksums")
    content._noted.cache_clear()
    assert content.read(store, name)


def test_participants_can_continue_without_a_missing_picture(app, settings, stranger, tmp_path):
    token = make_link(app, make_task(app, tmp_path / "pictures"))
    somebody = Participant(app, token)
    _, _, (image, *_) = somebody.queries[0]
    shown = db.session.get(Stimulus, image).sha256
    db.session.rollback()
    (settings.instance / pictures.thumbnail_name(shown)).unlink()
    assert stranger.get(f"/take-part/{somebody.token}/pictures/{image}").status_code == 404
    assert stranger.get(f"/take-part/{somebody.token}/rank").status_code == 200


def test_importing_again_restores_a_missing_file(chairs, settings):
    for name in pictures.names(SHA256, "bitmap"):
        (settings.instance / name).unlink()
        report = chairs()
        assert (report.imported, len(report.skipped)) == (0, 1)
        assert pictures.are_stored(settings, SHA256, "bitmap")


def test_a_card_with_a_missing_sketch_is_not_printed(settings, study_id, tmp_path):
    path = tmp_path / "chairs.ndjson"
    path.write_bytes(line("1", [[0, 9], [0, 9]]))
    import_paths(settings, ImportChoice(study_id, None), [path])
    kept = next(p for p in settings.instance.glob("vectors/*/*"))
    kept.unlink()
    choice = printing.PrintChoice((1,))
    with pytest.raises(FileMissing, match=rf"vectors/.*{kept.name}\); import"):
        printing.print_cards(settings, study_id, choice, (tmp_path / "c.pdf", tmp_path / "c.csv"))
    assert not (tmp_path / "c.pdf").exists()


def test_a_backup_reports_missing_files(runner, chairs, settings, tmp_path):
    place = ["--instance", str(settings.instance), "--database", settings.database_url]
    first = pictures.original_name(SHA256)
    (settings.instance / first).unlink()
    result = runner.invoke(backup, [str(tmp_path / "b.zip"), *place])
    assert result.exit_code == 0 and (tmp_path / "b.zip").exists()
    assert f"1 file is missing (first: {first})" in result.output
    chairs()
    assert "missing (" not in runner.invoke(backup, [str(tmp_path / "c.zip"), *place]).output


def test_an_export_lists_missing_files(app, settings, tmp_path, runner):
    study_id = whole_study.build(app, tmp_path)
    db.session.rollback()
    photo = settings.instance / photo_store.original_name(
        db.session.scalar(db.select(Photo.sha256))
    )
    thumbnail = next(settings.instance.glob("thumbnails/*/*"))
    for path in (photo, thumbnail):
        path.unlink()
    out = tmp_path / "out"
    place = ["--instance", str(settings.instance), "--database", settings.database_url]
    result = runner.invoke(export, [whole_study.NAME, "--out", str(out), *place])
    assert result.exit_code == 0 and "are missing (first: " in result.output
    readme = (out / "README.md").read_text(encoding="utf-8")
    for path in (photo, thumbnail):
        assert f"- `{path.relative_to(settings.instance).as_posix()}`" in readme
    assert list(out.rglob("*.jpg")) == [] and list(out.glob("data/derived/task-*/queries/*.svg"))
    done = make(settings, study_id, True, lambda *_: None)
    assert done.startswith("The export is ready. ") and "missing" in done
