"""SHREC class files and rank lists: what is read, and what is refused with which line."""

import pytest

from analysis.errors import InputError
from analysis.files.shrec import class_judgments, read_classes, read_rank_lists

MODELS = "PSB 1\n2 3\n\nchair 0 2\nm1\nm2\n\ncup 0 1\nm3\n"
QUERIES = "PSB 1\n3 3\nchair 0 1\nD1\ncup 0 1\nD2\ntree 0 1\nD3\n"


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


def test_classes_and_judgments(shrec):
    models, queries = _classes(shrec)
    assert models.class_of == {"m1": "chair", "m2": "chair", "m3": "cup"}
    judged = class_judgments(models, queries).judgments.rows()
    assert judged == [("D1", "m1", 1), ("D1", "m2", 1), ("D2", "m3", 1), ("D3", "", 0)]


def test_rank_lists_keep_their_order_and_count_ties(shrec):
    run = read_rank_lists(shrec / "hog", *_classes(shrec))
    assert run.results.select("query", "document", "tied").rows() == [
        ("D1", "m2", False),
        ("D1", "m1", False),
        ("D1", "m3", True),
        ("D2", "m1", False),
        ("D2", "m3", False),
        ("D3", "m3", False),
    ]


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


def test_a_query_that_is_ranked_first_is_no_heading(tmp_path):
    (tmp_path / "models.cla").write_text("PSB 1\n1 2\nchair 0 2\nR3\nR4\n")
    (tmp_path / "queries.cla").write_text("PSB 1\n1 1\nchair 0 1\nR3\n")
    (tmp_path / "hog").mkdir()
    (tmp_path / "hog" / "R3").write_text("R3\nR4\n")
    run = read_rank_lists(tmp_path / "hog", *_classes(tmp_path))
    assert run.results["document"].to_list() == ["R3", "R4"]


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("", r":1: is not a class file"),
        ("PSB 2\n1 1\n", r":1: is not a class file"),
        ("PSB 1\n", r":1: the numbers of classes and ids"),
        ("PSB 1\n1 2\nchair 0 2\nm1\n", r":3: class 'chair' has 1 of 2 ids"),
        ("PSB 1\n2 2\nchair 0 1\nm1\ncup 0 1\nm1\n", r":6: 'm1' is in class 'chair' already"),
        ("PSB 1\n3 3\nchair 0 1\nm1\n", r":2: promises 3 classes and 3 ids, but 1 and 1"),
        ("PSB 1\n1 1\nm1\n", r":3: 'm1' should be a class"),
        ("PSB 1\n1 1\nchair 0 1\nm1 m2\n", r":4: 'm1 m2' should be one id"),
    ],
)
def test_refuses_class_files(tmp_path, text, finding):
    path = tmp_path / "x.cla"
    path.write_text(text)
    with pytest.raises(InputError, match=finding):
        read_classes(path)


@pytest.mark.parametrize(
    ("name", "text", "finding"),
    [
        ("D1.txt", "m9\n", r"D1.txt:1: 'm9' is no model"),
        ("D1.txt", "m1\n\nm1\n", r"D1.txt:3: lists 'm1' again \(first on line 1\)"),
        ("D7", "m1\n", "is named as no query"),
        ("D1", "m1\n", "query 'D1' has another list"),
    ],
)
def test_refuses_rank_lists(shrec, name, text, finding):
    (shrec / "hog" / name).write_text(text)
    with pytest.raises(InputError, match=finding):
        read_rank_lists(shrec / "hog", *_classes(shrec))


def test_refuses_a_missing_list_and_swapped_files(shrec):
    models, queries = _classes(shrec)
    (shrec / "hog" / "D2").unlink()
    with pytest.raises(InputError, match="has no rank list for query 'D2'"):
        read_rank_lists(shrec / "hog", models, queries)
    with pytest.raises(InputError, match="not a folder"):
        read_rank_lists(shrec / "models.cla", models, queries)
    (shrec / "other.cla").write_text("PSB 1\n1 1\nboat 0 1\nD1\n")
    with pytest.raises(InputError, match="none of its classes"):
        class_judgments(models, read_classes(shrec / "other.cla"))
