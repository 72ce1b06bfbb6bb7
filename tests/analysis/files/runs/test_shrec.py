"""SHREC class files: what is read, and errors with their lines."""

import pytest

from analysis.errors import InputError
from analysis.files.runs.shrec import class_judgments, read_classes

MODELS = "PSB 1\n2 3\n\nchair 0 2\nm1\nm2\n\ncup 0 1\nm3\n"
QUERIES = "PSB 1\n3 3\nchair 0 1\nD1\ncup 0 1\nD2\ntree 0 1\nD3\n"


def test_classes_and_judgments(tmp_path):
    (tmp_path / "models.cla").write_text(MODELS)
    (tmp_path / "queries.cla").write_text(QUERIES)
    models, queries = (read_classes(tmp_path / name) for name in ("models.cla", "queries.cla"))
    assert models.class_of == {"m1": "chair", "m2": "chair", "m3": "cup"}
    judged = class_judgments(models, queries).judgments.rows()
    assert judged == [("D1", "m1", 1), ("D1", "m2", 1), ("D2", "m3", 1), ("D3", "", 0)]


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("", r":1: is not a class file"),
        ("PSB 2\n1 1\n", r":1: is not a class file"),
        ("PSB 1\n", r":1: add the numbers of classes and ids"),
        ("PSB 1\n1 2\nchair 0 2\nm1\n", r":3: class 'chair' has 1 of 2 ids"),
        ("PSB 1\n2 2\nchair 0 1\nm1\ncup 0 1\nm1\n", r":6: 'm1' is already in class 'chair'"),
        ("PSB 1\n3 3\nchair 0 1\nm1\n", r":2: should have 3 classes and 3 ids, but has 1 and 1"),
        ("PSB 1\n1 1\nm1\n", r":3: 'm1' should be a class"),
        ("PSB 1\n1 1\nchair 0 1\nm1 m2\n", r":4: 'm1 m2' should be one id"),
    ],
)
def test_refuses_class_files(tmp_path, text, finding):
    path = tmp_path / "x.cla"
    path.write_text(text)
    with pytest.raises(InputError, match=finding):
        read_classes(path)


def test_queries_of_other_classes_are_an_error(tmp_path):
    (tmp_path / "models.cla").write_text(MODELS)
    (tmp_path / "other.cla").write_text("PSB 1\n1 1\nboat 0 1\nD1\n")
    models, queries = (read_classes(tmp_path / name) for name in ("models.cla", "other.cla"))
    with pytest.raises(InputError, match="has no class of"):
        class_judgments(models, queries)
