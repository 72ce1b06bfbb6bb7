"""`sketch-study analyse ratings`."""

import csv
import json

import pytest

from study_app.cli import main

HEADER = "participant_id,query_id,stimulus_id,score\n"
# Shrout & Fleiss 1979, table 2, as scores of one query by four judges, and a second query.
JUDGES = [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]]
SCORES = [(p, s, score) for p, row in enumerate(JUDGES) for s, score in enumerate(row)]
CONTENT = (
    HEADER
    + "".join(f"p{p},q1,s{s},{score}\n" for p, s, score in SCORES)
    + "p0,q2,a,1\np0,q2,b,2\np1,q2,a,1\n"
)


@pytest.fixture
def run(tmp_path, capsys):
    """Give a function that writes a table, analyses it, and returns (folder, status, out, err)."""

    def analyse(content, *options, out="truth"):
        path = tmp_path / "ratings.csv"
        path.write_text(content, encoding="utf-8")
        status = 0
        try:
            main(["analyse", "ratings", str(path), "--out", str(tmp_path / out), *options])
        except SystemExit as leaving:
            status = leaving.code or 0
        printed = capsys.readouterr()
        return tmp_path / out, status, printed.out, printed.err

    return analyse


def test_truth_agreement_and_figure_are_written(run):
    folder, status, out, err = run(CONTENT, "--scale-best", "high")
    assert (status, err) == (0, "")
    assert out.startswith("4 participants, 2 queries; Kendall's W ")
    assert {path.name for path in folder.iterdir()} == {
        "agreement.json",
        "agreement.png",
        "agreement.svg",
        "ground_truth.csv",
    }
    with (folder / "ground_truth.csv").open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
    assert reader.fieldnames == ["query_id", "stimulus_id", "mean", "n", "sd", "se", "rank"]
    first = {row["stimulus_id"]: row for row in rows if row["query_id"] == "q1"}
    assert first["s4"] | {"sd": "", "se": ""} == {
        "query_id": "q1",
        "stimulus_id": "s4",
        "mean": "7.5",
        "n": "4",
        "sd": "",
        "se": "",
        "rank": "1.0",
    }
    assert float(first["s0"]["se"]) == pytest.approx(float(first["s0"]["sd"]) / 2)
    assert rows[-1]["sd"] == ""


def test_the_record_holds_the_published_values_and_null_for_undefined(run):
    folder, *_ = run(CONTENT, "--scale-best", "high", "--seed", "3")
    record = json.loads((folder / "agreement.json").read_text(encoding="utf-8"))
    assert (record["scale_best"], record["seed"], record["queries"]) == ("high", 3, 2)
    forms = record["by_query"]["q1"]["icc"]
    assert list(forms) == ["ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)"]
    expected = [0.166, 0.290, 0.715, 0.443, 0.620, 0.909]
    assert list(forms.values()) == pytest.approx(expected, abs=6e-4)
    assert record["by_query"]["q2"]["kendall_w"]["w"] is None


def test_the_direction_is_asked_for(run):
    folder, status, _, err = run(CONTENT)
    assert status == 2
    assert "--scale-best" in err
    assert not folder.exists()


def test_the_same_command_writes_the_same_bytes(run):
    first, *_ = run(CONTENT, "--scale-best", "low")
    second, *_ = run(CONTENT, "--scale-best", "low", out="again")
    for path in first.iterdir():
        assert path.read_bytes() == (second / path.name).read_bytes(), path.name


def test_a_wrong_score_is_refused_and_nothing_is_written(run):
    folder, status, _, err = run(HEADER + "p,q,a,much\n", "--scale-best", "low")
    assert status == 1
    assert err.endswith("ratings.csv:2: score is 'much'; a finite number is needed\n")
    assert not folder.exists()


def test_one_participant_is_stated_as_without_agreement(run):
    _, status, out, _ = run(HEADER + "p,q,a,1\np,q,b,2\n", "--scale-best", "low")
    assert status == 0
    assert "agreement undefined" in out
