"""Paired permutation and Holm: exact by enumeration, and by hand."""

from itertools import product

import numpy as np
import pytest

from analysis import holm, paired_permutation
from analysis.statistics.comparison import compare


def test_among_many_systems_the_best_differs_significantly_from_the_worst():
    # 190 pairs: with 2,000 draws, the least corrected p would be 190 / 2,001.
    queries = np.random.default_rng(0).normal(0, 0.1, (20, 30))
    found = compare(queries + np.linspace(0, 1, 20)[:, None], draws=2_000)
    assert found.p_holm[18] == pytest.approx(190 / 9_501)


def test_more_draws_for_all_pairs_would_not_change_corrected_p():
    queries = np.random.default_rng(1).normal(0, 0.1, (40, 31))
    queries += np.linspace(0, 0.1, 40)[:, None]
    found = compare(queries, draws=5_000)
    _, _, p = paired_permutation(queries, draws=50 * 780)
    assert np.any((found.p_holm < 1) & (found.p_holm > 0.05))
    assert np.array_equal(found.p_holm, holm(p))
    assert not np.array_equal(found.p, p)


def test_agrees_with_all_swaps_enumerated():
    values = np.random.default_rng(1).normal(size=(3, 8)) + np.array([[0.0], [0.3], [1.2]])
    signs = np.array(list(product((-1, 1), repeat=8)))
    pairs, difference, p = paired_permutation(values, draws=40_000)
    for (a, b), d, got in zip(pairs, difference, p, strict=True):
        gap = values[a] - values[b]
        exact = np.mean(np.abs(signs @ gap) >= abs(gap.sum()) - 1e-9)
        assert d == pytest.approx(gap.mean())
        assert got == pytest.approx(exact, abs=0.01)


def test_equal_systems_have_p_one():
    _, difference, p = paired_permutation([[0.1, 0.2, 0.3], [0.1, 0.2, 0.3]])
    assert difference[0] == 0 and p[0] == 1


def test_p_is_never_zero():
    _, _, p = paired_permutation([np.full(40, 0.9), np.full(40, 0.1)], draws=999)
    assert p[0] == pytest.approx(1 / 1000)


def test_undefined_queries_are_left_out_of_a_comparison():
    values = [[0.9, np.nan, 0.7], [0.1, 0.5, 0.2], [np.nan, 0.5, np.nan]]
    _, difference, p = paired_permutation(values)
    assert difference[0] == pytest.approx(0.65)
    assert np.isnan(difference[1]) and np.isnan(p[1])


def test_one_system_has_no_comparisons():
    pairs, difference, p = paired_permutation([[0.1, 0.2]])
    assert pairs.shape == (0, 2) and difference.size == 0 and p.size == 0


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_stops_at_one_and_leaves_undefined_out():
    assert holm([0.6, np.nan, 0.9]) == pytest.approx([1.0, np.nan, 1.0], nan_ok=True)
    assert holm([]).size == 0


def test_holm_preserves_the_order():
    p = np.random.default_rng(2).random(20)
    assert np.all(np.diff(holm(p / 100)[np.argsort(p)]) >= 0)
    assert np.all(holm(p) >= p)


def test_a_row_names_both_systems_and_is_corrected_over_all_pairs():
    values = np.random.default_rng(4).normal(size=(3, 9)) + np.array([[0.0], [0.5], [2.0]])
    _, difference, p = paired_permutation(values, 200, 3)
    rows = list(compare(values, 200, 3).rows(["hog", "pixel", "random"]))
    assert [row[:2] for row in rows] == [["hog", "pixel"], ["hog", "random"], ["pixel", "random"]]
    assert np.array_equal([row[2:] for row in rows], np.transpose([difference, p, holm(p)]))
