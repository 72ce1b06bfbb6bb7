"""`evaluate ranking` from the command line."""

import csv
import json

import numpy as np
import pytest

from analysis.ratings.ground_truth import ground_truth
from basics.numerals import statistic
from study_app.cli import main


@pytest.fixture
def study(tmp_path):
    rng = np.random.default_rng(1)
    liking = rng.normal(size=(6, 9))
    ratings = np.clip(np.rint(4 - 1.5 * (liking + rng.normal(size=(7, 6, 9)))), 1, 7).astype(int)
    with (tmp_path / "ratings.csv").open("w") as file:
        file.write("participant_id,query_id,stimulus_id,score\n")
        for (p, q, c), score in np.ndenumerate(ratings):
            file.write(f"P{p},q{q},c{c},{score}\n")
    with (tmp_path / "ground_truth.csv").open("w") as file:
        file.write("query_id,stimulus_id,mean,n,sd,se,rank\n")
        for q in range(6):
            truth = ground_truth(ratings[:, q].astype(float), "low")
            for c, row in enumerate(zip(*truth, strict=True)):
                file.write(f"q{q},c{c}," + ",".join(str(value) for value in row) + "\n")
    for name, noise in (("good", 0.1), ("poor", 2.0)):
        with (tmp_path / f"{name}.csv").open("w") as file:
            file.write("query_id,stimulus_id,score\n")
            for (q, c), value in np.ndenumerate(-liking + noise * rng.normal(size=liking.shape)):
                file.write(f"q{q},c{c},{value}\n")
    return tmp_path


def main_exit(arguments):
    with pytest.raises(SystemExit) as left:
        main(arguments)
    return left.value.code


def _evaluate(study, *more, out="out"):
    truth = str(study / "ground_truth.csv")
    systems = [str(study / f"{name}.csv") for name in ("good", "poor")]
    return main_exit(
        ["evaluate", "ranking", "--truth", truth, *systems, "--out", str(study / out), *more]
    )


def _rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_table_comparisons_record_and_figure(study):
    assert _evaluate(study, "--distance") == 0
    out = study / "out"
    good, poor = _rows(out / "systems.csv")
    columns = "system,tau_b,low,high,joint_low,joint_high,participant_tau_b,queries,undefined"
    assert list(good) == columns.split(",")
    assert good["joint_low"] == good["participant_tau_b"] == ""
    assert float(good["tau_b"]) > float(good["low"]) > float(poor["high"])
    assert good["queries"] == "6" and good["undefined"] == "0"
    by_query = [float(r["tau_b"]) for r in _rows(out / "queries.csv") if r["system"] == "good"]
    assert np.mean(by_query) == pytest.approx(float(good["tau_b"]))
    (compared,) = _rows(out / "comparisons.csv")
    assert compared["p"] == compared["p_holm"]
    record = json.loads((out / "evaluation.json").read_text())
    assert record["systems"]["good"]["tau_b"] == float(good["tau_b"])
    assert record["ceiling"] is None
    assert (out / "systems.svg").stat().st_size and (out / "systems.png").stat().st_size


def test_the_other_direction_reverses_the_sign(study):
    assert _evaluate(study, "--distance") == 0
    assert _evaluate(study, "--similarity", out="turned") == 0
    ours, turned = (_rows(study / name / "systems.csv")[0] for name in ("out", "turned"))
    assert float(ours["tau_b"]) == pytest.approx(-float(turned["tau_b"]))


def test_one_query_has_no_confidence_interval(study, capsys):
    for name in ("ground_truth", "good", "poor"):
        path = study / f"{name}.csv"
        path.write_text("".join(path.read_text().splitlines(keepends=True)[:10]))
    assert _evaluate(study, "--distance") == 0
    good, _ = _rows(study / "out" / "systems.csv")
    assert (good["low"], good["high"], good["queries"]) == ("", "", "1") and good["tau_b"]
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["system", "tau_b", "95", "%", "letters"]
    assert lines[1].split()[:2] == ["good", statistic(float(good["tau_b"]))]
    assert lines[3].startswith("Mean over 1 query;") and lines[-1] == f"Written to {study / 'out'}"


def test_names_and_the_table_in_latex(study, capsys):
    assert _evaluate(study, "--distance", "--name", "good=HOG & co", "--latex") == 0
    rows = _rows(study / "out" / "systems.csv")
    assert {row["system"] for row in rows} == {"HOG & co", "poor"}
    assert r"HOG \& co & " in (study / "out" / "systems.tex").read_text("utf-8")
    assert capsys.readouterr().out.splitlines()[1].startswith("HOG & co")
    assert _evaluate(study, "--distance", "--name", "fine=HOG", "--force") == 1
    assert "--name fine=HOG: the systems are good, poor" in capsys.readouterr().err


def test_ratings_give_ceilings_and_intervals_over_participants(study):
    assert _evaluate(study, "--distance", "--ratings", str(study / "ratings.csv")) == 0
    record = json.loads((study / "out" / "evaluation.json").read_text())
    assert 0 < record["ceiling"]["lower"] < record["ceiling"]["upper"] < 1
    good = record["systems"]["good"]
    assert good["joint_low"] < good["tau_b"] < good["joint_high"]
    assert 0 < good["participant_tau_b"] < good["tau_b"]
    assert 0 < record["split_half_tau_b"] < 1
    assert (study / "out" / "participants.svg").stat().st_size


def test_ceilings_are_read_from_the_folder_of_the_truth(study):
    beside = {"queries": 6, "leave_one_out_tau_b": {"lower": 0.5, "upper": 0.6, "more": []}}
    beside["split_half_tau_b"] = 0.8
    (study / "agreement.json").write_text(json.dumps(beside))
    assert _evaluate(study, "--distance") == 0
    record = json.loads((study / "out" / "evaluation.json").read_text())
    assert record["ceiling"] == {"lower": 0.5, "upper": 0.6} and record["split_half_tau_b"] == 0.8
    (study / "agreement.json").write_text(json.dumps(beside | {"queries": 31}))
    assert _evaluate(study, "--distance", out="other") == 0
    assert json.loads((study / "other" / "evaluation.json").read_text())["ceiling"] is None


@pytest.mark.slow
def test_from_ratings_to_systems_in_two_commands(study):
    gold = study / "gold"
    ratings = ["analyse", "ratings", str(study / "ratings.csv"), "--scale-best", "low"]
    assert main_exit([*ratings, "--out", str(gold)]) == 0
    options = ["--truth", str(gold / "ground_truth.csv"), "--distance", "--out", str(study / "out")]
    assert main_exit(["evaluate", "ranking", *options, str(study / "good.csv")]) == 0
    assert (
        _evaluate(study, "--distance", "--ratings", str(study / "ratings.csv"), out="by_hand") == 0
    )
    one, other = (
        json.loads((study / name / "evaluation.json").read_text()) for name in ("out", "by_hand")
    )
    assert one["ceiling"] == pytest.approx(other["ceiling"])
    assert one["systems"]["good"]["tau_b"] == other["systems"]["good"]["tau_b"]


def test_same_seed_same_bytes(study):
    for out in ("one", "two"):
        assert _evaluate(study, "--distance", "--seed", "3", out=out) == 0
    for path in (study / "one").iterdir():
        assert path.read_bytes() == (study / "two" / path.name).read_bytes(), path.name


def test_nothing_is_overwritten_without_force(study, capsys):
    assert _evaluate(study, "--distance") == 0
    assert _evaluate(study, "--distance") == 1
    assert "--force" in capsys.readouterr().err
    assert _evaluate(study, "--distance", "--force") == 0


def test_direction_is_required(study, capsys):
    assert _evaluate(study) == 2
    assert "Add --similarity or --distance" in capsys.readouterr().err


def test_two_directions_are_an_error(study, capsys):
    assert _evaluate(study, "--similarity", "--distance") == 2
    assert "not both" in capsys.readouterr().err


def test_an_error_is_one_line_and_leaves_no_files(study, capsys):
    text = (study / "poor.csv").read_text().replace("q3,c4,", "q3,c99,")
    (study / "poor.csv").write_text(text)
    assert _evaluate(study, "--distance") == 1
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert "poor.csv: has no score for candidate 'c4' of query 'q3'" in message
    assert not (study / "out").exists()


def test_two_systems_with_the_same_name_are_an_error(study, capsys):
    (study / "other").mkdir()
    (study / "other" / "good.csv").write_text((study / "poor.csv").read_text())
    truth = str(study / "ground_truth.csv")
    systems = [str(study / "good.csv"), str(study / "other" / "good.csv")]
    options = ["--truth", truth, "--distance", "--out", str(study / "out")]
    code = main_exit(["evaluate", "ranking", *options, *systems])
    assert code == 1 and "would be named 'good'" in capsys.readouterr().err
