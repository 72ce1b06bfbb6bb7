"""`sketch-study analyse groupings`."""

import csv
import json
from functools import partial

import numpy as np
import pytest

from analysis.groupings import set_agreement

LONG = "participant_id,stimulus_id,group_id\n"


@pytest.fixture
def run(analysed):
    """Analyse a table of groupings."""
    return partial(analysed, "groupings")


def sorted_by(people, sets=("",)):
    """A long table: everyone sorts six stimuli into two groups, the last person differently."""
    rows = ["participant_id,stimulus_id,group_id" + (",set_id" if sets != ("",) else "")]
    for name in sets:
        for person in range(people):
            for stimulus in range(6):
                group = stimulus % 2 if person == people - 1 else stimulus // 3
                row = f"p{person},s{stimulus},{group}"
                rows.append(f"{row},{name}" if name else row)
    return "\n".join(rows) + "\n"


FILES = {
    "agreement.json",
    "agreement.pdf",
    "agreement.png",
    "agreement.svg",
    "agreement_pairs.csv",
    "consensus.csv",
    "counts.csv",
    "similarity.csv",
    "similarity.mat",
    "similarity.npz",
    "similarity.pdf",
    "similarity.png",
    "similarity.svg",
}


def test_one_set_writes_its_files_into_the_folder(run):
    folder, status, out, err = run(sorted_by(3), "--draws", "50", "--seed", "4")
    assert (status, err) == (0, "")
    assert out.startswith("3 participants, 6 stimuli; BCubed F ")
    assert {path.name for path in folder.iterdir()} == FILES
    record = json.loads((folder / "agreement.json").read_text(encoding="utf-8"))
    assert (record["participants"], record["stimuli"]) == (3, 6)
    assert (record["bcubed"]["draws"], record["bcubed"]["seed"]) == (50, 4)
    # One pair agrees fully; two pairs have the contingency table 2, 1 / 1, 2.
    assert record["bcubed"]["f"] == pytest.approx((1 + 5 / 9 + 5 / 9) / 3)
    with np.load(folder / "similarity.npz") as arrays:
        assert arrays["similarity"][0, 1] == 2 / 3


def test_pairs_name_their_participants(run):
    folder, *_ = run(sorted_by(3), "--draws", "5")
    with (folder / "agreement_pairs.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["participant_a"], row["participant_b"]) for row in rows] == [
        ("p0", "p1"),
        ("p0", "p2"),
        ("p1", "p2"),
    ]
    assert float(rows[0]["f"]) == 1
    assert float(rows[1]["f"]) == pytest.approx(5 / 9)
    assert rows[0]["stimuli"] == "6"


@pytest.mark.slow
def test_several_sets_have_a_folder_each_and_a_summary_table(run):
    folder, status, *_ = run(sorted_by(3, ("chairs", "../birds")), "--draws", "5")
    assert status == 0
    assert {path.name for path in folder.iterdir()} == {
        "agreement.csv",
        "agreement.pdf",
        "agreement.png",
        "agreement.svg",
        "birds",
        "chairs",
    }
    assert {path.name for path in (folder / "birds").iterdir()} == FILES
    with (folder / "agreement.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["set_id"]: row for row in csv.DictReader(file)}
    assert rows["../birds"]["folder"] == "birds"
    assert rows["chairs"]["f"] == rows["../birds"]["f"]


def test_with_one_participant_agreement_is_undefined_and_this_is_printed(run):
    folder, status, out, _ = run(sorted_by(1))
    assert status == 0
    assert "agreement undefined" in out
    record = json.loads((folder / "agreement.json").read_text(encoding="utf-8"))
    assert record["bcubed"]["f"] is None
    assert record["reliability"]["split_half"] is None


def test_one_stimulus_is_not_an_error(run):
    folder, status, *_ = run(LONG + "p,a,1\nq,a,1\n", "--draws", "5")
    assert status == 0
    assert (folder / "similarity.csv").read_text(encoding="utf-8") == "stimulus_id,a\na,1.0\n"


@pytest.mark.slow
def test_the_same_command_writes_the_same_bytes(run):
    first, *_ = run(sorted_by(4), "--draws", "20")
    second, *_ = run(sorted_by(4), "--draws", "20", out="again")
    for name in sorted(FILES):
        assert (first / name).read_bytes() == (second / name).read_bytes(), name


def test_an_invalid_table_is_an_error_and_nothing_is_written(run):
    folder, status, _, err = run(LONG + "p,a,1\np,a,2\n")
    assert status == 1
    assert err.count("\n") == 1
    assert "groupings.csv:3: participant p already placed stimulus a in line 2" in err
    assert not folder.exists()


@pytest.mark.parametrize(("sets", "standing"), [(("",), "."), (("a", "b"), "b")])
def test_existing_results_are_an_error_before_any_computation(
    run, tmp_path, monkeypatch, sets, standing
):
    def worked(*_):
        raise AssertionError("the work began")

    monkeypatch.setattr(set_agreement, "study_set", worked)
    place = tmp_path / "found" / standing
    place.mkdir(parents=True)
    (place / "agreement.json").write_text("{}", encoding="utf-8")
    *_, status, _, err = run(sorted_by(2, sets=sets))
    assert status == 1
    assert "agreement.json: already exists" in err


def test_a_folder_below_a_file_is_an_error_in_one_line(run):
    *_, status, _, err = run(sorted_by(2), out="groupings.csv/gold")
    assert status == 1
    assert "groupings.csv: cannot be written to" in err
    assert err.count("\n") == 1


@pytest.mark.slow
def test_existing_results_are_not_overwritten_without_force(run):
    run(sorted_by(2), "--draws", "5")
    *_, status, _, err = run(sorted_by(2), "--draws", "5")
    assert status == 1
    assert "--force" in err
    *_, status, _, _ = run(sorted_by(2), "--draws", "5", "--force")
    assert status == 0


@pytest.mark.parametrize("option", [("--draws", "0"), ("--seed", "-1"), ("--draws", "x")])
def test_usage_errors_have_exit_status_2(run, option):
    assert run(sorted_by(2), *option)[1] == 2
