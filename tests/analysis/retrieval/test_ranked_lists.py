"""Lists of different lengths, measured in blocks: the same results as one by one."""

import math

import numpy as np
import pytest

from analysis import average_precision, e_measure, normalised_gain, precision_recall_20
from analysis.errors import InputError
from analysis.retrieval import ranked_lists as module
from analysis.retrieval.ranked_lists import RankedLists, measure_lists, ragged


def _lists(gains, targets):
    lengths = [np.array([len(x) for x in side]) for side in (gains, targets)]
    flat = [np.array([g for x in side for g in x], dtype=float) for side in (gains, targets)]
    names = [f"q{k}" for k in range(len(gains))]
    return RankedLists(
        "s",
        names,
        ragged(flat[0], lengths[0]),
        ragged(flat[1], lengths[1]),
        np.zeros(len(gains), dtype=int),
    )


def _random(queries, seed=1):
    rng = np.random.default_rng(seed)
    gains = [rng.choice([0, 0, 0, 1, 2], rng.integers(0, 60)).tolist() for _ in range(queries)]
    targets = [[g for g in x if g] + [1] * int(rng.integers(1, 9)) for x in gains]
    return gains, targets


@pytest.mark.parametrize("block", [1, 50, 1 << 20])
def test_blocks_equal_lists_one_by_one(block, monkeypatch):
    monkeypatch.setattr(module, "_BLOCK", block)
    gains, targets = _random(40)
    scores = measure_lists(_lists(gains, targets))
    for k, (own, ideal) in enumerate(zip(gains, targets, strict=True)):
        padded = own or [0]
        assert scores.by_query["ap"][k] == pytest.approx(average_precision(padded, len(ideal)))
        assert scores.by_query["dcg"][k] == pytest.approx(normalised_gain(padded, ideal))
        assert scores.by_query["e"][k] == pytest.approx(e_measure(padded, len(ideal), len(own)))
    curves = np.array(
        [
            precision_recall_20(own or [0], len(ideal))
            for own, ideal in zip(gains, targets, strict=True)
        ]
    )
    assert scores.precision_20 == pytest.approx(np.nanmean(curves, axis=0))
    assert scores.queries_20.tolist() == (~np.isnan(curves)).sum(0).tolist()


def test_an_empty_list_counts_zero_everywhere():
    scores = measure_lists(_lists([[], [1]], [[1, 1], [1]]))
    assert all(values[0] == 0 for values in scores.by_query.values())
    assert scores.means["ap"] == 0.5


def test_curves_undefined_for_all_queries_are_undefined():
    scores = measure_lists(_lists([[1]], [[1]]))
    assert np.isnan(scores.means["shrec_ap"])


def test_no_queries_are_an_error():
    with pytest.raises(InputError, match="no queries with relevant targets"):
        measure_lists(_lists([], []))


def _by_definition(gains, targets):
    """All measures of one list, from their definitions."""
    hits = [g > 0 for g in gains]
    size = len(targets)

    def share(depth):
        return sum(hits[:depth]) / size

    def dcg(values):
        return sum(g / max(1, math.log2(i)) for i, g in enumerate(values, start=1))

    def trec(values):
        return sum(g / math.log2(i + 1) for i, g in enumerate(values, start=1))

    depth = min(32, len(gains))
    precision, recall = sum(hits[:depth]) / max(depth, 1), share(depth)
    best = sorted(targets, reverse=True)
    at_hits = [sum(hits[: k + 1]) / (k + 1) for k, hit in enumerate(hits) if hit]
    return {
        "nn": float(bool(hits) and hits[0]),
        "ft": share(size),
        "st": share(2 * size),
        "e": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        "dcg": dcg(gains) / dcg(best),
        "ap": sum(at_hits) / size,
        "cg": sum(gains),
        "dcg_sum": dcg(gains),
        "ndcg_trec": trec(gains) / trec(best),
    }


def test_every_measure_agrees_with_its_definition():
    gains, targets = _random(60, seed=2)
    scores = measure_lists(_lists(gains, targets))
    for k, (own, ideal) in enumerate(zip(gains, targets, strict=True)):
        for name, value in _by_definition(own, ideal).items():
            assert scores.by_query[name][k] == pytest.approx(value), (name, own, ideal)
