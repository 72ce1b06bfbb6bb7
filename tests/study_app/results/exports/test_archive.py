"""The zip of an export."""

import zipfile

from study_app.results.exports.archive import write_zip


def _contents(folder):
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_the_zip_holds_the_export_and_is_the_same_twice(exported, tmp_path):
    for name in ("a.zip", "b.zip"):
        write_zip(exported.folder, tmp_path / name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    assert held == _contents(exported.folder)
