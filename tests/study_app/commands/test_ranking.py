"""`sketch-study import-ranking` as a user types it."""

import pytest

from study_app.cli import main
from tests.ranking_setup import draw_pictures


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Runs `sketch-study` in a fresh instance; gives exit status, output and errors."""
    monkeypatch.setenv("SKETCH_STUDY_INSTANCE", str(tmp_path / "instance"))
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        said = capsys.readouterr()
        return ended.value.code, said.out, said.err

    return run


def test_a_folder_of_folders_becomes_a_task(run, tmp_path):
    draw_pictures(tmp_path / "task" / "sketches", ["cat"])
    refused = run("import-ranking", "Alike", "task", "--scale-best", "low")
    assert refused[:2] == (1, "") and "no folder of images for the sketch 'cat'" in refused[2]
    draw_pictures(tmp_path / "task" / "cat", ["a", "b", "c"])
    done = run("import-ranking", "Alike", "task", "--scale-best", "low")
    assert done[:2] == (0, "Alike: 1 query; 4 imported.\n")
    assert done[2].count("is only 48 x 48 pixels") == 4
    assert run("import-ranking", "Alike", "task", "--scale-best", "low")[0] == 1
    assert "Missing option '--scale-best'" in run("import-ranking", "Alike", "task")[2]
