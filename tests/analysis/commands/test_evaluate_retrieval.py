"""`evaluate retrieval` on real runs, and on rank lists with class files."""

import csv
import json

import pytest

from study_app.cli import main


def _call(*arguments):
    with pytest.raises(SystemExit) as left:
        main(["evaluate", "retrieval", *map(str, arguments)])
    return left.value.code


def _rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_real_runs(shared_data, tmp_path):
    folder = shared_data / "runs" / "sketch_to_sketch"
    runs = [folder / f"run_{name}.txt.gz" for name in ("hog", "pixel", "random")]
    assert _call(*runs, "--qrels", folder / "qrels.txt", "--out", tmp_path / "out") == 0
    systems = _rows(tmp_path / "out" / "systems.csv")
    assert ",".join(systems[0]) == "system,nn,ft,st,e,dcg,ap,shrec_ap"
    assert [row["system"] for row in systems] == ["run_hog", "run_pixel", "run_random"]
    for measure in ("nn", "ft", "st", "e", "dcg", "ap", "shrec_ap"):
        values = [float(row[measure]) for row in systems]
        assert values == sorted(values, reverse=True)
    assert len(_rows(tmp_path / "out" / "queries.csv")) == 3 * 140
    curve = _rows(tmp_path / "out" / "pr20.csv")
    assert len(curve) == 3 * 20 and curve[0]["queries"] == "140"
    assert len(_rows(tmp_path / "out" / "pr11.csv")) == 3 * 11
    record = json.loads((tmp_path / "out" / "evaluation.json").read_text())
    assert record["systems"]["run_hog"]["ties"] == 4
    assert (tmp_path / "out" / "precision_recall.svg").stat().st_size
    for row in systems:
        low, high = record["systems"][row["system"]]["intervals"]["ap"]
        assert low < float(row["ap"]) < high
    compared = _rows(tmp_path / "out" / "comparisons.csv")
    assert (compared[0]["system_a"], compared[0]["system_b"]) == ("run_hog", "run_pixel")
    assert all(float(r["p_holm"]) == pytest.approx(3 / 2001) for r in compared)


@pytest.fixture
def shrec(tmp_path):
    (tmp_path / "models.cla").write_text("PSB 1\n2 4\nchair 0 3\nm1\nm2\nm3\ncup 0 1\nm4\n")
    (tmp_path / "queries.cla").write_text("PSB 1\n1 1\nchair 0 1\nD1\n")
    (tmp_path / "hog").mkdir()
    (tmp_path / "hog" / "D1").write_text("m1\nm4\nm2\nm3\n")
    return tmp_path


def test_rank_lists_by_hand(shrec):
    classes = ("--classes", shrec / "models.cla", shrec / "queries.cla")
    assert _call(shrec / "hog", *classes, "--out", shrec / "out") == 0
    (row,) = _rows(shrec / "out" / "systems.csv")
    found = {name: float(value) for name, value in row.items() if name != "system"}
    assert found["nn"] == 1
    assert found["ft"] == pytest.approx(2 / 3)
    assert found["st"] == 1
    assert found["e"] == pytest.approx(2 * (3 / 4) / (3 / 4 + 1))
    assert found["ap"] == pytest.approx((1 + 2 / 3 + 3 / 4) / 3)
    ideal, log3, log4 = 1 + 1 + 0.6309297535714575, 0.6309297535714575, 0.5
    assert found["dcg"] == pytest.approx((1 + log3 + log4) / ideal)


def test_queries_in_the_collection(shrec):
    (shrec / "hog" / "D1").unlink()
    (shrec / "queries.cla").write_text("PSB 1\n1 1\nchair 0 1\nm1\n")
    (shrec / "hog" / "m1").write_text("m1\nm2\nm4\nm3\n")
    classes = ("--classes", shrec / "models.cla", shrec / "queries.cla")
    out = ("--out", shrec / "out", "--queries-in-collection")
    assert _call(shrec / "hog", *classes, *out) == 0
    (row,) = _rows(shrec / "out" / "systems.csv")
    assert float(row["ft"]) == 0.5 and float(row["ap"]) == pytest.approx((1 + 2 / 3) / 2)


def test_what_was_left_out_is_printed(tmp_path, capsys):
    (tmp_path / "qrels").write_text("q 0 a 1\np 0 a 1\no 0 a 0\n")
    (tmp_path / "s.run").write_text("q Q0 q 1 2 s\nq Q0 a 2 1 s\n")
    arguments = (tmp_path / "s.run", "--qrels", tmp_path / "qrels", "--out", tmp_path / "out")
    assert _call(*arguments) == 0
    warnings = capsys.readouterr().err
    assert "no results for 1 judged query (such as 'p'); scored 0" in warnings
    assert "no relevant targets for 1 judged query (such as 'o')" in warnings
    assert "1 result is the query itself" in warnings
    record = json.loads((tmp_path / "out" / "evaluation.json").read_text())["systems"]["s"]
    assert record["missing_queries"] == ["p"] and record["queries_without_relevant"] == ["o"]
    assert record["shrec_ap"] is None


def _distances(tmp_path):
    """A run of distances with qrels: the relevant document has the smaller distance, and rank 1."""
    (tmp_path / "qrels").write_text("q 0 a 1\np 0 a 1\n")
    (tmp_path / "s.run").write_text("q Q0 a 1 0.5 s\nq Q0 b 2 1.5 s\np Q0 a 1 1 s\np Q0 b 2 2 s\n")
    return (tmp_path / "s.run", "--qrels", tmp_path / "qrels", "--out", tmp_path / "out")


def test_distances_read_as_similarities_are_an_error_with_the_option_to_add(tmp_path, capsys):
    assert _call(*_distances(tmp_path)) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "ranks put the smallest first in 2 of 2 queries" in line
    assert line.endswith("if they are distances, add --distance.")
    assert not (tmp_path / "out").exists()


def test_with_distance_the_smallest_is_first(tmp_path):
    assert _call(*_distances(tmp_path), "--distance") == 0
    record = json.loads((tmp_path / "out" / "evaluation.json").read_text())
    assert record["direction"] == "distance"
    assert record["systems"]["s"]["nn"] == 1


def test_document_names_with_an_extension_get_a_hint(tmp_path, capsys):
    (tmp_path / "qrels").write_text("q 0 a 1\n")
    (tmp_path / "s.run").write_text("q Q0 a.png 1 2 s\nq Q0 b.png 2 1 s\n")
    _call(tmp_path / "s.run", "--qrels", tmp_path / "qrels", "--out", tmp_path / "out")
    assert "its names end in .png, such as 'a.png'; remove the extension" in capsys.readouterr().err


def test_queries_that_are_not_in_the_collection_are_reported(shrec, capsys):
    classes = ("--classes", shrec / "models.cla", shrec / "queries.cla")
    flag = "--queries-in-collection"
    assert _call(shrec / "hog", *classes, "--out", shrec / "out", flag) == 0
    assert f"{flag} has no effect" in capsys.readouterr().err


def test_judgments_are_required(tmp_path, capsys):
    assert _call(tmp_path / "x", "--out", tmp_path / "out") == 2
    assert "either --qrels F or --classes" in capsys.readouterr().err


def test_judgments_without_relevant_documents_are_an_error(tmp_path, capsys):
    (tmp_path / "qrels").write_text("q 0 a 0\n")
    (tmp_path / "s.run").write_text("q Q0 a 1 2 s\n")
    arguments = (tmp_path / "s.run", "--qrels", tmp_path / "qrels", "--out", tmp_path / "out")
    assert _call(*arguments) == 1
    assert "no documents are relevant to any query" in capsys.readouterr().err
