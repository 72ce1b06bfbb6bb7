"""Labelled pairs: by hand, and checked against scikit-learn and hbench's row-by-row rule."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import (
    average_precision_score,
    precision_recall_curve,
    roc_auc_score,
    roc_curve,
)

from analysis import balanced, pair_curves
from analysis.errors import InputError

PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 1)), min_size=2, max_size=60).filter(
    lambda pairs: 0 < sum(label for _, label in pairs) < len(pairs)
)


def test_by_hand():
    # in order of distance: + - + -, so precision at the positives is 1 and 2/3
    curves = pair_curves([0.1, 0.2, 0.3, 0.4], [1, 0, 1, 0])
    assert curves.ap == pytest.approx((1 + 2 / 3) / 2)
    assert curves.auc == 0.75
    assert curves.fpr95 == 0.5
    # trapezoids from (0, 1): [0, .5] at 1, then from 1/2 to 2/3 over the other half
    assert curves.ap_trapezoid == pytest.approx(0.5 + 0.5 * (1 / 2 + 2 / 3) / 2)


def test_constant_distances_are_at_chance():
    curves = pair_curves([7, 7, 7, 7, 7], [1, 1, 0, 0, 0])
    assert (curves.ap, curves.auc, curves.fpr95) == (0.4, 0.5, 1.0)


def test_hbench_takes_constant_distances_in_file_order():
    first = pair_curves([7, 7, 7, 7], [1, 1, 0, 0], ties="rows")
    last = pair_curves([7, 7, 7, 7], [0, 0, 1, 1], ties="rows")
    assert (first.ap, first.auc, first.fpr95, first.ap_trapezoid) == (1.0, 1.0, 0.0, 1.0)
    assert (last.auc, last.fpr95) == (0.0, 1.0)


def _hbench(distances, labels):
    """The rule of the public code: stable order, one threshold per row, from (0, 1)."""
    order = sorted(range(len(labels)), key=lambda k: distances[k])
    tp, fp, points = 0, 0, [(0.0, 1.0, 0.0)]
    positives = sum(labels)
    for k in order:
        tp, fp = tp + labels[k], fp + 1 - labels[k]
        points.append((tp / positives, tp / (tp + fp), fp / (len(labels) - positives)))
    recall, precision, fpr = (np.array(axis) for axis in zip(*points, strict=True))
    return np.trapezoid(precision, recall), np.trapezoid(recall, fpr)


@given(PAIRS)
def test_rows_equal_hbench(pairs):
    distances, labels = (list(side) for side in zip(*pairs, strict=True))
    curves = pair_curves(distances, labels, ties="rows")
    area, auc = _hbench(distances, labels)
    assert curves.ap_trapezoid == pytest.approx(area)
    assert curves.auc == pytest.approx(auc)


@given(PAIRS)
def test_agrees_with_scikit_learn(pairs):
    distances, labels = (np.array(side) for side in zip(*pairs, strict=True))
    curves = pair_curves(distances, labels)
    assert curves.ap == pytest.approx(average_precision_score(labels, -distances))
    assert curves.auc == pytest.approx(roc_auc_score(labels, -distances))
    fpr, tpr, _ = roc_curve(labels, -distances, drop_intermediate=False)
    assert curves.fpr95 == pytest.approx(fpr[tpr >= 0.95][0])
    precision, recall, _ = precision_recall_curve(labels, -distances)
    assert curves.ap_trapezoid == pytest.approx(-np.trapezoid(precision, recall))
    x, y = curves.roc()
    assert np.trapezoid(y, x) == pytest.approx(curves.auc)
    assert (x[0], y[0], x[-1], y[-1]) == (0, 0, 1, 1)


@given(PAIRS, st.randoms())
def test_order_of_rows_has_no_effect(pairs, random):
    shuffled = list(pairs)
    random.shuffle(shuffled)
    one, other = (pair_curves(*zip(*rows, strict=True)) for rows in (pairs, shuffled))
    assert (one.ap, one.auc, one.fpr95) == (other.ap, other.auc, other.fpr95)


@given(PAIRS)
def test_without_ties_both_rules_agree(pairs):
    distances = np.random.default_rng(len(pairs)).permutation(len(pairs))
    labels = [label for _, label in pairs]
    together, rows = (pair_curves(distances, labels, ties) for ties in ("together", "rows"))
    for name in ("ap", "auc", "fpr95", "ap_trapezoid"):
        assert getattr(together, name) == pytest.approx(getattr(rows, name))


def test_exactly_95_percent_is_enough():
    labels = [1] * 19 + [0] + [1] + [0] * 3
    assert pair_curves(range(24), labels).fpr95 == 0.0


def test_balanced_uses_the_first_negatives():
    assert balanced([0, 1, 0, 0, 1, 0]).tolist() == [0, 1, 2, 4]
    with pytest.raises(InputError, match="found 1 negative and 2 positive"):
        balanced([1, 1, 0])


@pytest.mark.parametrize(
    ("distances", "labels", "finding"),
    [
        ([], [], "no positive pairs among 0"),
        ([1, 2], [1, 1], "no negative pairs among 2"),
        ([1, 2], [0, 0], "no positive pairs among 2"),
        ([1, np.nan], [1, 0], "distance of pair 1 is nan"),
        ([np.inf, 1], [1, 0], "distance of pair 0 is inf"),
        ([1, 0], [0.7, 34.2], r"label of pair 0 is 0.7"),
        ([1, 2], [1, 0, 0], r"shapes \(2,\) and \(3,\)"),
    ],
)
def test_refusals(distances, labels, finding):
    with pytest.raises(InputError, match=finding):
        pair_curves(distances, labels)


def test_an_unknown_rule_for_ties_is_an_error():
    with pytest.raises(InputError, match="ties should be 'together' or 'rows'"):
        pair_curves([1, 2], [1, 0], ties="other")
