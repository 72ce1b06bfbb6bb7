"""`sketch-study import-ranking` as a user types it."""

from tests.ranking_setup import draw_pictures


def test_a_folder_of_folders_becomes_a_task(typed, tmp_path):
    draw_pictures(tmp_path / "task" / "sketches", ["cat"])
    refused = typed("import-ranking", "Alike", "task", "--scale-best", "low")
    assert refused[:2] == (1, "") and "no images for the sketch 'cat'" in refused[2]
    draw_pictures(tmp_path / "task" / "cat", ["a", "b", "c"])
    done = typed("import-ranking", "Alike", "task", "--scale-best", "low")
    assert done[:2] == (0, "Alike: 1 query; 4 imported.\n")
    assert done[2].count("is only 48 x 48 pixels") == 4
    assert typed("import-ranking", "Alike", "task", "--scale-best", "low")[0] == 1
    assert "Missing option '--scale-best'" in typed("import-ranking", "Alike", "task")[2]
