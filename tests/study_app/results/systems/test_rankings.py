"""Systems measured against a ranking: tau_b by hand, in both directions of scores."""

from study_app.results.systems import rankings, reading
from study_app.results.systems.reading import Upload
from tests.study_app.results.systems.added_systems import SCORES


def _measured_ranking(gold, *files):
    read = [(one, reading.read_scores(one, gold)) for one in files]
    return rankings.measure(gold, read, lambda *_: None)


def test_tau_b_by_hand(task_gold):
    found = _measured_ranking(task_gold, Upload("hog.csv", SCORES.encode(), "similarity", "hog"))
    assert found.evaluation.by_query.tolist() == [[1.0, -1.0]]
    best, worst = rankings.extremes(rankings.queries(found, "hog"))
    assert [row["name"] for row in best] == ["q"] and [row["name"] for row in worst] == ["r"]
    assert worst[0]["people"] == ["a", "b", "c"] and worst[0]["system"] == ["c", "b", "a"]


def test_distances_are_negated(task_gold):
    found = _measured_ranking(
        task_gold,
        Upload("a.csv", SCORES.encode(), "similarity", "near"),
        Upload("b.csv", SCORES.encode(), "distance", "far"),
    )
    assert found.evaluation.by_query.tolist() == [[1.0, -1.0], [-1.0, 1.0]]
