"""Only their owner can read the files of an installation, including existing ones."""

import os

import pytest

from study_app.operations import private_files

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no such bits")


def test_permissions_of_an_open_installation_are_restricted(tmp_path):
    instance = tmp_path / "instance"
    (instance / "photos" / "ab").mkdir(parents=True)
    photo = instance / "photos" / "ab" / "abcdef"
    photo.write_bytes(b"x")
    outside = tmp_path / "outside"
    outside.write_bytes(b"x")
    (instance / "link").symlink_to(outside)
    folders = ((instance, 0o755), (photo.parents[1], 0o755), (photo.parent, 0o775))
    for path, mode in (*folders, (photo, 0o644), (outside, 0o644)):
        path.chmod(mode)
    assert private_files.protect(instance) == 4
    assert photo.stat().st_mode & 0o777 == 0o600
    assert {p.stat().st_mode & 0o777 for p in (instance, photo.parent)} == {0o700}
    # The target of a symbolic link does not belong to the installation.
    assert outside.stat().st_mode & 0o777 == 0o644
    assert private_files.protect(instance) == 0
