"""`evaluate clustering` on the chocolates that 25 people sorted."""

import csv
import json

import numpy as np
import pytest
import scipy.stats

from analysis import bcubed, cogrouping, consensus_grouping, mantel, shuffled_agreement
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


def _table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_systems_are_compared_over_participants(chocolates):
    truth, people, tmp_path = chocolates
    good = _write_groups(tmp_path / "good.csv", people.stimuli, people.groups[0])
    poor = _write_groups(tmp_path / "poor.csv", people.stimuli, [0, 1] * 7)
    matrix = tmp_path / "matrix.npz"
    similarity = cogrouping(people.groups)
    np.savez(matrix, similarity=similarity, stimuli=np.array(people.stimuli))
    arguments = [good, poor, matrix, "--similarity", "--seed", "3", "--out", tmp_path / "out"]
    assert _call(truth, *arguments) == 0
    rows = {
        (row["measure"], row["system_a"], row["system_b"]): row
        for row in _table(tmp_path / "out" / "comparisons.csv")
    }
    assert [key[0] for key in rows] == ["f"] + ["participant_tau_b"] * 3
    with_each = _table(tmp_path / "out" / "participants.csv")
    f = {
        name: np.array([float(row["f"]) for row in with_each if row["system"] == name])
        for name in ("good", "poor")
    }
    gap = f["good"] - f["poor"]
    row = rows["f", "good", "poor"]
    assert float(row["difference"]) == pytest.approx(gap.mean())
    theirs = scipy.stats.permutation_test(
        (gap,), np.mean, permutation_type="samples", n_resamples=9999, rng=1
    )
    assert float(row["p"]) == pytest.approx(theirs.pvalue, abs=0.003)
    taus = [row for key, row in rows.items() if key[0] == "participant_tau_b"]
    p = [float(row["p"]) for row in taus]
    assert max(float(row["p_holm"]) for row in taus) == pytest.approx(
        max(3 * min(p), 2 * sorted(p)[1], max(p))
    )
    systems = _systems(tmp_path / "out")
    own = [float(row["participant_tau_b"]) for row in with_each if row["system"] == "matrix"]
    assert float(systems["matrix"]["participant_tau_b"]) == pytest.approx(np.mean(own))
    low, high = (float(systems["matrix"][f"participant_tau_b_{n}"]) for n in ("low", "high"))
    assert low < np.mean(own) < high
    record = json.loads((tmp_path / "out" / "evaluation.json").read_text())
    people = record["people"]["participant_tau_b"]
    assert people["upper"] == pytest.approx(np.mean(own)) and record["seed"] == 3


def test_chance_of_groups_and_of_matrices(chocolates):
    truth, people, tmp_path = chocolates
    good = _write_groups(tmp_path / "good.csv", people.stimuli, people.groups[0])
    poor = _write_groups(tmp_path / "poor.csv", people.stimuli, [0, 1] * 7)
    assert _call(truth, good, poor, "--out", tmp_path / "out") == 0
    systems = _systems(tmp_path / "out")
    assert float(systems["good"]["p_value"]) == float(systems["good"]["mantel_p"]) == 1 / 1001
    names = ("p_value", "mantel_p", "consensus_p_value", "consensus_mantel_p")
    assert min(float(systems["poor"][name]) for name in names) > 0.2
    consensus = consensus_grouping(people.groups).groups
    together = [consensus[:, None] == consensus, people.groups[0][:, None] == people.groups[0]]
    expected = mantel(together[1], together[0])
    assert (
        float(systems["good"]["consensus_mantel_p"]) == pytest.approx(expected) and expected < 0.05
    )
    assert float(systems["good"]["consensus_tau_b"]) > 0.3
    assert float(systems["poor"]["similarity_tau_b"]) < 0.3


@pytest.mark.slow
@pytest.mark.parametrize("overlapping", [False, True])
def test_chance_levels_of_each_participant_and_the_consensus(chocolates, overlapping):
    truth, people, tmp_path = chocolates
    groups = [[g, 99] if overlapping and k < 5 else [g] for k, g in enumerate(people.groups[0])]
    path = _write_groups(tmp_path / "first.csv", people.stimuli, groups)
    assert _call(truth, path, "--out", tmp_path / "out") == 0
    row = _systems(tmp_path / "out")["first"]
    rows = _table(tmp_path / "out" / "participants.csv")
    numbers = {
        name: np.array([float(one[name]) for one in rows])
        for name in ("f", "f_random", "f_adjusted", "p_value")
    }
    for prefix, one in [("consensus_", row), *(("", one) for one in rows)]:
        f, f_random, beyond = (float(one[prefix + n]) for n in ("f", "f_random", "f_adjusted"))
        assert beyond == pytest.approx((f - f_random) / (1 - f_random))
    assert numbers["p_value"].min() == 1 / 1001 and numbers["p_value"].max() > 0.05
    # The higher above chance, the lower the p-value.
    assert scipy.stats.spearmanr(numbers["f_adjusted"], numbers["p_value"]).statistic < -0.7
    membership = np.array([[g in own for g in range(100)] for own in groups])
    random = shuffled_agreement(membership, people.groups)
    hits = (random >= numbers["f"] - 1e-9).sum(axis=0)
    assert numbers["p_value"] == pytest.approx((hits + 1) / 1001)
    mean = (random.mean(axis=1) >= numbers["f"].mean() - 1e-9).sum()
    assert float(row["p_value"]) == pytest.approx((mean + 1) / 1001)


def test_every_stimulus_alone_is_no_better_than_chance(chocolates):
    truth, people, tmp_path = chocolates
    path = _write_groups(tmp_path / "alone.csv", people.stimuli, range(14))
    assert _call(truth, path, "--out", tmp_path / "out") == 0
    row = _systems(tmp_path / "out")["alone"]
    assert float(row["f"]) > 0.6
    assert float(row["f_adjusted"]) == pytest.approx(0, abs=1e-9)
    assert float(row["ari"]) == 0 and float(row["p_value"]) == 1
    assert row["similarity_tau_b"] == row["mantel_p"] == row["participant_tau_b_low"] == ""


def test_overlapping_groups(chocolates):
    truth, people, tmp_path = chocolates
    groups = [[g, 99] if k < 2 else [g] for k, g in enumerate(people.groups[0])]
    path = _write_groups(tmp_path / "overlap.csv", people.stimuli, groups)
    assert _call(truth, path, "--out", tmp_path / "out") == 0
    row = _systems(tmp_path / "out")["overlap"]
    assert row["overlapping"] == "true" and row["ari"] == ""
    assert 0 < float(row["f_random"]) < float(row["f"]) < 1
    assert float(row["p_value"]) == 1 / 1001 and float(row["consensus_p_value"]) < 0.01
    assert 0 < float(row["consensus_f_adjusted"]) < 1


@pytest.mark.slow
def test_a_figure_of_the_groups_and_one_of_all_systems(chocolates):
    truth, people, tmp_path = chocolates
    path = _write_groups(tmp_path / "grouping.csv", people.stimuli, people.groups[0])
    matrix = tmp_path / "matrix.npz"
    np.savez(matrix, similarity=cogrouping(people.groups), stimuli=np.array(people.stimuli))
    assert _call(truth, path, matrix, "--similarity", "--out", tmp_path / "out") == 0
    drawn = {
        name: (tmp_path / "out" / f"{name}.svg").read_text(encoding="utf-8")
        for name in ("systems", "correlations")
    }
    assert ">grouping<" in drawn["systems"] and ">matrix<" not in drawn["systems"]
    assert all(f">{name}<" in drawn["correlations"] for name in ("grouping", "matrix"))
    assert _call(truth, matrix, "--similarity", "--out", tmp_path / "alone") == 0
    assert ">matrix<" in (tmp_path / "alone" / "systems.svg").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["csv", "npz"])
def test_a_matrix_has_only_the_correlation(chocolates, form):
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
    assert float(row["similarity_tau_b"]) == float(row["similarity_spearman"]) == 1
    assert row["f"] == ""
    if form == "csv":
        assert _call(truth, path, "--similarity", "--out", tmp_path / "turned") == 0
        assert float(_systems(tmp_path / "turned")["own"]["similarity_tau_b"]) == -1
        assert _call(truth, path, "--out", tmp_path / "asked") == 2


def test_an_npz_states_whether_it_is_a_similarity(chocolates, capsys):
    truth, people, tmp_path = chocolates
    similarity = cogrouping(people.groups)
    both = {"near": {"similarity": similarity}, "far": {"distance": 1 - similarity}}
    paths = [tmp_path / f"{name}.npz" for name in both]
    for path, array in zip(paths, both.values(), strict=True):
        np.savez(path, **array, stimuli=np.array(people.stimuli))
    assert _call(truth, *paths, "--out", tmp_path / "out") == 0
    systems = _systems(tmp_path / "out")
    assert [float(systems[name]["similarity_tau_b"]) for name in both] == [1, 1]
    capsys.readouterr()
    assert _call(truth, *paths, "--similarity", "--out", tmp_path / "wrong") == 1
    errors = capsys.readouterr().err
    assert "far.npz: contains a distance, but was declared as a similarity" in errors
    assert errors.count("\n") == 1 and not (tmp_path / "wrong").exists()


def test_the_band_of_the_human_ceiling(chocolates):
    truth, people, tmp_path = chocolates
    path = _write_groups(tmp_path / "first.csv", people.stimuli, people.groups[0])
    assert _call(truth, path, "--out", tmp_path / "out") == 0
    band = json.loads((tmp_path / "out" / "evaluation.json").read_text())["people"]
    assert band["f_random"] < band["f"] < band["consensus_f"] < 1


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("stimulus_id,group_id\nCDM,1\n", "lacks stimulus"),
        ("stimulus_id,group_id\nCDM,1\nCDM,1\n", ":3: puts 'CDM' into group '1' again"),
        ("stimulus_id,group_id\n,1\n", ":2: stimulus_id is empty"),
        ("a,b\n1,2\n", ":1: is neither a table stimulus_id,group_id nor a matrix"),
        ("group_id,stimulus_id\nCDM,1\n", "lacks stimulus"),
    ],
)
def test_refusals(chocolates, capsys, text, finding):
    truth, _, tmp_path = chocolates
    (tmp_path / "x.csv").write_text(text)
    assert _call(truth, tmp_path / "x.csv", "--out", tmp_path / "out") == 1
    assert finding in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("overlapping", [False, True])
def test_with_one_participant_or_none_measures_are_undefined(tmp_path, overlapping):
    truth = tmp_path / "t.csv"
    groups = [[0, 2], [0], [1], [1]] if overlapping else [0, 0, 1, 1]
    path = _write_groups(tmp_path / "x.csv", ["s0", "s1", "s2", "s3"], groups)
    truth.write_text("stimulus,A,B\ns0,1,\ns1,1,\ns2,2,\ns3,2,\n")
    assert _call(truth, path, "--out", tmp_path / "out") == 0
    row = _systems(tmp_path / "out")["x"]
    assert float(row["f"]) == float(row["consensus_f"]) > 0.8
    assert row["low"] == row["high"] == row["participant_tau_b_low"] == ""
    one, nobody = _table(tmp_path / "out" / "participants.csv")
    assert 0.2 < float(one["p_value"]) < 0.5 and nobody["f"] == nobody["p_value"] == ""
    truth.write_text("stimulus,A,B\ns0,,\ns1,,\ns2,,\ns3,,\n")
    assert _call(truth, path, "--out", tmp_path / "nobody") == 0
    row = _systems(tmp_path / "nobody")["x"]
    names = ("f", "p_value", "consensus_p_value", "similarity_tau_b", "mantel_p")
    names += ("consensus_mantel_p",)
    assert [row[name] for name in names] == [""] * 6


def test_one_of_several_sets_can_be_chosen(tmp_path, capsys):
    rows = [f"P{p},s{s},{(s + p) % 2},{c}" for c in "ab" for p in range(3) for s in range(4)]
    truth = tmp_path / "t.csv"
    truth.write_text("participant_id,stimulus_id,group_id,set_id\n" + "\n".join(rows))
    path = _write_groups(tmp_path / "x.csv", [f"s{k}" for k in range(4)], [0, 1, 0, 1])
    assert _call(truth, path, "--out", tmp_path / "out") == 1
    assert "has 2 sets (a, b); choose one with --set" in capsys.readouterr().err
    assert _call(truth, path, "--set", "c", "--out", tmp_path / "out") == 1
    assert "has no set 'c'; choose one of a, b" in capsys.readouterr().err
    assert _call(truth, path, "--set", "b", "--out", tmp_path / "out") == 0
    assert float(_systems(tmp_path / "out")["x"]["f"]) == 1
