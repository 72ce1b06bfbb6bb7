"""The printed form of a picture: the original file wherever possible."""

import pytest
from PIL import Image
from sqlalchemy import select

from study_app.core.storage import pictures
from study_app.models import Picture
from study_app.stimuli.importing.run import ImportChoice, import_paths
from tests.study_app.stimuli.importing.pictures_made import line, png, saved, sketch, svg


@pytest.fixture
def bring(session, app, study_id):
    """Imports one file; gives the settings and the picture."""

    def bring(path):
        settings = app.config["SETTINGS"]
        import_paths(settings, ImportChoice(study_id, "s"), [path])
        return settings, session.scalar(select(Picture))

    return bring


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.png", png(1), "originals"),
        ("a.jpg", saved(sketch(1), "JPEG"), "originals"),
        ("a.jpg", saved(sketch(1), "JPEG") + bytes(9000), "originals"),
        ("a.gif", saved(sketch(1), "GIF"), "pictures"),
        ("a.png", saved(Image.new("1", (8000, 7000), 1), "PNG"), "pictures"),
        ("a.png", saved(Image.new("1", (6000, 5000), 1), "PNG"), "originals"),
        ("a.svg", svg("<rect width='9' height='9'/>"), "vectors"),
        ("a.ndjson", line("k", [[0, 99], [0, 99]]), "vectors"),
    ],
)
def test_the_sharpest_printable_form(tmp_path, bring, name, content, kind):
    path = tmp_path / name
    path.write_bytes(content)
    settings, picture = bring(path)
    printable = pictures.printable_name(settings, picture)
    assert (settings.instance / printable).is_file()
    assert printable.split("/")[0] == kind


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "A" * 64, "0" * 63, "0" * 65])
def test_picture_names_are_sha256(name):
    with pytest.raises(ValueError, match="64 hexadecimal digits"):
        pictures.picture_name(name)


def test_deleted_files_are_gone(bring, tmp_path):
    (tmp_path / "a.png").write_bytes(png(1))
    settings, picture = bring(tmp_path / "a.png")
    sha256 = picture.sha256
    assert (settings.instance / pictures.thumbnail_name(sha256)).is_file()
    pictures.delete(settings, sha256)
    assert not list(settings.instance.rglob(f"{sha256}*"))
    pictures.delete(settings, sha256)
