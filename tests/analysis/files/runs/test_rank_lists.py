"""SHREC rank lists of all tracks: what is read, and errors with their lines."""

import pytest

from analysis.errors import InputError
from analysis.files.runs.rank_lists import read_rank_lists
from analysis.files.runs.shrec import read_classes
from tests.analysis.files.runs.test_shrec import MODELS, QUERIES


@pytest.fixture
def shrec(tmp_path):
    (tmp_path / "models.cla").write_text(MODELS)
    (tmp_path / "queries.cla").write_text(QUERIES)
    system = tmp_path / "hog"
    system.mkdir()
    (system / "D1.txt").write_text("m2 0.1\nm1 0.2\nm3 0.2\n")
    (system / "D2").write_text("m1.off\r\nm3.off\r\n")
    (system / "D3").write_text("m3\n")
    return tmp_path


def _classes(folder):
    return read_classes(folder / "models.cla"), read_classes(folder / "queries.cla")


def test_rank_lists_are_in_file_order_and_ties_are_counted(shrec):
    run = read_rank_lists(shrec / "hog", *_classes(shrec))
    assert run.results.select("query", "document", "tied").rows() == [
        ("D1", "m2", False),
        ("D1", "m1", False),
        ("D1", "m3", True),
        ("D2", "m1", False),
        ("D2", "m3", False),
        ("D3", "m3", False),
    ]


@pytest.mark.parametrize("name", ["Thumbs.db", "desktop.ini", ".DS_Store"])
def test_files_of_the_operating_system_are_not_rank_lists(shrec, name):
    (shrec / "hog" / name).write_bytes(b"\0")
    assert read_rank_lists(shrec / "hog", *_classes(shrec)).results.height == 6


def test_princeton_s_letter_before_the_number(tmp_path):
    (tmp_path / "models.cla").write_text("PSB 1\n1 2\nchair 0 2\n7\n8\n")
    (tmp_path / "queries.cla").write_text("PSB 1\n1 1\nchair 0 1\n1\n")
    (tmp_path / "hog").mkdir()
    (tmp_path / "hog" / "s1.txt").write_text("m8.off 0.1\nm7.off 0.2\n")
    run = read_rank_lists(tmp_path / "hog", *_classes(tmp_path))
    assert run.results["document"].to_list() == ["8", "7"]


@pytest.mark.parametrize(
    "text",
    [
        "R3\n12 0.0037\n5 0.0038\n17 0.0038\n",
        "R3.png\r\n12\r\n5\r\n17\r\n",
        "0.0037 12\n0.0038 5\n0.0038 17\n",
        "R3\n5.31 12\n12.25 5\n12.25 17\n",
        "5 12\n12 5\n12 17\n",
    ],
    ids=["2012", "no distances", "2016", "distances like ids", "whole distances"],
)
def test_rank_lists_of_every_track(request, tmp_path, text):
    (tmp_path / "models.cla").write_text("PSB 1\n1 3\nchair 0 3\n5\n12\n17\n")
    (tmp_path / "queries.cla").write_text("PSB 1\n1 1\nchair 0 1\nR3\n")
    (tmp_path / "hog").mkdir()
    (tmp_path / "hog" / "R3").write_bytes(text.encode())
    run = read_rank_lists(tmp_path / "hog", *_classes(tmp_path))
    assert run.results["document"].to_list() == ["12", "5", "17"]
    assert run.results["tied"].to_list() == [False, False, "no distances" not in request.node.name]


def test_a_query_that_is_ranked_first_is_not_a_heading(tmp_path):
    (tmp_path / "models.cla").write_text("PSB 1\n1 2\nchair 0 2\nR3\nR4\n")
    (tmp_path / "queries.cla").write_text("PSB 1\n1 1\nchair 0 1\nR3\n")
    (tmp_path / "hog").mkdir()
    (tmp_path / "hog" / "R3").write_text("R3\nR4\n")
    run = read_rank_lists(tmp_path / "hog", *_classes(tmp_path))
    assert run.results["document"].to_list() == ["R3", "R4"]


@pytest.mark.parametrize(
    ("name", "text", "finding"),
    [
        ("D1.txt", "m9\n", r"D1.txt:1: 'm9' is not a model"),
        ("D1.txt", "m1\n\nm1\n", r"D1.txt:3: lists 'm1' again \(first on line 1\)"),
        ("D1.txt", "", r"D1.txt: is empty; a rank list has one model per line"),
        ("D1.txt", "D1\n\n", r"D1.txt:1: 'D1' is not a model"),
        ("D1.txt", "m1 0.1\nm2\n", r"D1.txt:2: has 1 field instead of 2"),
        ("D1.txt", "m1\nm2 0.1\n", r"D1.txt:2: has 2 fields instead of 1"),
        ("D1.txt", "m1 0.1 x\n", r"D1.txt:1: has 3 fields instead of 2"),
        ("D1.txt", "m1 0.1\nm2 nan\n", r"D1.txt:2: distance 'nan' is not a finite number"),
        ("D1.txt", "D1\n0.1 m1\ninf m2\n", r"D1.txt:3: distance 'inf'"),
        ("D1.txt", "m1 a\nm2 b\n", r"D1.txt:1: distance 'a'"),
        ("D1.txt", "m1\nm2\0\n", r"D1.txt:2: contains a NUL byte"),
        ("D7", "m1\n", "file name matches no query"),
        ("D1", "m1\n", "query 'D1' has a second list"),
    ],
)
def test_refuses_rank_lists(shrec, name, text, finding):
    (shrec / "hog" / name).write_text(text)
    with pytest.raises(InputError, match=finding):
        read_rank_lists(shrec / "hog", *_classes(shrec))


def test_a_missing_list_and_a_file_instead_of_a_folder_are_errors(shrec):
    models, queries = _classes(shrec)
    (shrec / "hog" / "D2").unlink()
    with pytest.raises(InputError, match="has no rank list for query 'D2'"):
        read_rank_lists(shrec / "hog", models, queries)
    with pytest.raises(InputError, match="not a folder"):
        read_rank_lists(shrec / "models.cla", models, queries)
