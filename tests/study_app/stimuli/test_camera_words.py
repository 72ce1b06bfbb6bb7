"""Where a JPEG stimulus was taken, and with what, reaches no page, no PDF and no export."""

import io

from PIL import Image

from study_app import cli
from study_app.stimuli.importing import ImportChoice, import_paths
from tests.study_app.results.exports.whole_study import CAMERA, photo_with_place

GPS = b"\x88\x25"


def test_nothing_that_a_camera_wrote_is_kept_or_leaves(
    app, client, study_id, tmp_path, monkeypatch
):
    place = tmp_path / "chair.jpg"
    place.write_bytes(photo_with_place())
    assert CAMERA.encode() in place.read_bytes() and GPS in place.read_bytes()
    with app.app_context():
        import_paths(app.config["SETTINGS"], ImportChoice(study_id, "chairs"), [place])
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
        client.get(f"/studies/{study_id}/sketches/{kind}/1").data
        for kind in ("pictures", "thumbnails")
    ]
    found = [path for folder in (export, settings.instance) for path in folder.rglob("*")]
    files = {path: path.read_bytes() for path in [*found, pdf] if path.is_file()}
    assert b"/DCTDecode" in files[pdf] and len(files) > 10
    assert not [path for path, content in files.items() if CAMERA.encode() in content]
    assert not [content for content in pictures if CAMERA.encode() in content]
    (original,) = (p for p in files if p.parent.parent.name == "originals")
    with Image.open(io.BytesIO(files[original])) as image:
        assert dict(image.getexif()) == {0x0112: 6}
    # It lay on its side, and is shown upright.
    with Image.open(io.BytesIO(pictures[0])) as image:
        assert image.size == (48, 64) and not image.getexif()
    # The same file again is the same sketch.
    with app.app_context():
        report = import_paths(settings, ImportChoice(study_id, "chairs"), [place])
        assert len(report.skipped) == 1
