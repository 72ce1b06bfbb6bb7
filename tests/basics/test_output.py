"""Atomic output: complete files only, and no lasting remains of killed processes."""

import os
import subprocess
import time

import pytest

from basics.errors import OutputError
from basics.output import ABANDONED_SECONDS, UNFINISHED, output_file, output_folder


def put(path, age_seconds):
    """A file in a folder, both of some age."""
    path.parent.mkdir()
    path.write_bytes(b"half a backup")
    made = time.time() - age_seconds
    for old in (path, path.parent):
        os.utime(old, (made, made))
    return path


def test_an_error_leaves_the_existing_file(tmp_path):
    target = tmp_path / "result.csv"
    target.write_text("before")
    with pytest.raises(KeyError), output_file(target, force=True) as path:
        path.write_text("half")
        raise KeyError
    assert target.read_text() == "before" and list(tmp_path.iterdir()) == [target]
    with pytest.raises(OutputError, match="already exists"), output_file(target):
        pass


def test_a_file_that_cannot_be_replaced_is_named_by_its_path(tmp_path):
    (tmp_path / "drawn" / "a.txt").mkdir(parents=True)
    with (
        pytest.raises(OutputError, match=r"drawn/a\.txt: cannot be written to \(it is a folder\)"),
        output_folder(tmp_path / "drawn", force=True) as folder,
    ):
        (folder / "a.txt").write_text("whole")
    assert [path.name for path in tmp_path.iterdir()] == ["drawn"]


def test_only_day_old_folders_of_killed_processes_are_deleted(tmp_path):
    killed = put(tmp_path / f"{UNFINISHED}abcdefgh" / "backup.zip", ABANDONED_SECONDS + 60)
    running = put(tmp_path / f"{UNFINISHED}ijklmnop" / "backup.zip", 3600)
    unrelated = put(tmp_path / ".sketch-study-archived" / "backup.zip", 10 * ABANDONED_SECONDS)
    growing = put(tmp_path / f"{UNFINISHED}qrstuvwx" / "old.zip", ABANDONED_SECONDS + 60)
    (growing.parent / "new.zip").write_bytes(b"now")
    with output_file(tmp_path / "result.csv") as path:
        path.write_text("whole")
    assert not killed.parent.exists()
    assert running.exists() and unrelated.exists() and growing.exists()


def test_what_killed_processes_left_is_deleted_from_a_full_disk(tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    mounted = ["mount", "-t", "tmpfs", "-o", "nr_inodes=4", "tmpfs", str(small)]
    if subprocess.run(mounted, capture_output=True).returncode:
        pytest.skip("only root may mount a small disk")
    try:
        put(small / f"{UNFINISHED}abcdefgh" / "backup.zip", ABANDONED_SECONDS + 60)
        with pytest.raises(OSError, match="space"):
            (small / "one").mkdir()
            (small / "two").mkdir()
        (small / "one").rmdir()
        (small / "full").touch()
        with output_file(small / "result.csv") as path:
            path.write_text("whole")
        assert (small / "result.csv").read_text() == "whole"
    finally:
        subprocess.run(["umount", "--lazy", str(small)], check=True)
