"""Copies of earlier states are found and deleted, and nothing else is."""

from study_app.operations.older_copies import delete_older_copies, older_copies


def test_older_copies_are_listed(tmp_path):
    kept = ["study.sqlite3", "study.sqlite3-wal", "secret_key"]
    copies = ["replaced-2.zip", "replaced.zip", "study.before-0011.sqlite3"]
    for name in (*kept, *copies):
        (tmp_path / name).write_text("x", encoding="utf-8")
    assert sorted(copy.name for copy in older_copies(tmp_path)) == copies
    assert delete_older_copies(tmp_path) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(kept)
