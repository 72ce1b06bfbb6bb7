"""The HPatches commands, from descriptors to results."""

import csv
import json

import numpy as np
import pytest

from study_app.cli import main

SYSTEMS_COLUMNS = (
    "descriptor,positives_file,negatives_file,balanced,"
    "ap,ap_trapezoid,auc,fpr95,positives,negatives"
)


def _call(*arguments):
    with pytest.raises(SystemExit) as left:
        main(["evaluate", *map(str, arguments)])
    return left.value.code


def _record(folder):
    return json.loads((folder / "evaluation.json").read_text())


def test_pooled_files(tmp_path):
    (tmp_path / "p.results").write_text("0.1,1\n0.3,1\n")
    (tmp_path / "n.results").write_text("0.2,0\n0.4,0\n0.5,0\n")
    files = (tmp_path / "p.results", tmp_path / "n.results")
    assert _call("hpatches-classification", *files, "--out", tmp_path / "out") == 0
    found = _record(tmp_path / "out")
    assert found["ap"] == pytest.approx((1 + 2 / 3) / 2)
    assert found["auc"] == pytest.approx(5 / 6)
    assert (found["positives"], found["negatives"]) == (2, 3)
    assert (tmp_path / "out" / "roc.csv").exists() and (tmp_path / "out" / "roc.svg").exists()
    files = (*files, "--balanced", "--out", tmp_path / "balanced")
    assert _call("hpatches-classification", *files) == 0
    assert _record(tmp_path / "balanced")["negatives"] == 2
    assert _record(tmp_path / "balanced")["auc"] == 0.75


def test_pooled_files_can_be_named(tmp_path, capsys):
    (tmp_path / "r.results").write_text("0.1,1\n0.2,0\n")
    out = ("--name", "r=HOG", "--out", tmp_path / "out")
    assert _call("hpatches-classification", tmp_path / "r.results", *out) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[:3] == ["HOG", "pooled", "1.0000"]
    assert (
        _call(
            "hpatches-classification", tmp_path / "r.results", "--name", "x=y", *out[2:], "--force"
        )
        == 1
    )
    assert "--name x=y: the systems are r" in capsys.readouterr().err


def test_constant_distances_and_their_compat(tmp_path):
    (tmp_path / "r.results").write_text("1\n1\n1\n1\n")
    (tmp_path / "r.labels").write_text("1\n0\n0\n0\n")
    both = (tmp_path / "r.results", "--labels", tmp_path / "r.labels", "--out")
    assert _call("hpatches-classification", *both, tmp_path / "a") == 0
    assert _call("hpatches-classification", *both, tmp_path / "b", "--compat", "hbench") == 0
    ours, theirs = _record(tmp_path / "a"), _record(tmp_path / "b")
    assert (ours["ap"], ours["auc"]) == (0.25, 0.5)
    assert (theirs["ap"], theirs["auc"]) == (1.0, 1.0)


def test_folders_of_several_descriptors(tmp_path, capsys):
    rng = np.random.default_rng(1)
    for descriptor in ("sift", "brief"):
        folder = tmp_path / descriptor
        folder.mkdir()
        for name, n in (("easy_pos", 5), ("hard_pos", 5), ("diffseq_neg", 20), ("sameseq_neg", 20)):
            rows = "\n".join(str(x) for x in rng.random(n))
            (folder / f"train_{name}.results").write_text(rows)
    out = tmp_path / "out"
    folders = (tmp_path / "sift", tmp_path / "brief")
    named = ("--name", "sift=SIFT_128", "--latex", "--out", out)
    assert _call("hpatches-classification", *folders, *named) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["system", "task", "AP", "AUC", "FPR95", "positives", "negatives"]
    assert len(lines) == 1 + 16 + 2 and lines[-1] == f"Written to {out}"
    scores = [float(line.split(" / ")[1].split()[1]) for line in lines[1:17]]
    assert scores == sorted(scores, reverse=True)
    assert (out / "systems.tex").read_text().count(r"SIFT\_128 &") == 8
    with (out / "systems.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert ",".join(rows[0]) == SYSTEMS_COLUMNS
    assert len(rows) == 2 * 4 * 2
    assert {row["negatives"] for row in rows if row["balanced"] == "true"} == {"5"}


def test_errors_state_file_and_line(tmp_path, capsys):
    (tmp_path / "r.results").write_text("0.1,1\n0.2,1\n")
    out = ("--out", tmp_path / "out")
    assert _call("hpatches-classification", tmp_path / "r.results", *out) == 1
    assert "no negative pairs among 2" in capsys.readouterr().err
    (tmp_path / "r.results").write_text("0.1,1\nx,0\n")
    assert _call("hpatches-classification", tmp_path / "r.results", *out) == 1
    assert "r.results:2: distance 'x'" in capsys.readouterr().err
    assert _call("hpatches-classification", tmp_path / "r.results", tmp_path, *out) == 2


@pytest.mark.parametrize("distance", ["l1", "l2", "cosine"])
def test_from_descriptors_to_the_numbers_of_classification(task, distance):
    (task / "pos.pairs").write_text("v_a.ref.1,v_a.e1.1,1\nv_b.ref.7,v_b.e2.7,1\n")
    (task / "neg.pairs").write_text("v_a.ref.1,v_b.e1.1,0\nv_b.ref.7,v_a.e2.3,0\n")
    for name in ("pos", "neg"):
        pairs, out = task / f"{name}.pairs", task / f"{name}.results"
        command = ("hpatches-results", task / "desc", pairs, "--distance", distance)
        assert _call(*command, "--out", out) == 0
    assert (task / "pos.results").read_text().split("\n")[0].endswith(",1")
    files = (task / "pos.results", task / "neg.results", "--out", task / "out")
    assert _call("hpatches-classification", *files) == 0
    assert _record(task / "out")["ap"] == 1.0


def test_a_classification_benchmark_pools_its_pairs(task):
    (task / "pos.pairs").write_text("v_a.ref.1,v_a.e1.1\n")
    (task / "neg.pairs").write_text("v_a.ref.1,v_b.e1.1\nv_a.ref.1,v_b.e1.2\n")
    (task / "c.benchmark").write_text("pos.pairs\nneg.pairs\n")
    command = ("hpatches-results", task / "desc", task / "c.benchmark", "--out", task / "c.results")
    assert _call(*command) == 0
    assert len((task / "c.results").read_text().split()) == 3
    assert "," not in (task / "c.results").read_text()


def test_results_of_a_labelled_benchmark_are_a_task_of_their_folder(task):
    (task / "pos.pairs").write_text("v_a.ref.1,v_a.e1.1,1\nv_b.ref.7,v_b.e2.7,1\n")
    (task / "neg.pairs").write_text(
        "v_a.ref.1,v_b.e1.1,0\nv_a.ref.1,v_b.e1.2,0\nv_b.ref.7,v_a.e2.3,0\n"
    )
    benchmark = task / "train_diffseq_easy.benchmark"
    benchmark.write_text("pos.pairs\nneg.pairs\n")
    results = task / "classification" / "mine" / "train_diffseq_easy.results"
    assert _call("hpatches-results", task / "desc", benchmark, "--out", results) == 0
    assert _call("hpatches-classification", results.parent, "--out", task / "out") == 0
    with (task / "out" / "systems.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert ",".join(rows[0]) == SYSTEMS_COLUMNS
    assert [(row["balanced"], row["negatives"]) for row in rows] == [("true", "2"), ("false", "3")]
    for row in rows:
        assert row["descriptor"] == "mine"
        assert row["positives_file"] == row["negatives_file"] == results.name
        assert (float(row["ap"]), row["positives"]) == (1.0, "2")
