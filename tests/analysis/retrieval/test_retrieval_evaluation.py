"""Runs with judgments: by hand, checked against trec_eval, and on real runs."""

import csv

import numpy as np
import pytest
import pytrec_eval

from analysis.errors import InputError
from analysis.files.runs.trec import Qrels, Run, read_qrels, read_run
from analysis.retrieval.ranked_lists import measure_lists
from analysis.retrieval.retrieval_evaluation import judge


def _run(tmp_path, rows):
    path = tmp_path / "hog.run"
    path.write_text("".join(f"{q} Q0 {d} 0 {s} x\n" for q, d, s in rows))
    return read_run(path)


def _qrels(tmp_path, rows):
    path = tmp_path / "qrels"
    path.write_text("".join(f"{q} 0 {d} {r}\n" for q, d, r in rows))
    return read_qrels(path)


def _trec_eval(run: Run, qrels: Qrels, measures):
    judged, scored = {}, {}
    for q, d, r in qrels.judgments.iter_rows():
        judged.setdefault(q, {})[d] = r
    for q, d, s in run.results.select("query", "document", "score").iter_rows():
        scored.setdefault(q, {})[d] = s
    return pytrec_eval.RelevanceEvaluator(judged, measures).evaluate(scored)


def test_by_hand_with_a_missing_query_and_an_unjudged_one(tmp_path):
    qrels = _qrels(
        tmp_path, [("q", "a", 2), ("q", "b", 1), ("q", "c", 0), ("p", "a", 1), ("o", "a", 0)]
    )
    run = _run(tmp_path, [("q", "c", 3), ("q", "a", 2), ("q", "z", 1), ("x", "a", 1)])
    judged = judge(run, qrels)
    assert judged.lists.system == "hog"
    assert judged.lists.queries == ["q", "p"]
    assert judged.lists.gains.padded(np.array([0, 1])).tolist() == [[0, 2, 0], [0, 0, 0]]
    assert judged.lists.targets.lengths.tolist() == [2, 1]
    assert judged.missing_queries == ["p"]
    assert judged.without_relevant == ["o"]
    assert judged.unjudged_queries == 1
    assert measure_lists(judged.lists).by_query["ap"].tolist() == [0.25, 0]


def test_queries_in_the_collection_are_removed(tmp_path):
    qrels = _qrels(tmp_path, [("a", "a", 1), ("a", "b", 1), ("b", "a", 1), ("b", "b", 1)])
    run = _run(
        tmp_path, [("a", "a", 9), ("a", "b", 8), ("b", "b", 9), ("b", "c", 8), ("b", "a", 7)]
    )
    judged = judge(run, qrels, queries_in_collection=True)
    assert judged.self_hits == 2
    assert judged.lists.targets.lengths.tolist() == [1, 1]
    assert measure_lists(judged.lists).by_query["ap"].tolist() == [1.0, 0.5]
    assert measure_lists(judge(run, qrels).lists).by_query["nn"].tolist() == [1, 1]


@pytest.mark.parametrize(
    ("scores", "ties"),
    [((5, 5, 5), 1), ((6, 5, 5), 0), ((5, 5, 4), 0), ((6, 4, 5), 0)],
)
def test_a_query_removed_from_its_list_leaves_no_tie_with_itself(tmp_path, scores, ties):
    qrels = _qrels(tmp_path, [("a", "b", 1)])
    for order in ("bac", "abc", "bca"):
        in_file = sorted(zip("bac", scores, strict=True), key=lambda one: order.index(one[0]))
        run = _run(tmp_path, [("a", *one) for one in in_file])
        assert judge(run, qrels, queries_in_collection=True).lists.ties.tolist() == [ties]


def test_a_run_of_another_collection_is_an_error(tmp_path):
    with pytest.raises(InputError, match="its queries are not judged in"):
        judge(_run(tmp_path, [("x", "a", 1)]), _qrels(tmp_path, [("q", "a", 1)]))


def test_negative_relevance_is_not_relevant(tmp_path):
    qrels = _qrels(tmp_path, [("q", "a", -1), ("q", "b", 1)])
    judged = judge(_run(tmp_path, [("q", "a", 2), ("q", "b", 1)]), qrels)
    assert judged.lists.gains.flat.tolist() == [0, 1]


def test_agrees_with_trec_eval_on_random_runs(tmp_path):
    rng = np.random.default_rng(1)
    rows = [
        (f"q{q}", f"d{d}", round(float(s), 9))
        for q in range(30)
        for d, s in zip(rng.permutation(80)[: rng.integers(1, 70)], rng.random(80), strict=False)
    ]
    qrels = _qrels(
        tmp_path,
        [(f"q{q}", f"d{d}", int(rng.integers(-1, 4))) for q in range(30) for d in range(0, 80, 3)],
    )
    run = _run(tmp_path, rows)
    lists = judge(run, qrels).lists
    scores = measure_lists(lists)
    theirs = _trec_eval(run, qrels, {"map", "ndcg", "P_5", "11pt_avg"})
    for k, query in enumerate(lists.queries):
        assert scores.by_query["ap"][k] == pytest.approx(theirs[query]["map"])
        assert scores.by_query["ndcg_trec"][k] == pytest.approx(theirs[query]["ndcg"])
    assert scores.precision_11.mean() == pytest.approx(
        np.mean([theirs[query]["11pt_avg"] for query in lists.queries])
    )


@pytest.mark.parametrize("system", ["hog", "pixel", "random"])
def test_real_runs(shared_data, system):
    folder = shared_data / "runs" / "sketch_to_sketch"
    with (folder / "reference_metrics.csv").open(encoding="utf-8") as file:
        reference = {row["system"]: row for row in csv.DictReader(file)}[system]
    run = read_run(folder / f"run_{system}.txt.gz")
    qrels = read_qrels(folder / "qrels.txt")
    lists = judge(run, qrels).lists
    scores = measure_lists(lists)
    hits = lists.gains.padded(np.arange(len(lists.queries)))[:, :10] > 0
    assert hits.mean() == pytest.approx(float(reference["P@10"]), abs=5e-5)
    # The runs stop at 100 results, so their AP is below that of the full ranking …
    assert scores.means["ap"] < float(reference["mAP_full_ranking"])
    # … and agrees with trec_eval, which breaks the few ties by name, not by file order.
    theirs = _trec_eval(run, qrels, {"map", "ndcg"})
    assert scores.means["ap"] == pytest.approx(
        np.mean([t["map"] for t in theirs.values()]), abs=1e-5
    )
    assert scores.means["ndcg_trec"] == pytest.approx(
        np.mean([t["ndcg"] for t in theirs.values()]), abs=1e-4
    )
