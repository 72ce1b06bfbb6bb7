"""Precision-recall curves: by hand, and checked against loops written from the definitions."""

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from analysis import precision_recall_11, precision_recall_20, shrec_average_precision
from analysis.retrieval.precision_recall import mean_curve


def _by_definition_20(gains, size):
    ranks = [k + 1 for k, g in enumerate(gains) if g]
    at = [(k + 1) / rank for k, rank in enumerate(ranks)] + [0.0] * (size - len(ranks))
    curve = []
    for j in range(1, 21):
        place = j * size / 20
        if size < 2 or j * size < 20:
            curve.append(np.nan)
            continue
        k = int(j * size // 20)
        rest = place - k
        curve.append(at[k - 1] + (rest * (at[k] - at[k - 1]) if k < size else 0))
    return curve


def _by_definition_11(gains, size):
    hits = np.cumsum(gains)
    precision = hits / np.arange(1, len(gains) + 1)
    return [
        max((p for p, h in zip(precision, hits, strict=True) if 10 * h >= j * size), default=0)
        for j in range(11)
    ]


def test_20_points_by_hand():
    # C = 2, hits at ranks 1 and 4: P_1 = 1 at recall .5, P_2 = .5 at recall 1
    curve = precision_recall_20([1, 0, 0, 1], 2)
    assert np.isnan(curve[:9]).all()
    assert curve[9:] == pytest.approx(np.linspace(1, 0.5, 11))


def test_small_classes_are_left_out():
    assert np.isnan(precision_recall_20([1], 1)).all()
    curve = precision_recall_20([1, 1, 1, 1, 1], 5)
    assert np.isnan(curve).sum() == 3 and curve[3] == 1


@given(st.lists(st.integers(0, 1), min_size=1, max_size=60), st.integers(0, 25))
def test_both_curves_agree_with_their_definitions(gains, missing):
    size = sum(gains) + missing
    if size:
        ours = precision_recall_20(gains, size)
        assert ours == pytest.approx(_by_definition_20(gains, size), nan_ok=True)
        assert precision_recall_11(gains, size) == pytest.approx(_by_definition_11(gains, size))


def test_a_batch_equals_its_lists():
    gains = (np.random.default_rng(1).random((9, 30)) < 0.4).astype(int)
    size = gains.sum(1) + np.arange(9)
    for curve in (precision_recall_20, precision_recall_11):
        batch = curve(gains, size)
        for k in range(9):
            assert batch[k] == pytest.approx(curve(gains[k], size[k]), nan_ok=True)


def test_official_ap_is_the_mean_of_the_mean_curve():
    gains, sizes = [[1, 0, 0, 1], [1, 1, 0, 0]], [2, 2]
    curves = precision_recall_20(gains, sizes)
    assert shrec_average_precision(curves) == pytest.approx(
        np.mean((np.linspace(1, 0.5, 11) + 1) / 2)
    )


def test_mean_curve_uses_the_defined_queries():
    curves = [[np.nan, np.nan, 0.5], [np.nan, 0.2, 1.0]]
    assert mean_curve(curves) == pytest.approx([np.nan, 0.2, 0.75], nan_ok=True)
    assert np.isnan(shrec_average_precision(np.full((3, 20), np.nan)))


def test_the_11_points_agree_with_trec_eval_9():
    rng = np.random.default_rng(3)
    for relevant in (1, 2, 4, 7, 12, 20, 31):
        hits = rng.random(40) < 0.4
        hits &= np.cumsum(hits) <= relevant
        run = {f"d{rank}": float(-rank) for rank in range(40)}
        qrels = {f"d{rank}": 1 for rank in np.flatnonzero(hits)}
        qrels |= {f"missed{k}": 1 for k in range(relevant - hits.sum())}
        judge = pytrec_eval.RelevanceEvaluator({"q": qrels}, {"iprec_at_recall"})
        measures = judge.evaluate({"q": run})["q"]
        theirs = [measures[f"iprec_at_recall_{k / 10:.2f}"] for k in range(11)]
        assert np.allclose(precision_recall_11(hits.astype(float), relevant), theirs)


def test_of_three_targets_the_second_reaches_a_recall_of_4():
    # Hits at ranks 1, 4 and 5. At .4, trec_eval 10 uses one target (1.2 rounded), so it returns 1.
    assert precision_recall_11([1, 0, 0, 1, 1], 3)[[3, 4, 7]].tolist() == [1, 0.6, 0.6]
