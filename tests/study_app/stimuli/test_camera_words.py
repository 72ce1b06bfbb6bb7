"""Camera metadata of stimuli are on no page and in no PDF or export."""

import io

import pytest
from PIL import Image

from study_app import cli
from study_app.stimuli.importing.run import ImportChoice, import_paths
from tests.study_app.results.exports.whole_study import CAMERA, photo_with_place

# Each of another colour, or it would be the same sketch.
COLOURS = {"jpeg": "tan", "png": "red", "webp": "blue", "tiff": "green"}


@pytest.mark.slow
def test_camera_metadata_is_neither_stored_nor_exported(app, client, study_id, tmp_path):
    places = [tmp_path / f"chair.{kind}" for kind in COLOURS]
    for place, (kind, colour) in zip(places, COLOURS.items(), strict=True):
        place.write_bytes(photo_with_place(kind, colour))
        assert CAMERA.encode() in place.read_bytes()
    with app.app_context():
        import_paths(app.config["SETTINGS"], ImportChoice(study_id, "chairs"), places)
    settings = app.config["SETTINGS"]
    common = ["--instance", str(settings.instance), "--database", settings.database_url]
    pdf, export = tmp_path / "cards.pdf", tmp_path / "export"
    verbs = [
        ["print", "chairs", "--out", str(pdf), "--manifest", str(tmp_path / "cards.csv")],
        ["export", "Chairs and cars", "--out", str(export)],
    ]
    for verb in verbs:
        cli.cli.main([*verb, *common], standalone_mode=False)
    pictures = [
        client.get(f"/studies/{study_id}/sketches/{kind}/{number}").data
        for number in range(1, 5)
        for kind in ("pictures", "thumbnails")
    ]
    found = [path for folder in (export, settings.instance) for path in folder.rglob("*")]
    files = {path: path.read_bytes() for path in [*found, pdf] if path.is_file()}
    assert b"/DCTDecode" in files[pdf] and len(files) > 20
    assert not [path for path, content in files.items() if CAMERA.encode() in content]
    assert not [content for content in pictures if CAMERA.encode() in content]
    originals = [p for p in files if p.parent.parent.name == "originals"]
    kinds = set()
    for original in originals:
        with Image.open(io.BytesIO(files[original])) as image:
            exif = dict(image.getexif())
            assert exif[0x0112] == 6 and 0x8825 not in exif
            kinds.add(image.format.lower())
    assert kinds == set(COLOURS)
    # They lay on its side, and are shown upright.
    for picture in pictures:
        with Image.open(io.BytesIO(picture)) as image:
            assert image.size == (48, 64) and not image.getexif()
    # The same files again are the same sketches.
    with app.app_context():
        report = import_paths(settings, ImportChoice(study_id, "chairs"), places)
        assert len(report.skipped) == 4
