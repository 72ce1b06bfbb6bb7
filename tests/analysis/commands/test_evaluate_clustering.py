"""`evaluate clustering` on the chocolates that 25 people sorted."""

import csv
import json

import numpy as np
import pytest

from analysis import bcubed, cogrouping
from analysis.files.groupings import read_groupings
from study_app.cli import main


@pytest.fixture
def chocolates(shared_data, tmp_path):
    path = shared_data / "judgments" / "free_sorting_choc.csv"
    return path, read_groupings(path)[0], tmp_path


def _call(truth, *arguments):
    with pytest.raises(SystemExit) as left:
        main(["evaluate", "clustering", "--truth", str(truth), *map(str, arguments)])
    return left.value.code


def _write_groups(path, stimuli, groups):
    rows = [
        f"{s},g{g}\n" for s, own in zip(stimuli, groups, strict=True) for g in np.atleast_1d(own)
    ]
    path.write_text("stimulus_id,group_id\n" + "".join(rows))
    return path


def _systems(folder):
    with (folder / "systems.csv").open(encoding="utf-8", newline="") as file:
        return {row["system"]: row for row in csv.DictReader(file)}


def test_a_participant_as_a_system(chocolates):
    truth, people, tmp_path = chocolates
    path = _write_groups(tmp_path / "first.csv", people.stimuli, people.groups[0])
    assert _call(truth, path, "--out", tmp_path / "out") == 0
    row = _systems(tmp_path / "out")["first"]
    expected = np.mean([bcubed(people.groups[0], other) for other in people.groups], axis=0)
    assert [float(row[n]) for n in ("precision", "recall", "f")] == pytest.approx(expected)
    assert float(row["low"]) < float(row["f"]) < float(row["high"])
    with (tmp_path / "out" / "participants.csv").open(encoding="utf-8", newline="") as file:
        with_each = list(csv.DictReader(file))
    assert len(with_each) == 25 and float(with_each[0]["f"]) == 1 == float(with_each[0]["ari"])
    assert with_each[0]["stimuli"] == "14"


def test_everything_alone_is_no_better_than_chance(chocolates):
    truth, people, tmp_path = chocolates
    path = _write_groups(tmp_path / "alone.csv", people.stimuli, range(14))
    assert _call(truth, path, "--out", tmp_path / "out") == 0
    row = _systems(tmp_path / "out")["alone"]
    assert float(row["f"]) > 0.6
    assert float(row["f_adjusted"]) == pytest.approx(0, abs=1e-9)
    assert float(row["ari"]) == 0 and row["tau_b"] == ""


def test_overlapping_groups(chocolates):
    truth, people, tmp_path = chocolates
    groups = [[g, 99] if k < 2 else [g] for k, g in enumerate(people.groups[0])]
    path = _write_groups(tmp_path / "overlap.csv", people.stimuli, groups)
    assert _call(truth, path, "--out", tmp_path / "out") == 0
    row = _systems(tmp_path / "out")["overlap"]
    assert row["overlapping"] == "true" and row["ari"] == "" and 0 < float(row["f"]) < 1


@pytest.mark.parametrize("form", ["csv", "npz"])
def test_a_matrix_has_the_correlation_only(chocolates, form):
    truth, people, tmp_path = chocolates
    distance = 1 - cogrouping(people.groups)
    path = tmp_path / f"own.{form}"
    if form == "csv":
        rows = [
            ",".join([name, *map(str, row)])
            for name, row in zip(people.stimuli, distance, strict=True)
        ]
        path.write_text("\n".join([",".join(["", *people.stimuli]), *rows]))
    else:
        np.savez(path, distance=distance, stimuli=np.array(people.stimuli))
    assert _call(truth, path, "--distance", "--out", tmp_path / "out") == 0
    row = _systems(tmp_path / "out")["own"]
    assert float(row["tau_b"]) == float(row["spearman"]) == 1 and row["f"] == ""
    assert _call(truth, path, "--similarity", "--out", tmp_path / "turned") == 0
    assert float(_systems(tmp_path / "turned")["own"]["tau_b"]) == -1
    assert _call(truth, path, "--out", tmp_path / "asked") == 2


def test_the_people_s_band(chocolates):
    truth, people, tmp_path = chocolates
    path = _write_groups(tmp_path / "first.csv", people.stimuli, people.groups[0])
    assert _call(truth, path, "--out", tmp_path / "out") == 0
    band = json.loads((tmp_path / "out" / "evaluation.json").read_text())["people"]
    assert band["f_random"] < band["f"] < band["consensus_f"] < 1


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("stimulus_id,group_id\nCDM,1\n", "says nothing about stimulus"),
        ("stimulus_id,group_id\nCDM,1\nCDM,1\n", ":3: puts 'CDM' into group '1' again"),
        ("stimulus_id,group_id\n,1\n", ":2: stimulus_id is empty"),
        ("a,b\n1,2\n", ":1: is neither a table stimulus_id,group_id nor a matrix"),
        ("group_id,stimulus_id\nCDM,1\n", "says nothing about stimulus"),
    ],
)
def test_refusals(chocolates, capsys, text, finding):
    truth, _, tmp_path = chocolates
    (tmp_path / "x.csv").write_text(text)
    assert _call(truth, tmp_path / "x.csv", "--out", tmp_path / "out") == 1
    assert finding in capsys.readouterr().err


def test_one_of_several_sets_is_chosen(tmp_path, capsys):
    rows = [f"P{p},s{s},{(s + p) % 2},{c}" for c in "ab" for p in range(3) for s in range(4)]
    truth = tmp_path / "t.csv"
    truth.write_text("participant_id,stimulus_id,group_id,set_id\n" + "\n".join(rows))
    path = _write_groups(tmp_path / "x.csv", [f"s{k}" for k in range(4)], [0, 1, 0, 1])
    assert _call(truth, path, "--out", tmp_path / "out") == 1
    assert "is of 2 sets (a, b); choose one with --set" in capsys.readouterr().err
    assert _call(truth, path, "--set", "b", "--out", tmp_path / "out") == 0
    assert float(_systems(tmp_path / "out")["x"]["f"]) == 1
