"""All results for the ratings of a task."""

import csv

import numpy as np
import pytest

from analysis.errors import InputError
from analysis.ratings.ground_truth import leave_one_out
from analysis.ratings.kendall import kendall_w
from analysis.ratings.krippendorff import krippendorff_alpha
from analysis.ratings.split_half import split_half_tau_b
from analysis.ratings.task_agreement import study_ratings, summary


@pytest.fixture
def scores():
    rng = np.random.default_rng(3)
    return [rng.integers(1, 8, (6, n)).astype(float) for n in (5, 8)]


def test_overall_is_the_mean_over_queries(scores):
    found = study_ratings(scores, "low")
    single = [kendall_w(query) for query in scores]
    assert found.kendall.w == pytest.approx(np.mean([w.w for w in single]))
    assert found.kendall.chi2 == pytest.approx(sum(w.chi2 for w in single))
    assert found.kendall.df == 4 + 7
    alphas = [krippendorff_alpha(query, "interval") for query in scores]
    assert found.alpha["interval"] == pytest.approx(np.mean(alphas))
    ceilings = [leave_one_out(query) for query in scores]
    assert found.ceilings.lower == pytest.approx(np.mean([c.lower for c in ceilings]))
    assert found.split_half == pytest.approx(np.mean([split_half_tau_b(one) for one in scores]))


def test_ceilings_have_an_interval_from_four_queries_on(scores):
    few, enough = (study_ratings((scores * 2)[:count], "low") for count in (3, 4))
    assert np.isnan(few.ceilings_low).all()
    tau = [query.ceilings.lower for query in enough.queries]
    half = 3.182446 * np.std(tau, ddof=1) / 2
    assert enough.ceilings_low.lower == pytest.approx(np.mean(tau) - half, abs=1e-6)
    assert enough.ceilings_high.lower == pytest.approx(np.mean(tau) + half, abs=1e-6)


def test_differences_between_queries_are_not_agreement():
    """All participants score the first query low and the second high, and agree on nothing else."""
    rng = np.random.default_rng(8)
    noise = rng.normal(size=(2, 5, 30))
    found = study_ratings([noise[0], noise[1] + 20], "low")
    pooled = krippendorff_alpha(np.concatenate([noise[0], noise[1] + 20], axis=1), "interval")
    assert pooled > 0.9 and abs(found.alpha["interval"]) < 0.1


def test_the_number_of_complete_participants_is_reported(scores):
    scores[0][1, 2] = scores[1][4, 0] = np.nan
    scores[1][5] = np.nan
    record = summary(study_ratings(scores, "low"), ["a", "b"])
    assert (record["complete"], record["of"]) == (4, 6)
    counts = [(one["complete"], one["of"]) for one in record["by_query"].values()]
    assert counts == [(5, 6), (4, 5)]


def test_one_query_has_the_same_results_overall(scores):
    record = summary(study_ratings(scores[:1], "high", seed=5), ["only"])
    alone = record["by_query"]["only"]
    for key in ("kendall_w", "krippendorff_alpha", "icc"):
        assert record[key] == pytest.approx(alone[key])
    assert record["leave_one_out_tau_b"]["lower"] == alone["leave_one_out_tau_b"]["lower"]
    assert record["seed"] == 5


def test_parts_of_the_queries_for_each_participant(scores):
    scores[0][:2] = np.nan
    scores[1][4:] = np.nan
    found = study_ratings(scores, "low")
    assert found.participants == 6
    assert [query.participants for query in found.queries] == [4, 4]
    assert not np.isnan([found.kendall.w, found.icc.icc_2_k, found.ceilings.lower]).any()


def test_one_participant_has_a_truth_and_no_agreement():
    found = study_ratings([np.array([[1.0, 3.0, 2.0]])], "low")
    np.testing.assert_array_equal(found.queries[0].truth.rank, [1, 3, 2])
    record = summary(found, ["q"])
    assert np.isnan(record["kendall_w"]["w"])
    assert np.isnan(list(record["icc"].values())).all()
    assert np.isnan(record["leave_one_out_tau_b"]["lower"])


def test_negative_scores_have_no_alpha_at_the_ratio_level():
    found = study_ratings([np.array([[-1.0, 3.0], [1.0, 2.0]])], "low")
    assert np.isnan(found.alpha["ratio"])
    assert not np.isnan(found.alpha["interval"])


def test_different_participants_by_query_are_an_error(scores):
    with pytest.raises(InputError, match="each with the same participants"):
        study_ratings([scores[0], scores[1][:3]], "low")
    with pytest.raises(InputError, match="at least one query"):
        study_ratings([], "low")


def test_real_judgments_of_sketches(shared_data):
    """Numbers of choices as scores: most objects are recognised from their sketches."""
    path = shared_data / "judgments" / "graphcomm" / "judgments_bird_car.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    targets, choices = (sorted({row[key] for row in rows}) for key in ("target", "choice"))
    scores = np.full((2, len(targets), len(choices)), 0.0)
    for k, row in enumerate(rows):
        scores[k % 2, targets.index(row["target"]), choices.index(row["choice"])] += 1
    found = study_ratings(list(scores.swapaxes(0, 1)), "high")
    best = [choices[int(query.truth.rank.argmin())] for query in found.queries]
    assert np.mean([a == b for a, b in zip(targets, best, strict=True)]) > 0.8
    assert found.ceilings.lower > 0.3
