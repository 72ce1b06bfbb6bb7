"""Whole files or none, and nothing of a killed process for ever."""

import os
import time

import pytest

from basics.errors import OutputError
from basics.output import ABANDONED_SECONDS, UNFINISHED, output_file


def put(path, age_seconds):
    """A file of some age, in a folder as old."""
    path.parent.mkdir()
    path.write_bytes(b"half a backup")
    made = time.time() - age_seconds
    for old in (path, path.parent):
        os.utime(old, (made, made))
    return path


def test_a_fault_leaves_what_was_there(tmp_path):
    target = tmp_path / "result.csv"
    target.write_text("before")
    with pytest.raises(KeyError), output_file(target, force=True) as path:
        path.write_text("half")
        raise KeyError
    assert target.read_text() == "before" and list(tmp_path.iterdir()) == [target]
    with pytest.raises(OutputError, match="already exists"), output_file(target):
        pass


def test_what_a_killed_process_left_a_day_ago_is_cleared_and_nothing_else(tmp_path):
    killed = put(tmp_path / f"{UNFINISHED}abcdefgh" / "backup.zip", ABANDONED_SECONDS + 60)
    at_work = put(tmp_path / f"{UNFINISHED}ijklmnop" / "backup.zip", 3600)
    of_somebody = put(tmp_path / ".sketch-study-archived" / "backup.zip", 10 * ABANDONED_SECONDS)
    growing = put(tmp_path / f"{UNFINISHED}qrstuvwx" / "old.zip", ABANDONED_SECONDS + 60)
    (growing.parent / "new.zip").write_bytes(b"now")
    with output_file(tmp_path / "result.csv") as path:
        path.write_text("whole")
    assert not killed.parent.exists()
    assert at_work.exists() and of_somebody.exists() and growing.exists()
