"""The human ground truth and scores of systems in the same layout, and errors with lines."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from analysis.errors import InputError
from analysis.files.scores import read_ground_truth, read_participant_scores, read_scores

TRUTH = (
    "query_id,stimulus_id,mean,n,sd,se,rank\n"
    "q1,a,1.5,2,0,0,1\nq1,b,6,2,0,0,3\nq1,c,2,2,0,0,2\nq2,a,3,2,0,0,1.5\nq2,d,3,2,0,0,1.5\n"
)
SYSTEM = "query_id,stimulus_id,score\nq2,d,5\nq1,c,3\nq1,a,1\nq1,b,2\nq2,a,4\n"
RATINGS = (
    "participant_id,query_id,stimulus_id,score\n"
    "P1,q1,a,1\nP2,q1,a,2\nP1,q1,b,6\nP1,q1,c,2\nP2,q1,c,2\nP1,q2,a,3\nP2,q2,d,3\n"
)


@pytest.fixture
def write(tmp_path):
    def _write(text, name):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return _write


@pytest.fixture
def truth(write):
    return read_ground_truth(write(TRUTH, "ground_truth.csv"))


def test_ground_truth(truth):
    assert truth.queries == ["q1", "q2"]
    assert truth.candidates == [["a", "b", "c"], ["a", "d"]]
    assert truth.sign == -1
    assert truth.similarity.tolist() == [[-1.5, -6, -2], [-3, -3, 0]]
    assert truth.where.tolist() == [[True, True, True], [True, True, False]]


def test_direction_comes_from_the_ranks(write):
    text = "query_id,stimulus_id,mean,rank\nq,a,1.5,3\nq,b,6,1\nq,c,2,2\n"
    assert read_ground_truth(write(text, "t.csv")).sign == 1


def test_ranks_of_a_longer_list_are_accepted(write):
    text = "query_id,stimulus_id,mean,rank\nq,a,6,2\nq,b,5,3\nq,c,2,7\n"
    truth = read_ground_truth(write(text, "t.csv"))
    np.testing.assert_array_equal(truth.similarity, [[6, 5, 2]])


def test_noise_in_means_does_not_contradict_ranks(write):
    noisy = repr(0.1 + 0.2)
    text = f"query_id,stimulus_id,mean,rank\nq,a,{noisy},1\nq,b,0.3,2\nq,c,0.1,3\n"
    assert read_ground_truth(write(text, "t.csv")).sign == 1


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("query_id,stimulus_id,mean\nq,a,1\n", r":1: has no column rank"),
        ("query_id,stimulus_id,mean,rank\n", r":1: has no judgments"),
        (TRUTH.replace("6,2,0,0,3", "x,2,0,0,3"), r":3: mean is 'x'"),
        (
            TRUTH.replace("q1,c", "q1,a"),
            r":4: query 'q1' repeats stimulus 'a' \(first on line 2",
        ),
        (
            TRUTH.replace("6,2,0,0,3", "6,2,0,0,1.2"),
            "means and ranks of query 'q1' contradict each other",
        ),
        (TRUTH + "q3,a,1,2,0,0,2\nq3,b,2,2,0,0,1\n", "means and ranks of query 'q3' contradict"),
        ("query_id,stimulus_id,rank,mean\nq,a,1.5,1\nq,b,4,2\n", r":2: rank is 1.5 and .*swapped"),
        ("query_id,stimulus_id,rank,mean\nq,a,6.5,1\nq,b,4,2\n", r":2: rank is 6.5 and .*swapped"),
    ],
)
def test_refuses_ground_truths(write, text, finding):
    with pytest.raises(InputError, match=finding):
        read_ground_truth(write(text, "t.csv"))


_MEANS = st.lists(st.integers(4, 28).map(lambda four: four / 4), min_size=2, max_size=8)


@given(_MEANS, st.sampled_from(["average", "min", "max", "dense", "ordinal"]), st.booleans())
def test_accepts_every_way_of_ranking_ties(tmp_path_factory, means, method, low):
    ranks = rankdata(means if low else np.negative(means), method)
    rows = "".join(f"q,s{k},{m},{r}\n" for k, (m, r) in enumerate(zip(means, ranks, strict=True)))
    path = tmp_path_factory.getbasetemp() / "ranked.csv"
    path.write_text("query_id,stimulus_id,mean,rank\n" + rows, encoding="utf-8")
    assert len(set(means)) == 1 or read_ground_truth(path).sign == (-1 if low else 1)
    if any(mean % 0.5 or mean > len(means) for mean in means):
        path.write_text("query_id,stimulus_id,rank,mean\n" + rows, encoding="utf-8")
        with pytest.raises(InputError, match=r"ranked.csv:\d+: rank is .* swapped"):
            read_ground_truth(path)


def test_scores_from_a_table_and_from_a_run(truth, write):
    table, _ = read_scores(write(SYSTEM + "q9,z,1\n", "hog.csv"), truth)
    rows = [line.split(",") for line in SYSTEM.split("\n")[1:-1]]
    run = write("".join(f"{q} Q0 {s} 1 {v} x\n" for q, s, v in rows), "hog.txt")
    assert table.tolist() == [[1, 2, 3], [4, 5, 0]]
    assert np.array_equal(read_scores(run, truth)[0], table)
    assert read_scores(write(SYSTEM + "q9,z,1\n", "hog.csv"), truth)[1] == 1


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        (SYSTEM.replace("q1,b,2\n", ""), r"no score for candidate 'b' of query 'q1' .*\(1 of 5"),
        (SYSTEM.replace("q1,b,2", "q1,a,2"), r":5: query 'q1' repeats stimulus 'a'"),
        (SYSTEM.replace("q1,b,2", "q1,b,nan"), r":5: score is 'nan'"),
        (SYSTEM.replace("q1,b,2", "q1,b,-inf"), r":5: score is '-inf'"),
        (SYSTEM.replace("score", "distance"), r":1: has no column score"),
        (
            "query_id,stimulus_id,score\na,q1,1\nb,q1,2\n",
            r"5 of 5 missing\); its columns are swapped",
        ),
        ("query_id,stimulus_id,score\n", "has no rows below its header"),
    ],
)
def test_refuses_scores(truth, write, text, finding):
    with pytest.raises(InputError, match=finding):
        read_scores(write(text, "hog.csv"), truth)


def test_ratings(truth, write):
    ratings = read_participant_scores(write(RATINGS, "r.csv"), truth)
    assert ratings.shape == (2, 2, 3)
    assert np.isnan(ratings[1, 0, 1]) and ratings[1, 1, 1] == 3


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        (RATINGS + "P1,q9,a,1\n", r":9: 'a' of query 'q9' is not in"),
        (RATINGS + "P1,q1,a,1\n", r":9: P1 has two ratings of 'a' of query 'q1'"),
        (
            RATINGS.replace("P1,q1,b,6", "P1,q1,b,5"),
            r"the mean of 'b' of query 'q1' is 5, but 6 in",
        ),
        (RATINGS.replace("P1,q1,b,6\n", ""), r"the mean of 'b' of query 'q1' is 0, but 6"),
    ],
)
def test_ratings_of_another_truth_are_an_error(truth, write, text, finding):
    with pytest.raises(InputError, match=finding):
        read_participant_scores(write(text, "r.csv"), truth)
